/** One difference between two documents: how grave it is, whom it breaks, and why. */

/** `breaking` breaks somebody; `warning` may, or cannot be decided; `info` breaks nobody. */
export type Level = "breaking" | "warning" | "info";

/** By how much a semantic version must grow. */
export type Bump = "major" | "minor" | "patch";

/** Who relies on a document. `generated clients` break when they are generated again, `servers` are those that implement it. */
export type Party = "clients" | "generated clients" | "receivers" | "servers";

/** Which message the data is in. It decides who sends it and who reads it. */
export type Flow = "requests" | "responses" | "notifications" | "acknowledgements";

/** A place in one of the two documents: the object that the finding is about. */
export type Spot = { side: "old" | "new"; node: object };

/** One difference. */
export type DiffFinding = {
  rule: string;
  level: Level;
  bump: Bump;
  /** The operation, the component or the field, such as `POST /pets` or `Pet.name`. */
  where: string;
  flow?: Flow;
  what: string;
  breaks: readonly Party[];
  why: string;
  spot?: Spot;
  /** The operations that a shared component is used by. */
  usedBy?: readonly string[];
  /** The acceptance that covers it, in the words of who accepted. */
  accepted?: { reason: string; until: string };
};

/** A rule's grade and reason, where the direction of the data does not decide. */
export type DiffVerdict = { level: Level; breaks?: readonly Party[]; why: string; bump?: Bump };

const levels: readonly Level[] = ["info", "warning", "breaking"];
const bumps: readonly Bump[] = ["patch", "minor", "major"];

/** Whether one level is at least as grave as another. */
export const isAtLeast = (level: Level, least: Level): boolean => levels.indexOf(level) >= levels.indexOf(least);

/** The most that any finding asks for; undefined when there are none. */
export function total(findings: readonly DiffFinding[]): Bump | undefined {
  return bumps.findLast((bump) => findings.some((finding) => finding.bump === bump));
}

/** The gravest first, and otherwise in the order of the document. */
export function sorted(findings: readonly DiffFinding[]): DiffFinding[] {
  const grade = ({ level, bump }: DiffFinding) => levels.indexOf(level) * 3 + bumps.indexOf(bump);
  return findings.toSorted((one, other) => grade(other) - grade(one));
}

/** Whether a version has grown by what its changes ask for. */
import type { Bump } from "../../command/diff/finding.ts";

/** What to report, and whether to refuse: a major change under a major version that has not grown. */
export type VersionVerdict = { refused: boolean; message: string };

/** Judges `info.version` by the total rating of the changes; undefined when there are none. */
export function judgeVersion(rating: Bump | undefined, before: string, after: string): VersionVerdict {
  if (!rating) return { refused: false, message: "Nothing changed." };
  const [was, is] = [numbers(before), numbers(after)];
  const [major, minor, patch] = was;
  const least = { major: [major + 1, 0, 0], minor: [major, minor + 1, 0], patch: [major, minor, patch + 1] }[rating];
  const refused = rating === "major" && is[0] <= major;
  const wants = refused ? "must be" : "should be";
  const grown = compare(is, least) >= 0;
  const advice = grown
    ? `info.version grew from ${before} to ${after}`
    : `info.version is ${after} and ${wants} ${least.join(".")}`;
  return { refused, message: `In all ${rating}; ${advice}.` };
}

function numbers(version: string): [number, number, number] {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.+-]/).map(Number);
  return [major, minor, patch];
}

function compare(one: readonly number[], other: readonly number[]): number {
  return one.map((value, index) => value - (other[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

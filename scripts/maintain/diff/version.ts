/** Whether a version has grown by what its changes ask for. */
import type { Bump } from "../../command/diff/finding.ts";

/** What to report, and whether to refuse: a major change under a major version that has not grown. */
export type VersionVerdict = { refused: boolean; message: string };

/** Judges `info.version` by the total rating of the changes; undefined when there are none. */
export function judgeVersion(rating: Bump | undefined, before: string, after: string): VersionVerdict {
  if (!rating) return { refused: false, message: "Nothing changed." };
  const least = grownVersion(before, rating);
  const refused = rating === "major" && numbers(after)[0] <= numbers(before)[0];
  const wants = refused ? "must be" : "should be";
  const advice =
    compareVersions(after, least) >= 0
      ? `info.version grew from ${before} to ${after}`
      : `info.version is ${after} and ${wants} ${least}`;
  return { refused, message: `In all ${rating}; ${advice}.` };
}

/** The next version after one, for changes of a rating. */
export function grownVersion(version: string, rating: Bump): string {
  const [major, minor, patch] = numbers(version);
  const grown = { major: [major + 1, 0, 0], minor: [major, minor + 1, 0], patch: [major, minor, patch + 1] };
  return grown[rating].join(".");
}

/** Orders versions, the older one first. What follows the three numbers does not count. */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [numbers(one), numbers(other)];
  return first.map((value, index) => value - (second[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

function numbers(version: string): [number, number, number] {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.+-]/).map(Number);
  return [major, minor, patch];
}

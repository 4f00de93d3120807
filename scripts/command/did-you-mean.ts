/** Finds the name that was probably meant, for sentences about one that there is not. */
import { edits } from "../../server/base/edits.ts";

/**
 * @param given what was typed
 * @param known the names that there are
 * @returns `; did you mean NAME?`, or `.` when none is near, for the end of a sentence
 */
export function didYouMean(given: string, known: readonly string[]): string {
  const bare = (name: string) => name.toLowerCase().replace(/^-+/, "");
  const wanted = bare(given);
  const ranked = known
    .map((name) => ({ name, distance: wanted !== "" && bare(name).startsWith(wanted) ? 0 : edits(wanted, bare(name)) }))
    .sort((a, b) => a.distance - b.distance);
  const [nearest] = ranked;
  const near = nearest && nearest.distance <= Math.max(1, Math.floor(bare(nearest.name).length / 3));
  return near ? `; did you mean ${nearest.name}?` : ".";
}

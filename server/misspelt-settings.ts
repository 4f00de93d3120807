/**
 * Finds variables whose names are nearly those of settings. Nobody reads them, so a misspelt DATABASE_URL would start a database of its own.
 * The environment also has other programs' variables: what is found is worth a warning, and no more.
 */
import { edits } from "./edits.ts";
import { type Environment, settings } from "./settings.ts";

/** Two letters differ in long names, one in short ones: HOME is no HOST. */
const longName = 8;

/** @returns a sentence for each */
export function misspeltSettings(env: Environment): string[] {
  const known = Object.values(settings).map(({ name }) => name);
  return Object.entries(env).flatMap(([given, value]) => {
    if (!value || known.includes(given)) return [];
    const meant = known.find((name) => edits(given.toUpperCase(), name) <= (name.length < longName ? 1 : 2));
    return meant === undefined ? [] : [`${given} is not a setting and has no effect. Did you mean ${meant}?`];
  });
}

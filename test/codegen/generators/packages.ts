/** Where the versions are pinned of what several generators share. */
import type { Generator } from "../harness/generator.ts";

/** A generator among the packages of `npm/`. */
export const npmVersion = (name: string): Generator["version"] => ({
  file: "npm/package.json",
  pattern: new RegExp(`"${name}": "([^"]+)"`),
});

/** A generator among the packages of `python/`. */
export const pythonVersion = (name: string): Generator["version"] => ({
  file: "python/requirements.txt",
  pattern: new RegExp(`^${name}==(\\S+)`, "m"),
});

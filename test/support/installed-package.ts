/** The project in which the packed package is installed, and nothing else. Whoever imports this waits until it is there. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";
import type { PackageOutcome } from "./package-setup.ts";

/** The project's folder. */
export const packageProject = inject("packageFolder");
/** The tarball that is installed there. */
export const packageTarball = await readTarball();

async function readTarball(): Promise<string> {
  for (;;) {
    const text = await readFile(join(packageProject, "outcome.json"), "utf8").catch(() => undefined);
    const { tarball, error } = JSON.parse(text ?? "{}") as PackageOutcome;
    if (tarball) return tarball;
    if (error) throw new Error(`The package was not packed and installed: ${error}`);
    await sleep(100);
  }
}

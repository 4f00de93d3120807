/** The projects in which the packed packages are installed, and nothing else. Whoever imports this waits until they are there. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inject } from "vitest";
import type { PackageOutcome } from "./package-setup.ts";

const folder = inject("packageFolder");

/** Has `chain-webhooks` alone. */
export const receiverProject = join(folder, "receives");
/** Has `chain-webhooks` and `chain-webhooks-tools`. */
export const implementerProject = join(folder, "implements");
/** Has `chain-webhooks-service` alone. */
export const operatorProject = join(folder, "operates");
/** The packages as installed, by their names. */
export const installedPackages = {
  "chain-webhooks": join(receiverProject, "node_modules/chain-webhooks"),
  "chain-webhooks-tools": join(implementerProject, "node_modules/chain-webhooks-tools"),
  "chain-webhooks-service": join(operatorProject, "node_modules/chain-webhooks-service"),
} as const;
/** The folder of the tarballs that are installed there. */
export const tarballs = await readOutcome();

async function readOutcome(): Promise<string> {
  for (;;) {
    const text = await readFile(join(folder, "outcome.json"), "utf8").catch(() => undefined);
    const outcome = JSON.parse(text ?? "{}") as PackageOutcome;
    if (outcome.tarballs) return outcome.tarballs;
    if (outcome.error) throw new Error(`The packages were not packed and installed: ${outcome.error}`);
    await sleep(100);
  }
}

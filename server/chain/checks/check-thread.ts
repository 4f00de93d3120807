/** What a thread runs that examines blocks: one after the other, as they are handed over. */
import { parentPort } from "node:worker_threads";
import type { BlockBundle } from "../../matching/wire.ts";
import type { Checks } from "./check.ts";
import { examine, type Verdict } from "./examine.ts";

/** A block to examine, and what comes of it under the same number. */
export type Order = { id: number; bundle: BlockBundle; checks: Checks };
export type Answer = { id: number; verdict: Verdict };

parentPort?.on("message", ({ id, bundle, checks }: Order) => {
  parentPort?.postMessage({ id, verdict: examine(bundle, checks) } satisfies Answer);
});

/** What the parts of the feed share. */
import type { Logger } from "pino";
import type { Keyring } from "../store/keyring.ts";
import type { Pool } from "../store/pool.ts";
import { isFree, type Load } from "./endpoint.ts";
import type { Recorder } from "./recorder.ts";
import type { Sender } from "./sender.ts";
import type { Shard } from "./shard.ts";
import type { Texts } from "./texts.ts";

export type FeedContext = {
  pool: Pool;
  keyring: Keyring;
  log: Logger;
  /** The shards that this process owns, by number. One that was lost and taken again is another object. */
  shards: ReadonlyMap<number, Shard>;
  load: Load;
  texts: Texts;
  recorder: Recorder;
  sender: Sender;
};

/** How much may wait in memory: tasks, and characters of their texts. Half of it is for the streams alone. */
const tasksLimit = 20_000;
const charactersLimit = 128_000_000;

/** So many tasks that could begin keep the process busy while more are read; the longer they wait, the more they cost the collector. */
const enoughTasks = 1_000;

/** Whether the process has enough to do: what holds it up is itself, and not the endpoints. */
export function isBusy({ load }: FeedContext, open: readonly Shard[]): boolean {
  if (load.tasks < enoughTasks) return false;
  let ready = 0;
  for (const { endpoints } of open)
    for (const endpoint of endpoints.values())
      if (isFree(endpoint) && !endpoint.pace.slow) ready += endpoint.queue.length;
  return ready >= enoughTasks;
}

/** @returns the part of the memory for waiting tasks that is in use, from 0 */
export function usedPart({ tasks, characters }: Load): number {
  return Math.max(tasks / tasksLimit, characters / charactersLimit);
}

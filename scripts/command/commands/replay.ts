/** Sends again what a webhook was notified of in some blocks, and what it would have been, through the API. */
import { setTimeout as sleep } from "node:timers/promises";
import type { OperationResult } from "../../../client/index.ts";
import { waitForSignal } from "../../../server/base/shutdown-signal.ts";
import { apiNotes, apiOptions, webhookId, withApi } from "../api-client.ts";
import { CommandError, type CommandOptions, runCommand, UsageError } from "../command-line.ts";
import { createProgress, printList } from "../terminal.ts";

type Replay = OperationResult<"getReplay">;

const pollMs = 1_000;

const options = {
  ...apiOptions,
  from: { type: "string", value: "BLOCK", help: "The first block." },
  to: { type: "string", value: "BLOCK", help: "The last block. Default: the first one." },
  detach: { type: "boolean", help: "Do not wait until it is done." },
} as const satisfies CommandOptions;

/** What `replay` takes. */
export const command = {
  intro: `Replay blocks for a webhook, through the API: send again what was recorded, and add what was not.

Usage:
  chain-webhooks-tools replay WEBHOOK_ID --from BLOCK [--to BLOCK] [--detach]`,
  options,
  notes: `It waits until the replay is done, and shows how far it is. The replay goes on in the service if this command ends. Interrupted, it ends
with the exit code 130.

${apiNotes}`,
};

/** Runs `replay`. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand(command, args, async ({ values, positionals }) => {
    const id = webhookId("replay", positionals);
    const { from: fromBlock, json = false, detach = false } = values;
    if (fromBlock === undefined) throw new UsageError("replay needs --from BLOCK.");
    const { to: toBlock = fromBlock } = values;
    const interrupt = waitForSignal();
    const interrupted = new AbortController();
    void interrupt.received.then(() => interrupted.abort());
    const progress = createProgress("blocks");
    try {
      const replay = await withApi(values, async (client) => {
        let replay: Replay = await client.createReplay({ path: { id }, body: { fromBlock, toBlock } });
        // Should this command not hear of its end, a second one would send everything once more.
        if (!detach) console.error(`Replay ${replay.id} goes on in the service, also if this command ends.`);
        while (!detach && replay.finishedAt === undefined && !interrupted.signal.aborted) {
          progress.update(blocksDone(replay), blocksOf(replay));
          await sleep(pollMs, undefined, { signal: interrupted.signal }).catch(() => undefined);
          replay = await client.getReplay({ path: { id, replayId: replay.id } });
        }
        return replay;
      });
      progress.clear();
      const { status, statusReason, resentCount, addedCount } = replay;
      const row = { replay: replay.id, status, from: replay.fromBlock, to: replay.toBlock };
      printList({ rows: [{ ...row, resent: resentCount, added: addedCount }], json: replay }, json);
      if (status === "failed") throw new CommandError(`The replay failed: ${statusReason}`);
      return !detach && replay.finishedAt === undefined ? 130 : 0;
    } finally {
      progress.clear();
      interrupt.ignore();
    }
  });
}

const blocksOf = ({ fromBlock, toBlock }: Replay) => Number(BigInt(toBlock) - BigInt(fromBlock)) + 1;
const blocksDone = ({ fromBlock, currentBlock }: Replay) =>
  currentBlock === undefined ? 0 : Number(BigInt(currentBlock) - BigInt(fromBlock)) + 1;

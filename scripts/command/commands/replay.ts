/** Sends again what a webhook was notified of in some blocks, and what it would have been, through the API. */
import { followReplay, type OperationResult, type WebhooksClient, WebhooksError } from "../../../client/index.ts";
import { waitForSignal } from "../../../server/base/shutdown-signal.ts";
import { apiNotes, apiOptions, webhookId, withApi } from "../api-client.ts";
import { CommandError, type CommandOptions, runCommand, UsageError } from "../command-line.ts";
import { createProgress, durationOf, printList, type Stream } from "../terminal.ts";

type Replay = OperationResult<"getReplay">;

const options = {
  ...apiOptions,
  webhook: { type: "string", value: "ID", help: "The webhook, in place of the argument." },
  from: { type: "string", value: "BLOCK", help: "The first block." },
  to: { type: "string", value: "BLOCK", help: "The last block. Default: the first one." },
  "include-earlier": { type: "boolean", help: "Also replay blocks before the webhook's effectiveFromBlock." },
  detach: { type: "boolean", help: "Do not wait until it is done." },
  cancel: { type: "string", value: "REPLAY_ID", help: "Cancel that replay of the webhook. What it has sent stays." },
} as const satisfies CommandOptions;

/** What `replay` takes. */
export const command = {
  intro: `Replay blocks for a webhook, through the API: send again what was recorded, and add what was not.

Usage:
  chain-webhooks-tools replay WEBHOOK_ID --from BLOCK [--to BLOCK] [--include-earlier] [--detach]
  chain-webhooks-tools replay WEBHOOK_ID --cancel REPLAY_ID`,
  options,
  notes: `It waits until the replay is done, and shows how far it is: a bar on a terminal, and elsewhere a line every few seconds. The replay goes on in
the service if this command ends. Interrupted, it ends with the exit code 130.

${apiNotes}`,
};

/** Runs `replay`. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand(command, args, async ({ values, positionals }) => {
    const { webhook, from: fromBlock, cancel: replayId, json = false, detach = false } = values;
    const id = webhookId("replay", webhook === undefined ? positionals : [webhook, ...positionals]);
    const asked = values["include-earlier"];
    if (replayId !== undefined) {
      const others = (["from", "to", "include-earlier", "detach"] as const).find((name) => values[name] !== undefined);
      if (others !== undefined) throw new UsageError(`--cancel excludes --${others}.`);
      const cancelled = await withApi(values, (client) => client.cancelReplay({ path: { id, replayId } }));
      print(cancelled, json);
      return 0;
    }
    if (fromBlock === undefined) throw new UsageError("replay needs --from BLOCK.");
    const { to: toBlock = fromBlock } = values;
    const body = { fromBlock, toBlock, ...(asked && { includeEarlier: asked }) };
    const interrupt = waitForSignal();
    const interrupted = new AbortController();
    void interrupt.received.then(() => interrupted.abort());
    try {
      const replay = await withApi(values, async (client) => {
        const created = await client.createReplay({ path: { id }, body });
        if (detach) return created;
        // Should this command not hear of its end, a second one would send everything once more.
        console.error(`Replay ${created.id} goes on in the service, also if this command ends.`);
        return wait(client, created, interrupted.signal);
      });
      print(replay, json);
      if (replay.status === "failed") throw new CommandError(`The replay failed: ${replay.statusReason}`);
      return !detach && replay.finishedAt === undefined ? 130 : 0;
    } finally {
      interrupt.ignore();
    }
  });
}

/** @returns the replay as it ended, or as it was when the signal came */
async function wait(client: WebhooksClient, created: Replay, signal: AbortSignal): Promise<Replay> {
  let replay = created;
  const shown = process.stderr.isTTY ? createBar() : createLines();
  try {
    for await (const state of followReplay(client, created.webhookId, created.id, { signal })) {
      replay = state;
      shown.update(replay);
    }
  } catch (error) {
    if (!(error instanceof WebhooksError && error.code === "aborted")) throw error;
  } finally {
    shown.clear();
  }
  return replay;
}

type Shown = { update(replay: Replay): void; clear(): void };

function createBar(): Shown {
  const progress = createProgress("blocks");
  return {
    update: (replay) => progress.update(blocksDone(replay), blocksOf(replay), leftMs(replay)),
    clear: progress.clear,
  };
}

const lineEveryMs = 5_000;

/** Prints a line when there was progress, at most every few seconds. */
export function createLines(stream: Pick<Stream, "write"> = process.stderr, now = () => performance.now()): Shown {
  let shownAt = Number.NEGATIVE_INFINITY;
  let shown = 0;
  return {
    update(replay) {
      const done = blocksDone(replay);
      if (done === shown || now() - shownAt < lineEveryMs) return;
      [shown, shownAt] = [done, now()];
      const { blocksPerSecond } = replay;
      const pace = blocksPerSecond === undefined ? "" : `, ${blocksPerSecond} blocks/s`;
      const rest = leftMs(replay);
      const left = rest === undefined ? "" : `, about ${durationOf(rest)} left`;
      stream.write(`${done} of ${blocksOf(replay)} blocks${pace}${left}\n`);
    },
    clear: () => undefined,
  };
}

function print(replay: Replay, json: boolean): void {
  const { status, resentCount, addedCount } = replay;
  const row = { replay: replay.id, status, from: replay.fromBlock, to: replay.toBlock };
  printList({ rows: [{ ...row, resent: resentCount, added: addedCount }], json: replay }, json);
}

const blocksOf = ({ fromBlock, toBlock }: Replay) => Number(BigInt(toBlock) - BigInt(fromBlock)) + 1;
const blocksDone = ({ fromBlock, currentBlock }: Replay) =>
  currentBlock === undefined ? 0 : Number(BigInt(currentBlock) - BigInt(fromBlock)) + 1;
/** By the clock of the service, which is nearly ours. */
const leftMs = ({ finishesAt }: Replay) =>
  finishesAt === undefined ? undefined : Math.max(0, finishesAt - Date.now());

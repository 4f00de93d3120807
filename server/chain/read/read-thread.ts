/** The code of a reading thread: it fetches, parses and checks blocks, and holds each run until it is released. */
import { parentPort } from "node:worker_threads";
import { rulesOf } from "../check/profiles.ts";
import { connectNode } from "../nodes/node.ts";
import { type EndedCall, reportCalls } from "../nodes/node-calls.ts";
import type { ReadBlock } from "./block.ts";
import {
  type BlockMessage,
  describeError,
  type MatchReply,
  type ReadReply,
  type ThreadCommand,
  type ThreadMessage,
  type ThreadReply,
  type ThreadRequest,
} from "./messages.ts";
import { type FetchContext, fetchByHash, fetchRun } from "./run.ts";

/** What this thread keeps for a reader of the main thread. */
type ReaderState = {
  context: Pick<FetchContext, "chainId" | "rules" | "node">;
  /** The calls that ended since the last reply. */
  calls: EndedCall[];
  runs: Map<number, ReadBlock[]>;
  controller: AbortController;
};

const readers = new Map<number, ReaderState>();

function obey(command: ThreadCommand): void {
  if (command.command === "open") {
    open(command);
    return;
  }
  const reader = readers.get(command.reader);
  if (command.command === "release") reader?.runs.delete(command.run);
  else if (command.command === "cancel") reader?.context.node.cancel();
  else {
    reader?.controller.abort();
    readers.delete(command.reader);
  }
}

function open({ reader, url, chain, maxConcurrent }: ThreadCommand & { command: "open" }): void {
  const controller = new AbortController();
  const calls: EndedCall[] = [];
  const connected = connectNode(url, { signal: controller.signal, maxConcurrent });
  const node = reportCalls(connected, (call) => calls.push(call));
  const context = { chainId: chain.chainId, rules: rulesOf(chain), node };
  readers.set(reader, { context, calls, runs: new Map(), controller });
}

async function read({ reader: id, run, selection }: ThreadRequest & { request: "read" }): Promise<ReadReply> {
  const skipped: ReadReply["skipped"] = [];
  const reader = readers.get(id);
  try {
    if (!reader) throw new Error("the reader is closed");
    const context: FetchContext = {
      ...reader.context,
      traces: selection.traces,
      onSkippedCheck: (check, block) => skipped.push({ ...check, block }),
    };
    const blocks = await ("hashes" in selection
      ? fetchByHash(context, selection.hashes)
      : fetchRun(context, selection.from, selection.to));
    reader.runs.set(run, blocks);
    return { calls: reader.calls.splice(0), skipped, blocks: blocks.map(blockMessage) };
  } catch (error) {
    return { calls: reader?.calls.splice(0) ?? [], skipped, error: describeError(error) };
  }
}

async function match({ reader, run, index, watchedBy }: ThreadRequest & { request: "match" }): Promise<MatchReply> {
  try {
    const block = readers.get(reader)?.runs.get(run)?.[index];
    if (!block) throw new Error("the block was released");
    return { matched: await block.match(watchedBy) };
  } catch (error) {
    return { error: describeError(error) };
  }
}

const blockMessage = ({ match: _, participants, ...block }: ReadBlock): BlockMessage => ({
  ...block,
  participants: participants.join(),
});

parentPort?.on("message", async (message: ThreadMessage) => {
  if ("command" in message) {
    obey(message);
    return;
  }
  const { id } = message;
  const reply: ThreadReply = { id, ...(message.request === "read" ? await read(message) : await match(message)) };
  parentPort?.postMessage(reply);
});

/** What a thread runs that reads blocks: fetches, parses and checks them, and keeps them until they are not needed any more. */
import { parentPort } from "node:worker_threads";
import type { ChainConfig } from "../config.ts";
import { connectNode, type Node } from "../nodes/node.ts";
import { type EndedCall, tellCalls } from "../nodes/node-calls.ts";
import type { ReadBlock } from "./block.ts";
import { tellError } from "./error-messages.ts";
import type { Accepted, Answer, MatchAnswer, Notice, Order, Question, ReadAnswer, ToldBlock } from "./messages.ts";
import { fetchByHash, fetchRun, type Source } from "./run.ts";

type Reader = {
  chain: ChainConfig;
  node: Node;
  /** The calls that have ended since the last answer. */
  calls: EndedCall[];
  runs: Map<number, ReadBlock[]>;
  controller: AbortController;
};

const readers = new Map<number, Reader>();

function heed(notice: Notice): void {
  if (notice.tell === "open") {
    open(notice);
    return;
  }
  const reader = readers.get(notice.reader);
  if (notice.tell === "release") reader?.runs.delete(notice.run);
  else if (notice.tell === "cancel") reader?.node.cancel();
  else {
    reader?.controller.abort();
    readers.delete(notice.reader);
  }
}

function open({ reader, url, chain, atOnce }: Notice & { tell: "open" }): void {
  const controller = new AbortController();
  const calls: EndedCall[] = [];
  const node = tellCalls(connectNode(url, { signal: controller.signal, atOnce }), (call) => calls.push(call));
  readers.set(reader, { chain, node, calls, runs: new Map(), controller });
}

async function read({ reader: of, run, wanted }: Question & { ask: "read" }): Promise<ReadAnswer> {
  const accepted: Accepted[] = [];
  const reader = readers.get(of);
  try {
    if (!reader) throw new Error("the reader is closed");
    const { chain, node, runs } = reader;
    const source: Source = {
      chain,
      node,
      traces: wanted.traces,
      onInapplicable: (found, block) => accepted.push({ ...found, block }),
    };
    const blocks = await ("hashes" in wanted
      ? fetchByHash(source, wanted.hashes)
      : fetchRun(source, wanted.from, wanted.to));
    runs.set(run, blocks);
    return { calls: reader.calls.splice(0), accepted, blocks: blocks.map(toldBlock) };
  } catch (error) {
    return { calls: reader?.calls.splice(0) ?? [], accepted, error: tellError(error) };
  }
}

async function match({ reader, run, index, watchedBy }: Question & { ask: "match" }): Promise<MatchAnswer> {
  try {
    const block = readers.get(reader)?.runs.get(run)?.[index];
    if (!block) throw new Error("the block is not held any more");
    return { matches: await block.match(watchedBy) };
  } catch (error) {
    return { error: tellError(error) };
  }
}

const toldBlock = ({ match: _, participants, ...block }: ReadBlock): ToldBlock => ({
  ...block,
  participants: participants.join(),
});

parentPort?.on("message", async (order: Order) => {
  if ("tell" in order) {
    heed(order);
    return;
  }
  const answer: Answer = { id: order.id, ...(order.ask === "read" ? await read(order) : await match(order)) };
  parentPort?.postMessage(answer);
});

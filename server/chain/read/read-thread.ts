/** The code of a reading thread: it fetches, parses and checks blocks, and holds each run until it is released. */
import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { basename } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import type { LogInterest } from "../../matching/new-webhook.ts";
import type { TokenBook } from "../../matching/transfers.ts";
import { rulesOf } from "../../settings/chain-profiles.ts";
import { bloomTest } from "../check/encoding/receipt.ts";
import { connectNode, type EndedCall, type Node, reportCalls, reportThrottled } from "../nodes/node.ts";
import type { ReadBlock, TokenSource } from "./block.ts";
import { fetchHits } from "./logs.ts";
import {
  type AnswerReply,
  type BlockMessage,
  type BlockSelection,
  describeError,
  type HitsReply,
  type MatchReply,
  type PackReply,
  type ReadReply,
  type ThreadCommand,
  type ThreadMessage,
  type ThreadQuestion,
  type ThreadReady,
  type ThreadReply,
  type ThreadRequest,
} from "./messages.ts";
import {
  type FetchContext,
  fetchByHash,
  fetchHeadBlock,
  fetchHitRun,
  fetchRun,
  fetchSparseRun,
  unpackRun,
} from "./run.ts";
import type { ReadPurpose } from "./threads.ts";

/** What this thread keeps for a reader of the main thread. */
type ReaderState = {
  context: Pick<FetchContext, "chainId" | "rules">;
  origin: string;
  /** Absent if it reads packed blocks only. */
  node: Node | undefined;
  /** The calls that ended since the last reply. */
  calls: EndedCall[];
  /** The last test of blooms, which runs of one history share: to make that of 2,000 addresses takes 20 ms. */
  lastTest?: { key: string; mayHold: ReturnType<typeof bloomTest> };
  runs: Map<number, ReadBlock[]>;
  controller: AbortController;
};

const readers = new Map<number, ReaderState>();

/** The questions to the main thread without an answer. */
const questions = new Map<number, { answered: (book: TokenBook) => void; failed: (error: Error) => void }>();

function obey(command: ThreadCommand): void {
  if (command.command === "open") {
    open(command);
    return;
  }
  if (command.command === "tokens") {
    const question = questions.get(command.question);
    questions.delete(command.question);
    if (command.book) question?.answered(command.book);
    else question?.failed(new Error("tokens could not be looked up"));
    return;
  }
  const reader = readers.get(command.reader);
  if (command.command === "release") reader?.runs.delete(command.run);
  else if (command.command === "cancel") reader?.node?.cancel();
  else {
    reader?.controller.abort();
    readers.delete(command.reader);
  }
}

function open({ reader, url, origin, chain, maxConcurrent }: ThreadCommand & { command: "open" }): void {
  const controller = new AbortController();
  const calls: EndedCall[] = [];
  const onCall = (call: EndedCall) => calls.push(call);
  const { signal } = controller;
  const alone = chain.rpcUrls.length === 1;
  const node =
    url === undefined
      ? undefined
      : reportCalls(connectNode(url, { signal, maxConcurrent, alone, onThrottled: reportThrottled(onCall) }), onCall);
  const context = { chainId: chain.chainId, rules: rulesOf(chain) };
  readers.set(reader, { context, origin, node, calls, runs: new Map(), controller });
}

async function read(request: ThreadRequest & { request: "read" | "unpack" }): Promise<ReadReply> {
  const skipped: ReadReply["skipped"] = [];
  const reader = readers.get(request.reader);
  try {
    if (!reader) throw new Error("the reader is closed");
    const onSkippedCheck: FetchContext["onSkippedCheck"] = (check, block) => skipped.push({ ...check, block });
    const context = { ...reader.context, onSkippedCheck };
    const blocks =
      request.request === "unpack"
        ? unpackRun({ ...context, origin: reader.origin }, request.from)
        : await fetchSelected(reader, context, request.selection);
    reader.runs.set(request.run, blocks);
    return { calls: reader.calls.splice(0), skipped, blocks: blocks.map(blockMessage) };
  } catch (error) {
    return { calls: reader?.calls.splice(0) ?? [], skipped, error: describeError(error) };
  }
}

function fetchSelected(
  reader: ReaderState,
  context: Omit<FetchContext, "node" | "traces">,
  selection: BlockSelection,
): Promise<ReadBlock[]> {
  const { node } = reader;
  if (!node) throw new Error("the reader has no node");
  const all = { ...context, node, traces: selection.traces };
  if ("hashes" in selection) return fetchByHash(all, selection.hashes);
  if (selection.head) return fetchHeadBlock(all, selection.head);
  const { interest, hits } = selection;
  if (interest && hits) return fetchHitRun(all, { ...selection, interest, hits });
  if (selection.interest) return fetchSparseRun(all, selection, testOf(reader, selection.interest));
  return fetchRun(all, selection.from, selection.to);
}

async function findHits({ reader: id, range }: ThreadRequest & { request: "hits" }): Promise<HitsReply> {
  const reader = readers.get(id);
  try {
    if (!reader?.node) throw new Error("the reader is closed, or has no node");
    const hits = await fetchHits(reader.node, range);
    return { calls: reader.calls.splice(0), hits };
  } catch (error) {
    return { calls: reader?.calls.splice(0) ?? [], error: describeError(error) };
  }
}

function testOf(reader: ReaderState, interest: LogInterest): ReturnType<typeof bloomTest> {
  const key = JSON.stringify(interest);
  if (reader.lastTest?.key !== key) reader.lastTest = { key, mayHold: bloomTest(interest) };
  return reader.lastTest.mayHold;
}

function askTokens(id: number, tokensOf: readonly string[]): Promise<TokenBook> {
  return new Promise((answered, failed) => {
    questions.set(id, { answered, failed });
    parentPort?.postMessage({ id, tokensOf } satisfies ThreadQuestion);
  });
}

async function match(id: number, request: ThreadRequest & { request: "match" }): Promise<MatchReply> {
  const { reader, run, index, watchedBy, hasTokens, beyond } = request;
  try {
    const block = readers.get(reader)?.runs.get(run)?.[index];
    if (!block) throw new Error("the block was released");
    const tokens: TokenSource | undefined = hasTokens ? (contracts) => askTokens(id, contracts) : undefined;
    return { matched: await block.match(watchedBy, tokens, beyond) };
  } catch (error) {
    return { error: describeError(error) };
  }
}

async function answer(id: number, request: ThreadRequest & { request: "answer" }): Promise<AnswerReply> {
  const { reader, run, index, question, hasTokens } = request;
  try {
    const block = readers.get(reader)?.runs.get(run)?.[index];
    if (!block) throw new Error("the block was released");
    const tokens: TokenSource | undefined = hasTokens ? (contracts) => askTokens(id, contracts) : undefined;
    return { answer: await block.answer(question, tokens) };
  } catch (error) {
    return { error: describeError(error) };
  }
}

async function pack({ reader, run, index }: ThreadRequest & { request: "pack" }): Promise<PackReply> {
  try {
    const block = readers.get(reader)?.runs.get(run)?.[index];
    if (!block) throw new Error("the block was released");
    return { packed: await block.pack() };
  } catch (error) {
    return { error: describeError(error) };
  }
}

function blockMessage({
  match: _match,
  answer: _answer,
  pack: _pack,
  participants,
  ...block
}: ReadBlock): BlockMessage {
  return { ...block, participants: participants.join() };
}

type Reply = ReadReply | HitsReply | MatchReply | AnswerReply | PackReply;

function replyTo(id: number, request: ThreadRequest): Promise<Reply> {
  if (request.request === "hits") return findHits(request);
  if (request.request === "match") return match(id, request);
  if (request.request === "answer") return answer(id, request);
  return request.request === "pack" ? pack(request) : read(request);
}

/** Lowers the priority of this thread alone, which only Linux has: there a thread has a number like a process, and names it here. */
function goToBackground(): void {
  try {
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Elsewhere, it shares the processors with everybody.
  }
}

if ((workerData as ReadPurpose) === "background") goToBackground();

parentPort?.on("message", async (message: ThreadMessage) => {
  if ("command" in message) {
    obey(message);
    return;
  }
  const { id } = message;
  const reply: ThreadReply = { id, ...(await replyTo(id, message)) };
  parentPort?.postMessage(reply);
});

// In a later turn: until then the modules are not settled, and a thread that is ended meanwhile takes the process with it (see `end`).
setImmediate(() => parentPort?.postMessage({ ready: true } satisfies ThreadReady));

// A message that could not be read has no reply: the thread ends, and what waits for it fails.
parentPort?.on("messageerror", (error) => {
  throw error;
});

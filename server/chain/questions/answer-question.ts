/** Answers one question from one node: finds the block, reads it with every check, and applies the rule to it, if that was asked. */
import type { BlockQuestion } from "../../matching/question.ts";
import type { ChainConfig } from "../../settings/chains.ts";
import type { BlockId } from "../../store/chains/cursor.ts";
import {
  type AskedPlace,
  type HistoryAnswer,
  type NewAnswer,
  type Question,
  type QuestionOfBlock,
  type QuestionOfHistory,
  readAskedWebhook,
} from "../../store/chains/questions.ts";
import type { Pool } from "../../store/pool.ts";
import { type Node, NodeError } from "../nodes/node.ts";
import { assertChain, fetchHead, fetchPlace } from "../read/fetch.ts";
import type { BlockSelection } from "../read/messages.ts";
import type { BlockReader, ReadRun } from "../read/reader.ts";
import type { Witnesses } from "../sources/node-pool.ts";
import { areConfirmed } from "../sources/witnesses.ts";
import type { TokenReader } from "../tokens/token-reader.ts";

type AnsweringNode = {
  chain: ChainConfig;
  node: Node;
  reader: BlockReader;
  tokens: TokenReader;
  witnesses: Witnesses;
};

/** @param untilMs when to answer with what is known, by `performance.now()` @throws what reading a block throws; what the database throws */
export async function answerFrom(
  from: AnsweringNode,
  pool: Pool,
  { question, untilMs }: { question: Question; untilMs: number },
): Promise<NodeAnswer<NewAnswer>> {
  await assertChain(from.node, from.chain.chainId);
  return "historyFrom" in question ? answerOfHistory(from, question, untilMs) : answerOfBlock(from, pool, question);
}

async function answerOfBlock(
  { chain, node, reader, tokens, witnesses }: AnsweringNode,
  pool: Pool,
  question: QuestionOfBlock,
): Promise<NodeAnswer<NewAnswer>> {
  const asked = await askedOf(pool, question);
  // The webhook was deleted meanwhile, which whoever waits finds out by itself.
  if (!asked) return { answer: "failed", isCertain: true };
  const place = await findBlock(node, question.place);
  if (typeof place === "string") return { answer: place, isCertain: false };
  let run: ReadRun | undefined;
  try {
    run = await reader.read({ ...place, traces: chain.traces && asked.includeInternalTxs });
    const [block] = run.blocks;
    if (!block) return { answer: "unknown", isCertain: false };
    if (!(await areConfirmed([block], { chain, node, witnesses })))
      throw failure(node, "eth_getBlockByHash", `no other node confirms block ${block.number}`);
    const txHash = "txHash" in question.place ? { txHash: question.place.txHash } : {};
    const depth = asked.saysDepth ? await depthOf(node, block.number) : {};
    const asking = { ...(await asked.of(block)), ...txHash, ...depth };
    const answer = await tokens.withTokens(block.number, async (pass) => {
      const found = await block.answer(asking, (contracts) => pass.find(pool, contracts));
      pass.assertAsked();
      return found;
    });
    if ("txHash" in question.place && answer.isEmpty)
      throw failure(node, "eth_getTransactionByHash", `block ${block.hash} does not have the transaction`);
    return { answer, isCertain: true };
  } finally {
    run?.release();
  }
}

/** How far below the head a node surely has all of a block: another one behind its address may lag. */
const surelyThere = 8;
/** How many blocks are asked for at the same time: each round of a search takes as long as a remote node does for one. */
const atOnce = 8;

/** What a node has of a block: all that activity needs, not all of it, or nothing to need. */
export type Held = "all" | "part" | "nothing needed";

/**
 * Reads the block where a history begins. Where the node does not return it, but blocks near its head, it has forgotten older ones. Of an empty
 * block there is nothing to forget: then the next ones say whether the node has them. The first that it has is searched for in parts.
 *
 * @param untilMs when to end the search, and answer with what is known
 */
async function answerOfHistory(
  { chain, node, reader, witnesses }: AnsweringNode,
  { historyFrom, includeInternalTxs }: QuestionOfHistory,
  untilMs: number,
): Promise<NodeAnswer<HistoryAnswer>> {
  const traces = chain.traces && includeInternalTxs;
  const head: BlockId | undefined = await fetchHead(node, "latest");
  const from = Number(historyFrom);
  if (!head || from > head.number) return { answer: "unknown", isCertain: false };
  const read = async (number: number, confirm = false) => {
    const run = await reader.read({ from: number, to: number, traces });
    try {
      const [block] = run.blocks;
      if (!block) throw failure(node, "eth_getBlockByNumber", `no block ${number}, below its own head`);
      const isConfirmed = !confirm || (await areConfirmed([block], { chain, node, witnesses }));
      const { parentHash, transactions } = block;
      return { parentHash, transactions, isConfirmed };
    } finally {
      run.release();
    }
  };
  const ask = (number: number): Promise<Held> =>
    read(number).then(
      ({ transactions }) => (transactions > 0 ? "all" : "nothing needed"),
      (error: unknown) => {
        if (error instanceof NodeError && (error.throttled || error.unanswered)) throw error;
        return "part";
      },
    );
  const newest = Math.max(from, head.number - surelyThere);
  const first = await read(from, true).catch((error: unknown) => {
    if (from === head.number || (error instanceof NodeError && (error.throttled || error.unanswered))) throw error;
    return undefined;
  });
  if (first && !first.isConfirmed) throw failure(node, "eth_getBlockByHash", `no other node confirms block ${from}`);
  let missing = from;
  if (first) {
    const answer = { answer: { parentHash: first.parentHash }, isCertain: true };
    const later = first.transactions > 0 ? [] : further(from, newest);
    const held = await Promise.all(later.map(ask));
    const decisive = held.findIndex((one) => one !== "nothing needed");
    if (held[decisive] !== "part") return answer;
    missing = later[decisive] ?? from;
  }
  if ((await ask(Math.max(missing + 1, newest))) === "part")
    throw failure(node, "eth_getBlockByNumber", `not all of block ${newest}, near its own head`);
  const found = await searchFirst({ missing, there: Math.max(missing + 1, newest) }, ask, untilMs);
  // Other nodes may have more.
  return { answer: found, isCertain: false };
}

/** Blocks after one, up to another, at growing distances: what a node has forgotten mostly ends far from where it begins. */
function further(from: number, newest: number): number[] {
  const distance = newest - from;
  const steps = Array.from({ length: atOnce * 2 }, (_, step) => Math.round(distance ** (step / (atOnce * 2 - 1))));
  return distance < 1 ? [] : [...new Set(steps)].map((step) => from + step);
}

/**
 * Searches for the first block of which a node has all, between one of which it has only a part and one that is there.
 *
 * @returns the first one that is known to be there by the end, and whether that is only about where they begin
 */
export async function searchFirst(
  bounds: { missing: number; there: number },
  ask: (number: number) => Promise<Held>,
  untilMs: number,
): Promise<{ firstBlock: number; isAbout?: true }> {
  let { missing, there } = bounds;
  /** Shifts the blocks that are asked for where all were empty. */
  let shift = 0;
  while (there - missing > 1 && shift < 4) {
    const asked = between(missing, there, shift);
    const held = await inTime(Promise.all(asked.map(ask)), untilMs);
    if (!held) break;
    const last = held.lastIndexOf("part");
    const next = held.findIndex((one, index) => index > last && one === "all");
    if (last < 0 && next < 0) {
      // Nothing is needed of any block between the two.
      if (there - missing - 1 <= asked.length) return { firstBlock: missing + 1 };
      shift += 1;
    } else shift = 0;
    there = asked[next] ?? there;
    missing = asked[last] ?? missing;
  }
  return { firstBlock: there, ...(there - missing > 1 && { isAbout: true }) };
}

/** @returns some of the blocks between two, evenly spaced */
function between(missing: number, there: number, shift: number): number[] {
  const gap = (there - missing) / (atOnce + 1);
  const asked = Array.from({ length: atOnce }, (_, index) => Math.floor(missing + (index + 1) * gap) + shift);
  const all = gap <= 1 ? Array.from({ length: there - missing - 1 }, (_, index) => missing + 1 + index) : asked;
  return [...new Set(all)].filter((number) => number > missing && number < there);
}

/** @returns undefined once the time is over, by which what goes on is of no use */
function inTime<T>(work: Promise<T>, untilMs: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), Math.max(0, untilMs - performance.now()));
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

type AskedOf = {
  includeInternalTxs: boolean;
  /** Whether the payloads say how many blocks are on top now. */
  saysDepth: boolean;
  of(block: { number: number; participants: readonly string[] }): Promise<BlockQuestion>;
};

async function askedOf(pool: Pool, question: QuestionOfBlock): Promise<AskedOf | undefined> {
  if ("webhookId" in question) {
    const asked = await readAskedWebhook(pool, question.webhookId);
    if (!asked) return undefined;
    const { webhook, watchedFrom } = asked;
    const of: AskedOf["of"] = async (block) => ({ webhook, ...(await watchedFrom(block)), payloads: false });
    return { includeInternalTxs: webhook.includeInternalTxs, saysDepth: false, of };
  }
  const { addresses, eventSignatures, ...preview } = question.preview;
  const webhook = { id: "", ...preview, eventSignatures: new Set(eventSignatures) };
  const watched = new Map(addresses.map((address) => [address, 0]));
  const { includeInternalTxs, options } = preview;
  const saysDepth = options?.finality === "finalized";
  return { includeInternalTxs, saysDepth, of: async () => ({ webhook, watched, payloads: true }) };
}

async function depthOf(node: Node, number: number): Promise<{ depth: number }> {
  const head: BlockId | undefined = await fetchHead(node, "latest");
  return { depth: Math.max(0, (head?.number ?? number) - number) };
}

/** @returns which block to read; `pending` for a transaction in none, `unknown` for what the node does not have */
async function findBlock(
  node: Node,
  place: AskedPlace,
): Promise<
  Omit<Extract<BlockSelection, { hashes: unknown }>, "traces"> | { from: number; to: number } | "pending" | "unknown"
> {
  if ("txHash" in place) {
    const found = await fetchPlace(node, place.txHash);
    if (found === undefined) return "unknown";
    return found === "pending" ? found : { hashes: [found.hash], above: found.number - 1 };
  }
  // Above its head a node returns null, or an error.
  const head: BlockId | undefined = await fetchHead(node, "latest");
  if (!head || BigInt(place.blockNumber) > BigInt(head.number)) return "unknown";
  const number = Number(place.blockNumber);
  return { from: number, to: number };
}

const failure = ({ origin }: Node, method: string, reason: string) => new NodeError(reason, { method, origin });

/** An answer, and whether it is certain. A node that lags does not know what others do, so they are asked, too. */
type NodeAnswer<T> = { answer: T; isCertain: boolean };

/**
 * Asks the nodes of a chain one after the other, for a caller who waits: the next is asked when one failed, and also when one has not
 * answered for a while.
 *
 * @param nodes the preferred one first
 * @param options.staggerMs how long a node has before the next one is asked, too
 * @param options.deadlineMs when to give up
 * @param options.onSlow called with each node that failed, or had not answered by then, and with the error
 * @param options.better which of two answers that are not certain to keep; by default the first
 * @returns the first certain answer, else any other; undefined if no node answered in time
 */
export function firstAnswer<T>(
  nodes: readonly Node[],
  askNode: (node: Node) => Promise<NodeAnswer<T>>,
  {
    staggerMs,
    deadlineMs,
    onSlow,
    better = (known) => known,
  }: {
    staggerMs: number;
    deadlineMs: number;
    onSlow: (node: Node, error: unknown) => void;
    better?: (known: T, other: T) => T;
  },
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const waiting = [...nodes];
    const timers = new Set<NodeJS.Timeout>();
    let unanswered = nodes.length;
    let uncertain: T | undefined;
    let isOver = false;

    function end(answer: T | undefined): void {
      isOver = true;
      for (const timer of timers) clearTimeout(timer);
      resolve(answer);
    }

    function after(ms: number, act: () => void): () => void {
      const timer = setTimeout(act, ms);
      timers.add(timer);
      return () => clearTimeout(timer);
    }

    function askNext(): void {
      const node = waiting.shift();
      if (!node || isOver) return;
      const notLate = after(staggerMs, () => {
        onSlow(node, new Error("it did not answer in time"));
        askNext();
      });
      askNode(node)
        .then(
          ({ answer, isCertain }) => {
            if (isCertain) return end(answer);
            uncertain = uncertain === undefined ? answer : better(uncertain, answer);
          },
          (error: unknown) => onSlow(node, error),
        )
        .finally(() => {
          notLate();
          unanswered -= 1;
          if (isOver) return;
          if (unanswered === 0) end(uncertain);
          else askNext();
        });
    }

    after(deadlineMs, () => end(uncertain));
    if (unanswered === 0) end(undefined);
    askNext();
  });
}

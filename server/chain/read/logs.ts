/**
 * Finds the blocks whose logs can match, by `eth_getLogs`. What a node leaves out is not found. What it returns is only a place to look: the block is
 * fetched whole and checked, and must have the very logs that the node returned of it.
 */
import { createHash } from "node:crypto";
import { hasFailed } from "../../matching/bundle.ts";
import type { LogInterest } from "../../matching/new-webhook.ts";
import { quantityIn } from "../../matching/quantities.ts";
import type { BlockBundle, Hex } from "../../matching/wire.ts";
import { logsMethod } from "../nodes/json-rpc.ts";
import { isUnknownMethod, type Node, NodeError, NoLogsError } from "../nodes/node.ts";
import { believedRefusals } from "../nodes/node-limits.ts";
import { fetchHeaderAt } from "./fetch.ts";

/** Blocks whose logs are asked for, and the lane that they are asked for. */
export type LogRangeRequest = BlockRange & { lane: number; interest: LogInterest };

type BlockRange = { from: number; to: number };

/** The blocks of a range whose logs can match, as a node has them. */
export type LogHits = {
  /** The last block of the range, and its hash. */
  to: number;
  hash: Hex;
  /** In order. */
  blocks: readonly HitBlock[];
};

/** @property digest of those logs that can match */
type HitBlock = { number: number; hash: Hex; digest: string };

/** What `eth_getLogs` is asked for, besides the range. A list means any of its values, and null any value at all. */
export type LogFilter = {
  address?: readonly string[];
  topics: readonly (readonly string[] | null)[];
};

/** What decides whether a log can match. */
type ParticipatingLog = { address: string; topics: readonly string[] };

const topicOf = (address: string) => `0x${address.slice(2).padStart(64, "0")}`;

/** Geth and Erigon take no longer list of addresses, or of one topic, unless they are configured to. */
const longestList = 1_000;

function parts<T>(list: readonly T[], length = longestList): T[][] {
  const count = Math.ceil(list.length / length);
  return Array.from({ length: count }, (_, part) => list.slice(part * length, (part + 1) * length));
}

/**
 * The filters that together find each log that can match, and some others. An address takes part in a log as its emitter, or as an indexed argument. An
 * empty list would mean any address.
 */
export function logFilters(interest: LogInterest): LogFilter[] {
  const anywhere = new Set(interest.flatMap(({ signatures, addresses }) => (addresses ? [] : signatures)));
  const watching = interest.flatMap(({ signatures, addresses }) => {
    const others = signatures.filter((signature) => !anywhere.has(signature));
    return addresses && addresses.length > 0 && others.length > 0 ? [{ signatures: others, addresses }] : [];
  });
  const signatures = [...new Set(watching.flatMap((one) => one.signatures))];
  const addresses = [...new Set(watching.flatMap((one) => one.addresses))];
  const ofAny = parts([...anywhere]).map((some): LogFilter => ({ topics: [some] }));
  const ofSome = parts(signatures).flatMap((signatures) =>
    parts(addresses).flatMap((some): LogFilter[] => {
      const topics = some.map(topicOf);
      return [
        { address: some, topics: [signatures] },
        { topics: [signatures, topics] },
        { topics: [signatures, null, topics] },
        { topics: [signatures, null, null, topics] },
      ];
    }),
  );
  return [...ofAny, ...ofSome];
}

/** Whether a log can match: exactly, where the filters also find what has one webhook's signature and another's address. All in lower case. */
export function logTest(interest: LogInterest): (log: ParticipatingLog) => boolean {
  const anywhere = new Set<string>();
  // Those of one place in `interest` belong together. Of a webhook with 100 signatures and 2,000 addresses there would be 200,000 pairs.
  const wanting = new Map<string, Set<number>>();
  const watching = new Map<string, number[]>();
  for (const [place, { signatures, addresses }] of interest.entries()) {
    for (const signature of signatures)
      if (addresses) wanting.set(signature, (wanting.get(signature) ?? new Set()).add(place));
      else anywhere.add(signature);
    for (const address of addresses ?? [])
      for (const party of [address, topicOf(address)]) {
        const places = watching.get(party) ?? [];
        watching.set(party, places);
        places.push(place);
      }
  }
  return ({ address, topics: [signature = "", ...others] }) => {
    if (anywhere.has(signature)) return true;
    const places = wanting.get(signature);
    if (!places) return false;
    return [address, ...others].some((party) => watching.get(party)?.some((place) => places.has(place)));
  };
}

/**
 * @param range of which the node returns a part at least, from its beginning: as much as it allows
 * @throws NoLogsError if the node returns the logs not even of one block, or what was not asked for; NodeError if it does not respond
 */
export async function fetchHits(node: Node, { from, to, lane, interest }: LogRangeRequest): Promise<LogHits> {
  const filters = logFilters(interest);
  const range = node.logRanges.of(lane);
  for (;;) {
    const end = Math.min(to, from + range.now() - 1);
    const blocks = end - from + 1;
    // First: a node that gets its blocks meanwhile has not looked through them, and one whose chain changes meanwhile shows it.
    const header = await fetchHeaderAt(node, end);
    if (!header) throw new NoLogsError(`has no block ${end}, and its logs`, node.origin);
    const found = await fetchAll(node, filters, { from, to: end }).catch(asRefusal);
    if (!(found instanceof NodeError)) {
      if (filters.length > 0) range.accepted(blocks);
      return { to: end, hash: header.hash, blocks: blocksOf(node, found.filter(logTest(interest))) };
    }
    // Without a response the range may be too much, or the node is away. Then it does not respond to this either.
    if (found.unanswered || found.about.unreached) await fetchHeaderAt(node, from);
    if (blocks === 1) throw new NoLogsError(`of block ${from} alone: ${found.reason}`, node.origin);
    range.refused(blocks, found.unanswered !== undefined);
  }
}

/** @returns the error if it may be the range that was too much @throws what says nothing of it: the node wants fewer calls, or we stopped waiting */
function asRefusal(error: unknown): NodeError {
  if (!(error instanceof NodeError) || error instanceof NoLogsError) throw error;
  if (error.throttled || error.unanswered === "cancelled") throw error;
  return error;
}

/** Of so many filters the logs are asked for together. */
const filtersAtOnce = 4;
/** More logs of a range are not kept: all filters together may return gigabytes. */
const mostLogs = 100_000;

/** @throws NodeError if one fails, or if there are too many logs of more than one block */
async function fetchAll(node: Node, filters: readonly LogFilter[], range: BlockRange): Promise<FoundLog[]> {
  const logs: FoundLog[] = [];
  for (const some of parts(filters, filtersAtOnce)) {
    const results = await Promise.allSettled(some.map((filter) => fetchLogs(node, filter, range)));
    for (const result of results) {
      if (result.status === "rejected") throw result.reason;
      for (const log of result.value) logs.push(log);
    }
    if (logs.length > mostLogs && range.from < range.to) throw refusal(node, `more than ${mostLogs} logs`);
  }
  return logs;
}

const refusal = ({ origin }: Node, reason: string) => new NodeError(reason, { method: logsMethod, origin });

type FoundLog = ParticipatingLog & { blockNumber: number; blockHash: Hex; transactionHash: string; logIndex: string };

/** Some nodes leave out what is above a number like 10,000, without a word. A multiple of this is no answer, but a reason to ask for less. */
const roundNumber = 1_000;

async function fetchLogs(node: Node, filter: LogFilter, { from, to }: BlockRange): Promise<FoundLog[]> {
  const [fromBlock, toBlock] = [from, to].map((number) => `0x${number.toString(16)}`);
  const returned = await requestKnown(node, { fromBlock, toBlock, ...filter });
  if (!Array.isArray(returned)) throw new NoLogsError("returned no list", node.origin);
  if (from < to && returned.length > 0 && returned.length % roundNumber === 0)
    throw refusal(node, `exactly ${returned.length} logs, which may be the most that it returns`);
  const isAsked = askedBy(filter);
  return returned.map((value: unknown) => {
    const log = logIn(value);
    if (!log || log.blockNumber < from || log.blockNumber > to || !isAsked(log))
      throw new NoLogsError(
        `returned what was not asked for: ${(JSON.stringify(value) ?? "").slice(0, 200)}`,
        node.origin,
      );
    return log;
  });
}

/** Another of the nodes behind an address may know a method that one does not. @throws NoLogsError if none seems to */
async function requestKnown(node: Node, filter: object): Promise<unknown> {
  const { refused, origin } = node;
  for (let times = 0; times < believedRefusals && !refused.has(logsMethod); times += 1) {
    try {
      const logs = await node.request<unknown>(logsMethod, [filter]);
      refused.known(logsMethod);
      return logs;
    } catch (error) {
      if (!isUnknownMethod(error)) throw error;
      refused.refused(logsMethod);
    }
  }
  throw new NoLogsError("the node does not know it", origin);
}

function askedBy({ address, topics }: LogFilter): (log: ParticipatingLog) => boolean {
  const addresses = address && new Set(address);
  const wanted = topics.map((values) => values && new Set(values));
  return (log) =>
    (!addresses || addresses.has(log.address)) &&
    wanted.every((values, position) => !values || values.has(log.topics[position] ?? ""));
}

const isHex = (value: unknown, bytes: number): value is string =>
  typeof value === "string" && value.length === 2 + 2 * bytes && /^0x[0-9a-f]*$/i.test(value);

/** @returns undefined for what is no log of a block, or one that has left the chain */
function logIn(value: unknown): FoundLog | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { address, topics, blockHash, transactionHash, removed, ...numbers } = value as Record<string, unknown>;
  const [blockNumber, logIndex] = [quantityIn(numbers.blockNumber), quantityIn(numbers.logIndex)];
  if (!isHex(address, 20) || !isHex(blockHash, 32) || !isHex(transactionHash, 32) || removed === true) return undefined;
  if (blockNumber === undefined || logIndex === undefined || !Array.isArray(topics) || topics.length > 4)
    return undefined;
  if (!topics.every((topic): topic is string => isHex(topic, 32))) return undefined;
  return {
    address: address.toLowerCase(),
    topics: topics.map((topic) => topic.toLowerCase()),
    blockNumber: Number(blockNumber),
    blockHash: blockHash.toLowerCase() as Hex,
    transactionHash: transactionHash.toLowerCase(),
    logIndex,
  };
}

/** @throws NoLogsError if there are two blocks of one number */
function blocksOf({ origin }: Node, logs: readonly FoundLog[]): HitBlock[] {
  const byNumber = new Map<number, { hash: Hex; logs: Map<string, FoundLog> }>();
  for (const log of logs) {
    const block = byNumber.get(log.blockNumber) ?? { hash: log.blockHash, logs: new Map() };
    if (block.hash !== log.blockHash)
      throw new NoLogsError(
        `returned logs of two blocks ${log.blockNumber}: ${block.hash} and ${log.blockHash}`,
        origin,
      );
    byNumber.set(log.blockNumber, block);
    // Several filters find a log that several addresses take part in.
    block.logs.set(`${log.transactionHash} ${log.logIndex}`, log);
  }
  return [...byNumber]
    .map(([number, { hash, logs }]) => ({ number, hash, digest: digestOf([...logs.values()]) }))
    .sort((a, b) => a.number - b.number);
}

/** Their places within the block are left out: chains count them differently. */
function digestOf(logs: readonly (ParticipatingLog & { transactionHash: string })[]): string {
  const texts = logs.map(({ transactionHash, address, topics }) => [transactionHash, address, ...topics].join(" "));
  return createHash("sha256").update(texts.sort().join("\n")).digest("hex");
}

/** @returns the digest of a block's own logs, to compare with that of a hit @param bundle accepted */
export function digestIn({ receipts }: BlockBundle, canMatch: (log: ParticipatingLog) => boolean): string {
  const logs = receipts.flatMap((receipt) =>
    (hasFailed(receipt) ? [] : receipt.logs).map(({ address, topics }) => ({
      transactionHash: receipt.transactionHash.toLowerCase(),
      address: address.toLowerCase(),
      topics: topics.map((topic) => topic.toLowerCase()),
    })),
  );
  return digestOf(logs.filter(canMatch));
}

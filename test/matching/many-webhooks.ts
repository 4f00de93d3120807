/** Many different webhooks for one block, made by seed of what the block has, so that they match it now and then. */
import { parseAbi, toEventSelector } from "viem";
import { expect } from "vitest";
import { readBlock } from "../../server/chain/read/block.ts";
import type { WebhookOptions } from "../../server/matching/new-webhook.ts";
import type { BlockBundle, WireLog } from "../../server/matching/wire.ts";
import type { Watcher } from "../../server/store/webhooks/watchers.ts";
import { seeded } from "../support/seeded.ts";
import { factsOf, type NaiveWebhook, naiveMatches, valuesOf } from "./naive.ts";

type Condition = NonNullable<WebhookOptions["conditions"]>;
type Abi = NonNullable<WebhookOptions["abi"]>;

const zero = `0x${"0".repeat(40)}`;
const abis = [
  ["event Transfer(address indexed from, address indexed to, uint256 amount)"],
  [
    "event Transfer(address indexed from, address indexed to, uint256 indexed amount)",
    "event Transfer(address indexed source, address indexed target, uint256 amount)",
  ],
  [
    "event Approval(address indexed owner, address indexed to, uint256 amount)",
    "event Transfer(address indexed from, address indexed to, uint256)",
  ],
  [
    "event Swap(address indexed from, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
    "event Sync(uint112 reserve0, uint112 reserve1)",
  ],
  ["event Deposit(address indexed to, uint256 amount)", "event Withdrawal(address indexed from, uint256 amount)"],
].map((events) => structuredClone(parseAbi(events)) as unknown as Abi);

const transactionFields = ["value", "status", "from", "to", "method"].map((name) => `transaction.${name}`);
const transferFields = ["standard", "contract", "value", "tokenId", "from", "to"].map((name) => `transfer.${name}`);
const direction = "transfer.direction";
const numeric = /(value|tokenId|amount.*|reserve.|\.2)$/;

/** @returns distinct webhooks of every kind, in random order */
export function makeWebhooks(bundle: BlockBundle, count: number, seed: number): NaiveWebhook[] {
  const below = seeded(seed);
  // The lowest bits of the numbers repeat soon.
  const oneIn = (n: number) => below(n * 1_000) < 1_000;
  const pick = <T>(list: readonly T[]): T | undefined => list[below(list.length)];
  const some = <T>(most: number, make: () => T | undefined): T[] =>
    Array.from({ length: 1 + below(most) }, make).filter((one) => one !== undefined);
  const hex = (digits: number) =>
    Array.from({ length: digits / 4 }, () => below(65_536).toString(16).padStart(4, "0")).join("");

  const indexes = [...bundle.block.transactions.keys()];
  const anyFacts = () => factsOf(bundle, pick(indexes) ?? 0);
  const anyLog = (): WireLog | undefined => pick(anyFacts().logs);
  const anySignature = () => anyLog()?.topics[0]?.toLowerCase();

  function anyAddress(): string | undefined {
    const { sender, receiver, created, activity, frames } = anyFacts();
    if (oneIn(20)) return zero;
    const called = oneIn(4) ? pick(frames)?.to?.toLowerCase() : undefined;
    return called ?? pick([sender, receiver, created, ...(pick(activity)?.parties ?? [])]) ?? sender;
  }

  function comparison(abi: Abi | undefined, mayDirect: boolean): Condition {
    const named = abi?.flatMap(({ inputs }) => inputs.map(({ name }, at) => `args.${name || at}`)) ?? [];
    const fields = [...transactionFields, ...transferFields, ...named, ...named, ...(mayDirect ? [direction] : [])];
    const field = pick(fields) ?? direction;
    if (field === direction) return { field, op: oneIn(4) ? "ne" : "eq", value: oneIn(2) ? "in" : "out" };
    const values = some(3, () => valueNear(field, abi)).slice(0, 3);
    const value = values[0] ?? standIn(field);
    const op =
      pick((["eq", "ne", "in", "gt", "gte", "lt", "lte"] as const).slice(0, numeric.test(field) ? 7 : 3)) ?? "eq";
    return { field, op, value: op === "in" ? [value, ...values] : value };
  }

  /** What something in the block has, or nearly. */
  function valueNear(field: string, abi: Abi | undefined): string | undefined {
    const index = pick(indexes) ?? 0;
    const facts = factsOf(bundle, index);
    const context = { facts, index, abi: abi ?? [], isWatched: () => false, ...pick(facts.activity) };
    const [found] = valuesOf(field, context);
    if (found === undefined || !numeric.test(field)) return found && oneIn(4) ? inUpperCase(found) : found;
    const near = BigInt(found) + BigInt(below(3) - 1);
    return near < 0n || near >= 2n ** 256n ? found : oneIn(3) ? `0x${near.toString(16)}` : near.toString();
  }

  function conditions(abi: Abi | undefined, mayDirect: boolean, depth = 3): Condition {
    if (depth === 0 || oneIn(3)) return comparison(abi, mayDirect);
    const list = () => some(3, () => conditions(abi, mayDirect, depth - 1));
    return (
      pick([
        () => ({ all: list() }),
        () => ({ any: list() }),
        () => ({ not: conditions(abi, mayDirect, depth - 1) }),
      ])?.() ?? {}
    );
  }

  function factory(): WebhookOptions["createdBy"] {
    for (let tries = 0; tries < 20; tries += 1) {
      const log = anyLog();
      if (!log?.topics[0]) continue;
      const words = log.data.slice(2).match(/.{64}/g) ?? [];
      const places = [
        ...log.topics.slice(1).map((topic, at) => ({ word: topic.slice(2), argument: `topic${at + 1}` })),
        ...words.slice(0, 5).map((word, at) => ({ word, argument: `data${at}` })),
      ].filter(({ word }) => /^0{24}/.test(word) && !/^0{56}/.test(word));
      const { argument } = pick(places) ?? {};
      if (argument)
        return { address: log.address.toLowerCase(), eventSignature: log.topics[0].toLowerCase(), argument };
    }
    return undefined;
  }

  function webhook(): NaiveWebhook {
    const abi = oneIn(4) ? pick(abis) : undefined;
    const isAny = oneIn(7);
    const createdBy = !isAny && oneIn(7) ? factory() : undefined;
    const has = isAny || !oneIn(3) ? conditions(abi, !isAny) : undefined;
    const ofAbi =
      abi?.map(({ name, inputs }) => toEventSelector(`${name}(${inputs.map(({ type }) => type).join()})`)) ?? [];
    const given = oneIn(3) ? some(3, anySignature) : [];
    const eventSignatures = [...new Set(given.length > 0 ? given : ofAbi)];
    const addresses = isAny || (createdBy && oneIn(2)) ? [] : [...new Set(some(oneIn(10) ? 60 : 3, anyAddress))];
    const options = {
      ...(abi && { abi }),
      ...(has && { conditions: has }),
      ...(isAny && { anyAddress: true }),
      ...(createdBy && { createdBy }),
    };
    const id = `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`;
    return { id, addresses, eventSignatures, includeInternalTxs: bundle.traces !== undefined && oneIn(2), options };
  }
  return Array.from({ length: count }, webhook);
}

const inUpperCase = (text: string) => (text.startsWith("0x") ? `0x${text.slice(2).toUpperCase()}` : text);

/** A value for a field that nothing in the block has. */
function standIn(field: string): string {
  if (field === "transfer.standard") return "erc721";
  if (field === "transaction.status") return "1";
  if (field === "transaction.method") return "0x12345678";
  return numeric.test(field) ? "1" : zero;
}

export const watcherOf = ({ id, eventSignatures, includeInternalTxs, options = {} }: NaiveWebhook): Watcher => ({
  ...{ id, accountId: 1, shard: 0, eventSignatures: new Set(eventSignatures), includeInternalTxs, includeLogs: false },
  ...(Object.keys(options).length > 0 && { options }),
});

/** What the recorder would notify, as `naiveMatches` says it, and each notification's event by the same text. */
export async function notificationsOf(
  bundle: BlockBundle,
  webhooks: readonly NaiveWebhook[],
): Promise<Map<string, string>> {
  const block = readBlock(bundle, "1");
  const participants = new Set(block.participants);
  const watchedBy = new Map<string, Watcher[]>();
  const beyond: { anywhere: Watcher[]; factories: (Watcher & { isActive: boolean })[] } = {
    anywhere: [],
    factories: [],
  };
  for (const webhook of webhooks) {
    const watcher = watcherOf(webhook);
    if (watcher.options?.anyAddress) beyond.anywhere.push(watcher);
    if (watcher.options?.createdBy) beyond.factories.push({ ...watcher, isActive: true });
    for (const address of webhook.addresses)
      if (participants.has(address)) watchedBy.set(address, [...(watchedBy.get(address) ?? []), watcher]);
  }
  const { events, matches } = await block.match(watchedBy, undefined, beyond);
  return new Map(
    matches.map(({ id, event: at }) => {
      const event = events[at];
      return [`${event?.transactionIndex}:${id}`, event?.body ?? ""];
    }),
  );
}

/** Small ones: what few webhooks leave behind in a block differs from what many do. */
const groups = 60;

/**
 * Makes webhooks, and holds what each is notified of beside others against what it would be alone: in groups of a few, and all together.
 *
 * @returns how many notifications there were
 */
export async function assertAsAlone(bundle: BlockBundle, count: number, seed: number): Promise<number> {
  const webhooks = makeWebhooks(bundle, count, seed);
  const alone = naiveMatches(bundle, webhooks);
  const below = seeded(seed + 1);
  for (let group = 0; group < groups; group += 1) {
    const some = new Set(Array.from({ length: 2 + below(20) }, () => webhooks[below(count)]));
    const few = [...some].filter((webhook) => webhook !== undefined);
    const ids = new Set(few.map(({ id }) => id));
    const expected = alone.filter((key) => ids.has(key.slice(key.indexOf(":") + 1)));
    expect([...(await notificationsOf(bundle, few)).keys()]).toEqual(expected);
  }
  expect([...(await notificationsOf(bundle, webhooks)).keys()]).toEqual(alone);
  return alone.length;
}

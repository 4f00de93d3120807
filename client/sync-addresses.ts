/** Makes the addresses that a webhook was given equal to a list: it finds the difference by digests, and sends that alone. */
import { addTo, combine, type Digest, hexOf, isZero, newDigest, soleAddress, wordsOf } from "./address-digest.ts";
import { Interrupted, interruption } from "./deadline.ts";
import { WebhooksError } from "./errors.ts";
import type { OperationCall, OperationResult, SyncAddressesOptions, SyncReport, WebhooksClient } from "./types.ts";

type Client = Pick<WebhooksClient, "listWebhookAddressDigests" | "changeWebhookAddresses">;
type Theirs = OperationResult<"listWebhookAddressDigests">["digests"][number];
type Body = OperationCall<"changeWebhookAddresses">["body"];

const mostPerPart = 10_000;
/** What `prefix` may have: so many, and so many characters. */
const mostPrefixes = 16;
const mostCharacters = 512;
/** So many addresses are listed instead of their digests. */
const mostListed = 256;
const mostConcurrent = 4;
/** How often the difference is looked for again where somebody else changes the webhook meanwhile. */
const mostTries = 5;

/** The `0x` and digits of a whole address. */
const addressLength = 42;

/** @throws TypeError, WebhooksError */
export async function syncAddresses(
  client: Client,
  id: string,
  addresses: Iterable<string> | AsyncIterable<string>,
  { allowEmpty = false, signal }: SyncAddressesOptions,
): Promise<SyncReport> {
  const wanted = new AddressSet();
  // A list needs no promise for each of a million.
  if (Symbol.iterator in addresses) for (const address of addresses) wanted.add(address);
  else
    for await (const address of addresses) {
      // A stream may be long, and no request would see the signal before its end.
      if (signal?.aborted)
        throw interruption("listWebhookAddressDigests", new Interrupted("aborted", signal.reason), 0);
      wanted.add(address);
    }
  if (wanted.size === 0 && !allowEmpty)
    throw new TypeError(
      "addresses must have at least one, or the option allowEmpty be true: the webhook would watch none.",
    );
  let requests = 0;
  const compare = async (prefixes: readonly string[]) => {
    requests += 1;
    const query = prefixes.length > 0 ? { prefix: prefixes.join() } : {};
    return (await client.listWebhookAddressDigests({ path: { id }, query, signal })).digests;
  };
  const send = (changeId: string, body: Body) => {
    requests += 1;
    return client.changeWebhookAddresses({ path: { id, changeId }, body, signal }).catch((error: unknown) => {
      throw withAddress(error, body);
    });
  };
  const sent: { parts: Staged | undefined } = { parts: undefined };
  for (let tries = 1; ; tries++) {
    const { added, removed, before, after } = await findDifference(wanted, compare);
    const report = { unchanged: wanted.size - added.length, addressDigest: hexOf(after) };
    if (added.length + removed.length === 0) return { ...report, added: 0, removed: 0, requests };
    const add = added.map((at) => wanted.texts[at] as string);
    const { parts } = sent;
    const change = {
      add: without(add, parts?.add),
      remove: without(removed, parts?.remove),
      addressDigest: hexOf(after),
    };
    try {
      const done = await commit(send, change, {
        ...{ known: tries === 1 ? changeOf(before, after) : undefined, changeId: parts?.changeId },
        onStaged(changeId) {
          const all = {
            add: (parts?.add ?? []).concat(change.add),
            remove: (parts?.remove ?? []).concat(change.remove),
          };
          sent.parts = { changeId, ...all };
        },
      });
      const { added: newOnes = 0, removed: gone = 0, effectiveFromBlock } = done;
      return { ...report, added: newOnes, removed: gone, ...(effectiveFromBlock && { effectiveFromBlock }), requests };
    } catch (error) {
      // Somebody else has changed the addresses, or the parts have ended.
      const isOver = error instanceof WebhooksError && (error.code === "conflict" || error.code === "not_found");
      if (!isOver || tries === mostTries) throw error;
      const kept = sent.parts && (await send(sent.parts.changeId, {}));
      // They may have ended, or the same call in another process has committed them.
      if (kept?.committed || (kept && kept.toAdd + kept.toRemove === 0)) sent.parts = undefined;
    }
  }
}

/**
 * What the service has of a change that it refused to commit. What it adds is wanted and what it removes is not, whatever others have changed. So the next
 * try adds to it only what is new. Another change would count a second time towards what an account may have uncommitted, for a day.
 */
type Staged = { changeId: string; add: readonly string[]; remove: readonly string[] };

function without(addresses: readonly string[], staged: readonly string[] | undefined): readonly string[] {
  if (!staged) return addresses;
  const sent = new Set(staged);
  return addresses.filter((address) => !sent.has(address));
}

type Send = (changeId: string, body: Body) => Promise<OperationResult<"changeWebhookAddresses">>;
type Change = { add: readonly string[]; remove: readonly string[]; addressDigest: string };

type CommitOptions = {
  /** An identifier under which an earlier call may have sent some of the parts. */
  known: string | undefined;
  /** Of a change that has parts already; by default a new one. */
  changeId: string | undefined;
  /** Called when the service has all parts. */
  onStaged: (changeId: string) => void;
};

/** Sends a change. */
async function commit(send: Send, { add, remove, addressDigest }: Change, options: CommitOptions) {
  const { known, changeId: given = crypto.randomUUID(), onStaged } = options;
  const part = (at: number) => ({ add: add.slice(at, at + mostPerPart), remove: remove.slice(at, at + mostPerPart) });
  const most = Math.max(add.length, remove.length);
  const isSmall = most <= mostPerPart;
  let changeId: string = given;
  if (!isSmall) {
    let next = 0;
    if (known !== undefined) {
      const before = await send(known, {});
      // The same difference may have been there before: its commit must not be taken for this one's.
      if (!before.committed) {
        changeId = known;
        const sent = Math.max(before.toAdd, before.toRemove);
        next = sent < most ? Math.floor(sent / mostPerPart) * mostPerPart : most;
      }
    }
    for (; next < most; next += mostPerPart) await send(changeId, part(next));
    onStaged(changeId);
  }
  for (let waited = 1; ; waited++) {
    try {
      return await send(changeId, { ...(isSmall && part(0)), commit: true, addressDigest });
    } catch (error) {
      // A million new addresses took 17 s. Repeated, a commit waits for the first, and returns its result.
      if (!(error instanceof WebhooksError) || !isStillInProgress(error) || waited === 10) throw error;
    }
  }
}

/** Whether a commit may be in progress all the same. The service itself waits ten seconds for the first of two, and then answers 503. */
const isStillInProgress = ({ code, retryAfterSeconds = 0 }: WebhooksError) =>
  code === "timeout" || (code === "service_unavailable" && retryAfterSeconds <= 30);

/** The same for the same difference, so that a call that was killed is resumed by the next one. */
function changeOf(before: Digest, after: Digest): string {
  const mixed = addTo(newDigest(), Int32Array.of(...before.slice(5), ...after.slice(5, 7)));
  const hex = hexOf(mixed.slice(4));
  return `${hex.slice(2, 10)}-${hex.slice(10, 14)}-${hex.slice(14, 18)}-${hex.slice(18, 22)}-${hex.slice(22, 34)}`;
}

/** The service names the place of an address with a wrong checksum, in a part that the caller does not know. */
function withAddress(error: unknown, { add = [] }: Body): unknown {
  const place = error instanceof WebhooksError && error.code === "bad_request" && /\badd\.(\d+) /.exec(error.message);
  if (!place) return error;
  const message = `addresses must have right checksums, and ${add[Number(place[1])]} has not.`;
  return new TypeError(message, { cause: error });
}

type Members = readonly number[];
/** A prefix under which the two sets differ in more than one address. */
type Cell = { prefix: string; members: Members; theirs: Theirs; isPlain?: boolean };

type Asked = Cell & { asked: string };

/** @param areListed whether those that are small enough get their addresses, and not digests */
function inBatches(cells: readonly Asked[], areListed: boolean): Asked[][] {
  const batches: Asked[][] = [];
  let [batch, characters, addresses]: [Asked[], number, number] = [[], 0, 0];
  for (const cell of cells) {
    const { count } = cell.theirs;
    characters += cell.asked.length + 1;
    addresses += count;
    const isFull = batch.length === mostPrefixes || characters > mostCharacters;
    if (batch.length === 0 || isFull || (areListed && count <= mostListed && addresses > mostListed)) {
      batch = [];
      batches.push(batch);
      [characters, addresses] = [cell.asked.length + 1, count];
    }
    batch.push(cell);
  }
  return batches;
}

async function findDifference(wanted: AddressSet, compare: (prefixes: readonly string[]) => Promise<Theirs[]>) {
  const added: number[] = [];
  const removed: string[] = [];
  const [before, after] = [newDigest(), newDigest()];
  let open: Cell[] = [];
  let settled = 0;

  const settle = (prefix: string, members: Members, theirs: Theirs | undefined): Digest => {
    settled += 1;
    const own = wanted.digest(members);
    const difference = combine(own.slice(), theirs ? wordsOf(theirs.digest) : newDigest());
    const more = members.length - (theirs?.count ?? 0);
    const sole = more === 1 || more === -1 ? soleAddress(difference) : undefined;
    const at = sole && wanted.find(sole);
    if (!theirs) for (const member of members) added.push(member);
    else if (sole && more === 1 && at !== undefined) added.push(at);
    else if (sole && more === -1 && at === undefined) removed.push(hexOf(sole));
    else if (more !== 0 || !isZero(difference)) open.push({ prefix, members, theirs });
    return own;
  };
  /** Compares the members with a prefix of so many digits, divided by the next ones. */
  const divide = (digits: number, members: Members, theirs: readonly Theirs[]) => {
    const longer = (theirs[0]?.prefix.length ?? 0) - 2 - digits;
    const groups = new Map<string, number[]>(theirs.map(({ prefix }) => [prefix, []]));
    for (const [key, group] of wanted.group(members, digits, longer)) groups.set(key, group);
    const byPrefix = new Map(theirs.map((each) => [each.prefix, each]));
    return [...groups].map(([prefix, group]) => settle(prefix, group, byPrefix.get(prefix)));
  };

  const all = Array.from({ length: wanted.size }, (_, at) => at);
  const first = await compare([]);
  if (first.length === 0) {
    combine(after, settle("0x", all, undefined));
  } else {
    for (const { digest } of first) combine(before, wordsOf(digest));
    for (const own of divide(0, all, first)) combine(after, own);
  }
  const look = async (cells: readonly Asked[]) => {
    const answer = await compare(cells.map(({ asked }) => asked));
    for (const { asked, ...cell } of cells) {
      const theirs = answer.filter((each) => each.prefix.startsWith(asked));
      // Otherwise it would be asked for again, for ever.
      if (theirs.some(({ prefix }) => prefix.length <= asked.length || prefix.length > addressLength))
        throw new WebhooksError(
          `listWebhookAddressDigests failed: the answer does not divide the prefix ${asked}. Was the query lost on its way?`,
          { code: "invalid_response", operation: "listWebhookAddressDigests" },
        );
      // What has the cell's prefix, and not the longer one.
      const rest = wordsOf(cell.theirs.digest);
      for (const { digest } of theirs) combine(rest, wordsOf(digest));
      const others = cell.theirs.count - theirs.reduce((sum, { count }) => sum + count, 0);
      const sole = others === 1 ? soleAddress(rest) : undefined;
      if (asked !== cell.prefix && !sole && (others !== 0 || !isZero(rest))) {
        open.push({ ...cell, isPlain: true });
        continue;
      }
      if (asked !== cell.prefix && sole) removed.push(hexOf(sole));
      if (theirs.length === 0) for (const member of cell.members) added.push(member);
      else divide(asked.length - 2, cell.members, theirs);
    }
  };
  while (open.length > 0) {
    // Where most differs, the addresses themselves are fewer than the digests on the way to them.
    const isMost = open.length > settled / 4;
    const cells = open.map((cell) => ({
      ...cell,
      // Addresses that share more digits are divided where they differ.
      asked: cell.isPlain ? cell.prefix : wanted.shared(cell.members, cell.prefix),
    }));
    [open, settled] = [[], 0];
    const batches = inBatches(cells, isMost);
    for (let at = 0; at < batches.length; at += mostConcurrent)
      await Promise.all(batches.slice(at, at + mostConcurrent).map(look));
  }
  // In one order, since parts that are sent again must be the same ones.
  added.sort(wanted.compare);
  return { added, removed: removed.sort(), before, after };
}

const digitsOf = new Int8Array(128).fill(-1);
for (const digits of ["0123456789abcdef", "0123456789ABCDEF"])
  for (let value = 0; value < 16; value++) digitsOf[digits.charCodeAt(value)] = value;

/** A set of addresses in 24 bytes each, and their texts as they were given. A Set of a million texts takes 0.8 s, and this 0.15 s. */
class AddressSet {
  size = 0;
  /** With their letter case, since that may be a checksum. */
  readonly texts: string[] = [];
  #words = new Int32Array(5 * 1_024);
  /** One more than the place of the address, by its hash; at most half of it is in use. */
  #places = new Int32Array(2 * 1_024);

  /** @throws TypeError that names what is no address */
  add(text: string): void {
    if (5 * this.size === this.#words.length) this.#grow();
    const words = this.#words;
    const start = 5 * this.size;
    let isWrong = typeof text !== "string" || text.length !== 42 || !text.startsWith("0x");
    for (let word = 0; word < 5 && !isWrong; word++) {
      let value = 0;
      for (let at = 2 + 8 * word; at < 10 + 8 * word; at++) {
        const digit = digitsOf[text.charCodeAt(at)] ?? -1;
        if (digit < 0) isWrong = true;
        value = (value << 4) | digit;
      }
      words[start + word] = value;
    }
    if (isWrong) throw new TypeError(`addresses must be 0x and 40 hex digits, and ${JSON.stringify(text)} is not.`);
    const slot = this.#slot(words, start);
    if (this.#places[slot] !== 0) return;
    this.texts.push(text);
    this.size += 1;
    this.#places[slot] = this.size;
  }

  /** @returns its place, if it is in the set */
  find(address: Int32Array): number | undefined {
    const place = this.#places[this.#slot(address, 0)] as number;
    return place === 0 ? undefined : place - 1;
  }

  /** In lower case. */
  text = (at: number): string => hexOf(this.#words.subarray(5 * at, 5 * at + 5));

  /** The order of the texts. Comparing these instead takes 150 times as long: minutes for the first sync of a million. */
  compare = (a: number, b: number): number => {
    const words = this.#words;
    for (let at = 0; at < 5; at++) {
      const difference = ((words[5 * a + at] as number) >>> 0) - ((words[5 * b + at] as number) >>> 0);
      if (difference !== 0) return difference;
    }
    return 0;
  };

  digest(members: Members): Digest {
    const digest = newDigest();
    for (const at of members) addTo(digest, this.#words.subarray(5 * at, 5 * at + 5));
    return digest;
  }

  /** Groups members that share so many digits by these and the next ones. */
  group(members: Members, digits: number, longer: number): Map<string, number[]> {
    const byKey = new Map<number | string, number[]>();
    for (const at of members) {
      // Two digits of one word make a number; the whole address makes a text.
      const key =
        longer > 2 ? this.text(at) : this.#digit(at, digits) * 16 + (longer > 1 ? this.#digit(at, digits + 1) : 0);
      const group = byKey.get(key);
      if (group) group.push(at);
      else byKey.set(key, [at]);
    }
    return new Map(
      [...byKey.values()].map((group) => [this.text(group[0] as number).slice(0, 2 + digits + longer), group]),
    );
  }

  /** The longest prefix that all members share, which has this one; not a whole address. */
  shared(members: Members, prefix: string): string {
    const [first] = members;
    if (first === undefined) return prefix;
    let digits = 39;
    for (const at of members) {
      let same = prefix.length - 2;
      while (same < digits && this.#digit(at, same) === this.#digit(first, same)) same++;
      digits = same;
    }
    return this.text(first).slice(0, 2 + digits);
  }

  #digit(at: number, digit: number): number {
    return ((this.#words[5 * at + (digit >> 3)] as number) >>> (28 - 4 * (digit & 7))) & 15;
  }

  /** Where the address is among the places, or where it would be. */
  #slot(words: Int32Array, start: number): number {
    let hash = 0;
    for (let at = start; at < start + 5; at++)
      hash = Math.imul(hash ^ (words[at] as number), 0x9e3779b1) ^ (hash >>> 15);
    const mask = this.#places.length - 1;
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const place = this.#places[slot] as number;
      if (place === 0) return slot;
      let at = 0;
      while (at < 5 && this.#words[5 * (place - 1) + at] === words[start + at]) at++;
      if (at === 5) return slot;
    }
  }

  #grow(): void {
    const words = new Int32Array(2 * this.#words.length);
    words.set(this.#words);
    this.#words = words;
    this.#places = new Int32Array(2 * this.#places.length);
    for (let at = 0; at < this.size; at++) this.#places[this.#slot(words, 5 * at)] = at + 1;
  }
}

/**
 * What the home page shows: recorded blocks join a chain, the service's own code matches them with a webhook and builds what it sends, and the
 * package's own receiver takes that. It runs in the reader's browser, and once when the site is built, for the picture before that.
 */
import { kindOf, type Transfer, transfersOf } from "../../../../client/receiver/by-kind.ts";
import { createFetchReceiver } from "../../../../client/receiver/fetch.ts";
import { signNotification } from "../../../../client/receiver/signature.ts";
import type { AddressActivityNotification } from "../../../../client/receiver/verify.ts";
import { notificationHeader } from "../../../../generated/notification-header.ts";
import { knownTokens } from "../../../../scripts/command/mock/chain/known-tokens.ts";
import type { HeaderValues } from "../../../../server/delivery/send/headers.ts";
import {
  buildEvent,
  eventText,
  notificationText,
  retractionText,
  variantOf,
} from "../../../../server/matching/event.ts";
import { messageIdOf } from "../../../../server/matching/message-id.ts";
import type { WebhookFilter } from "../../../../server/matching/new-webhook.ts";
import { participantsByTransaction } from "../../../../server/matching/participants.ts";
import { matchBlock } from "../../../../server/matching/rule.ts";
import type { BlockBundle, Hex, WireBlock, WireReceipt, WireTransaction } from "../../../../server/matching/wire.ts";

/** A recorded block with some of its transactions. */
export type Extract = {
  block: Omit<WireBlock, "transactions">;
  /** How many transactions the block has. */
  count: number;
  /** Some of them, each with its position in the block, from 0. */
  taken: readonly { index: number; transaction: WireTransaction; receipt: WireReceipt }[];
};

/** A block as it is shown. */
export type ShownBlock = {
  number: number;
  hash: string;
  count: number;
  transactions: readonly { hash: string; isMatch: boolean }[];
  /** The hash of the block in whose place it came. */
  replaced?: string;
};

/** A request as the receiver took it. */
export type Post = {
  sequence: number;
  messageId: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** What the receiver answered: 204 if it verified. */
  status: number;
  blockNumber: string;
  /** What happened, in a few words. */
  what: string;
  /** Of a retraction, the sequence that it takes back. */
  takesBack?: number;
  /** Whether a later one took it back. */
  isTakenBack: boolean;
};

/** All that is shown at a moment. */
export type Frame = {
  /** The newest last. */
  blocks: readonly ShownBlock[];
  /** The newest first. */
  posts: readonly Post[];
  /** What can be watched; lit are those by which the newest block matched. */
  watch: readonly { address: string; name: string; isWatched: boolean; isLit: boolean }[];
  /** Where the webhook's notifications go. Nothing is sent there. */
  endpoint: string;
  secret: string;
  /** Whether a block is left to come. */
  hasNext: boolean;
  /** Whether a block that was notified of is shown. */
  canReorganise: boolean;
};

/** What can be watched, in lower case. */
export const offered = [
  { address: "0xdac17f958d2ee523a2206206994597c13d831ec7", name: "USDT" },
  { address: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", name: "USDC" },
  { address: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", name: "WETH" },
  { address: "0xd24400ae8bfebb18ca49be86258a3c749cf46853", name: "An account" },
] as const;

/** How many blocks and requests are shown. */
const mostBlocks = 5;
const mostPosts = 6;

const endpoint = "https://you.example/hooks";

/** What is different at each visit. */
export type StoryOptions = {
  webhookId: string;
  secret: string;
  /** In ms since the epoch. */
  now: () => number;
  toleranceSeconds?: number;
};

type Standing = { transactionHash: string; occurrence: number; eventText: string; sequence: number };

/** A block on the chain. */
type Joined = {
  recorded: Extract;
  shown: ShownBlock;
  parentHash: Hex;
  /** How many blocks were at its place before. */
  turn: number;
  /** What was notified of it, and not taken back. */
  standing: Standing[];
};

/** A chain, a webhook that watches it, and its receiver. Each action begins when the one before has ended. */
export class Story {
  readonly #recorded: readonly Extract[];
  readonly #options: StoryOptions;
  readonly #receive: (request: Request) => Promise<Response>;
  #received: AddressActivityNotification | undefined;
  readonly #watched = new Set<string>(offered.map(({ address }) => address));
  #position = 0;
  #chain: Joined[] = [];
  #posts: Post[] = [];
  readonly #lit = new Set<string>();
  #sequence = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(recorded: readonly Extract[], options: StoryOptions) {
    const { secret, toleranceSeconds } = options;
    this.#recorded = recorded;
    this.#options = options;
    this.#receive = createFetchReceiver({
      secret,
      ...(toleranceSeconds !== undefined && { toleranceSeconds }),
      onNotification: (notification) => {
        this.#received = notification;
      },
    });
  }

  frame(): Frame {
    const chain = this.#chain.slice(-mostBlocks);
    return {
      blocks: chain.map(({ shown }) => shown),
      posts: this.#posts.slice(-mostPosts).reverse(),
      watch: offered.map((one) => ({
        ...one,
        isWatched: this.#watched.has(one.address),
        isLit: this.#lit.has(one.address),
      })),
      endpoint,
      secret: this.#options.secret,
      hasNext: this.#position < this.#recorded.length,
      canReorganise: chain.some(({ standing }) => standing.length > 0),
    };
  }

  /** Watches an address, or no longer, from the next block on. */
  toggle(address: string): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#watched.delete(address)) this.#watched.add(address);
    });
  }

  /** The next recorded block joins the chain. */
  next(): Promise<void> {
    return this.#inTurn(async () => {
      const recorded = this.#recorded[this.#position];
      if (!recorded) return;
      this.#position += 1;
      this.#lit.clear();
      await this.#join({ recorded, bundle: bundleOf(recorded), turn: 0 });
    });
  }

  /** Another block comes in place of the newest one that was notified of, and others in place of those above it. */
  reorganise(): Promise<void> {
    return this.#inTurn(async () => {
      const lowest = this.#chain.findLastIndex(({ standing }) => standing.length > 0);
      if (lowest < 0) return;
      const leaving = this.#chain.splice(lowest);
      this.#lit.clear();
      for (const { shown, standing } of leaving.toReversed())
        for (const one of standing)
          await this.#notify(shown.hash, {
            ...one,
            occurrence: one.occurrence + 1,
            eventText: retractionText(one.eventText),
          });
      let parentHash = leaving[0]?.parentHash ?? "0x";
      for (const [height, { recorded, shown, turn }] of leaving.entries()) {
        const place = { parentHash, turn: turn + 1, isLowest: height === 0 };
        const bundle = await competing(recorded, shown, place);
        await this.#join({ recorded, bundle, turn: turn + 1, replaced: shown.hash });
        parentHash = bundle.block.hash;
      }
    });
  }

  #inTurn(action: () => Promise<void>): Promise<void> {
    const done = this.#last.then(action);
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #join(place: { recorded: Extract; bundle: BlockBundle; turn: number; replaced?: string }): Promise<void> {
    const { recorded, bundle, turn, replaced } = place;
    const { hash, parentHash, number } = bundle.block;
    const webhook = this.#webhook();
    const matches = matchBlock(participantsByTransaction(bundle), watching(this.#watched, webhook), bundle);
    const matched = new Set(matches.map(({ transaction }) => transaction.transactionHash));
    const shown: ShownBlock = {
      number: Number(number),
      hash,
      count: recorded.count,
      transactions: recorded.taken
        .filter(({ index }) => bundle.block.transactions[index])
        .map(({ transaction }) => ({ hash: transaction.hash, isMatch: matched.has(transaction.hash) })),
      ...(replaced !== undefined && { replaced }),
    };
    const joined: Joined = { recorded, shown, parentHash, turn, standing: [] };
    this.#chain.push(joined);
    const variant = variantOf(webhook, { chainId: "1", tokens: knownTokens });
    for (const { transaction } of matches) {
      const { transactionHash, transactionIndex, addresses } = transaction;
      const text = eventText(buildEvent(bundle, transactionIndex, variant));
      const happened = { transactionHash, occurrence: 0, eventText: text };
      const sequence = await this.#notify(hash, happened);
      joined.standing.push({ ...happened, sequence });
      for (const address of this.#watched) if (addresses.has(address)) this.#lit.add(address);
    }
  }

  #webhook(): WebhookFilter {
    return {
      id: this.#options.webhookId,
      eventSignatures: new Set(),
      includeLogs: false,
      includeInternalTxs: false,
      options: { includeTransfers: true },
    };
  }

  /** Sends a notification to the receiver. @param event.sequence of the one that it takes back, if it does @returns its own */
  async #notify(
    blockHash: string,
    event: { transactionHash: string; occurrence: number; eventText: string; sequence?: number },
  ): Promise<number> {
    const { webhookId, secret, now } = this.#options;
    const { transactionHash, occurrence, eventText: text, sequence: takesBack } = event;
    const messageId = messageIdOf({ webhookId, blockHash, transactionHash, occurrence });
    const body = notificationText({ webhookId, messageId, eventText: text });
    const timestamp = Math.floor(now() / 1000);
    const signature = await signNotification({ id: messageId, timestamp, body, secret });
    this.#sequence += 1;
    const sequence = this.#sequence;
    const values: HeaderValues = {
      id: messageId,
      timestamp: String(timestamp),
      signature,
      sequence: String(sequence),
    };
    const headers: Record<string, string> = { "content-type": "application/json" };
    for (const [key, name] of Object.entries(notificationHeader)) headers[name] = values[key as keyof HeaderValues];
    this.#received = undefined;
    const { status } = await this.#receive(new Request(endpoint, { method: "POST", headers, body }));
    const received = this.#received as AddressActivityNotification | undefined;
    if (!received) throw new Error(`The receiver answered ${status} to notification ${sequence}.`);
    const isRetraction = kindOf(received) === "retraction" && takesBack !== undefined;
    if (isRetraction)
      this.#posts = this.#posts.map((post) => (post.sequence === takesBack ? { ...post, isTakenBack: true } : post));
    this.#posts.push({
      sequence,
      messageId,
      headers,
      body,
      status,
      blockNumber: received.event.transaction.blockNumber,
      what: whatHappened(received),
      ...(isRetraction && { takesBack }),
      isTakenBack: false,
    });
    return sequence;
  }
}

/** The part of the story that has happened when somebody comes. */
export async function begin(story: Story): Promise<void> {
  for (let block = 0; block < 5; block += 1) await story.next();
  await story.reorganise();
}

/** The webhooks by address, as the service looks them up. */
function watching(addresses: Iterable<string>, webhook: WebhookFilter): Map<string, WebhookFilter[]> {
  return new Map([...addresses].map((address) => [address, [webhook]]));
}

/** The block as matching takes it. Where it has other transactions, its lists have holes, so that each is at its own position. */
export function bundleOf({ block, taken }: Extract): BlockBundle {
  const transactions: WireTransaction[] = [];
  const receipts: WireReceipt[] = [];
  for (const { index, transaction, receipt } of taken) {
    transactions[index] = transaction;
    receipts[index] = receipt;
  }
  return { block: { ...block, transactions }, receipts };
}

/**
 * A block that competes with a recorded one: the same transactions under a hash that is made here. Every other time, the lowest one lacks the
 * first transaction that was notified of, as happens on a chain.
 */
async function competing(
  recorded: Extract,
  { hash, transactions }: ShownBlock,
  { parentHash, turn, isLowest }: { parentHash: Hex; turn: number; isLowest: boolean },
): Promise<BlockBundle> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${turn} ${hash}`));
  const digits = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const lacking = isLowest && turn % 2 === 1 ? transactions.find(({ isMatch }) => isMatch)?.hash : undefined;
  return bundleOf({
    ...recorded,
    block: { ...recorded.block, parentHash, hash: `0x${digits}` },
    taken: recorded.taken.filter(({ transaction }) => transaction.hash !== lacking),
  });
}

/** @example whatHappened(notification) // "1,250.5 USDT and 2 more" */
function whatHappened(notification: AddressActivityNotification): string {
  if (notification.event.transaction.txStatus === "0") return "a call that failed";
  const transfers = transfersOf(notification);
  const amounts = transfers.flatMap((transfer) => amountOf(transfer) ?? []);
  const [first = transfers.length > 0 ? "a token" : "a call without a transfer"] = amounts;
  return transfers.length > 1 ? `${first} and ${transfers.length - 1} more` : first;
}

/** @returns undefined if the token does not say its name, or how many digits its amounts have */
function amountOf(transfer: Transfer): string | undefined {
  if (transfer.type === "NATIVE") return `${rounded(Number(transfer.value) / 1e18)} ETH`;
  if (transfer.type !== "ERC20") return undefined;
  const { symbol, valueWithDecimals } = transfer.erc20Token;
  return symbol && valueWithDecimals !== null ? `${rounded(Number(valueWithDecimals))} ${symbol}` : undefined;
}

/** With as many digits as one reads at a glance. */
function rounded(amount: number): string {
  return amount.toLocaleString("en-GB", { maximumSignificantDigits: 6 });
}

/**
 * Gives the home page its blocks when the site is built: a few transactions of each recorded block of Ethereum, and the picture that is shown
 * before, or instead of, what runs in the browser.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readRecorded } from "../../../../scripts/command/mock/chain/recorded.ts";
import { participantsByTransaction } from "../../../../server/matching/participants.ts";
import type { BlockBundle, WireReceipt, WireTransaction } from "../../../../server/matching/wire.ts";
import { begin, type Extract, type Frame, offered, Story } from "./story.ts";

const here = dirname(fileURLToPath(import.meta.url));
const folders = ["mainnet", "mainnet-traced"].map((name) => join(here, "../../../../test/data", name));

/** How many transactions are taken of a block, and how many of them at most concern somebody who can be watched. */
const perBlock = 12;
const mostMatching = 2;
/** In characters of JSON. One longer is not taken. */
const longest = 2_600;

/** Ethereum's blocks that are recorded, in ascending order, without the empty one. */
export async function recordedExtracts(): Promise<Extract[]> {
  const chains = await Promise.all(folders.map((folder) => readRecorded(folder, "1")));
  return chains
    .flatMap(({ bundles }) => bundles)
    .filter(({ block }) => block.transactions.length > 0)
    .sort((a, b) => Number(a.block.number) - Number(b.block.number))
    .map(extractOf);
}

function extractOf(bundle: BlockBundle): Extract {
  const { hash, number, parentHash, timestamp, receiptsRoot, transactions } = bundle.block;
  const watched = new Set<string>(offered.map(({ address }) => address));
  const all = participantsByTransaction(bundle).flatMap(({ transactionIndex: index, addresses }) => {
    const [transaction, receipt] = [transactions[index], bundle.receipts[index]];
    if (!transaction || !receipt) return [];
    const one = { index, transaction: usedOfTransaction(transaction), receipt: usedOfReceipt(receipt) };
    const isMatching = [...watched].some((address) => addresses.has(address));
    return [{ one, isMatching, size: JSON.stringify(one).length }];
  });
  const short = all.filter(({ size }) => size <= longest).sort((a, b) => a.size - b.size);
  const isTransfer = ({ one }: (typeof all)[number]) =>
    Number(one.receipt.logs.length > 0 || Number(one.transaction.value) > 0);
  const matching = short
    .filter(({ isMatching }) => isMatching)
    // Calls that failed, too, but not before transfers.
    .sort((a, b) => isTransfer(b) - isTransfer(a))
    .slice(0, mostMatching);
  const others = short.filter(({ isMatching }) => !isMatching).slice(0, perBlock - matching.length);
  return {
    block: { hash, number, parentHash, timestamp, receiptsRoot } as Extract["block"],
    count: transactions.length,
    taken: [...matching, ...others].map(({ one }) => one).sort((a, b) => a.index - b.index),
  };
}

/** What matching and the payload read of a transaction. Blooms and signatures would be half of the page. */
function usedOfTransaction(transaction: WireTransaction): WireTransaction {
  const { hash, from, to, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, input, nonce, value, type } = transaction;
  return {
    ...{ hash, from, to, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, input, nonce, value, type },
  } as WireTransaction;
}

function usedOfReceipt(receipt: WireReceipt): WireReceipt {
  const { transactionHash, cumulativeGasUsed, gasUsed, effectiveGasPrice, contractAddress, status, root } = receipt;
  const logs = receipt.logs.map(({ address, topics, data }) => ({ address, topics, data }));
  return {
    ...{ transactionHash, cumulativeGasUsed, gasUsed, effectiveGasPrice, contractAddress, status, root, logs },
  } as WireReceipt;
}

/** What the picture shows before the reader does anything. The same in each build: the secret is no secret, and the time is a fixed one. */
async function stillOf(extracts: readonly Extract[]): Promise<Frame> {
  const story = new Story(extracts, {
    webhookId: "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a",
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    now: () => Date.UTC(2026, 0, 1),
    toleranceSeconds: Number.POSITIVE_INFINITY,
  });
  await begin(story);
  return story.frame();
}

let made: Promise<{ extracts: Extract[]; still: Frame }> | undefined;

/** The plugin of the site's build. */
export function recordedBlocks() {
  const make = async () => {
    const extracts = await recordedExtracts();
    return { extracts, still: await stillOf(extracts) };
  };
  return {
    name: "recorded-blocks",
    enforce: "pre" as const,
    resolveId(source: string, importer: string | undefined, { ssr }: { ssr?: boolean }) {
      if (source === "virtual:recorded" || source === "virtual:still") return `\0${source}`;
      const isOfMatching = importer?.includes("/server/matching/");
      if (source === "node:crypto" && isOfMatching && !ssr) return join(here, "node-crypto.ts");
      return undefined;
    },
    async load(id: string) {
      if (id !== "\0virtual:recorded" && id !== "\0virtual:still") return undefined;
      made ??= make();
      const { extracts, still } = await made;
      const [name, value] = id.endsWith("still") ? ["still", still] : ["extracts", extracts];
      // Parsed as JSON, which is faster than as code.
      return `export const ${name} = JSON.parse(${JSON.stringify(JSON.stringify(value))});`;
    },
  };
}

/** Blocks of 300 transactions and 1,000 logs made from a recorded one: of the same form, with other addresses in each. */
import { createHash } from "node:crypto";
import { recordedBlocks } from "../../scripts/local/recorded.ts";
import type { BlockBundle, Hex, WireLog } from "../../server/matching/wire.ts";

const [transactionCount, logCount] = [300, 1_000];

/** The recorded block that is nearest, cut and filled up. */
function template(): BlockBundle {
  const { bundle } = recordedBlocks()
    .filter(({ bundle }) => bundle.block.transactions.length >= transactionCount)
    .reduce((one, other) => (logsOf(other.bundle) > logsOf(one.bundle) ? other : one));
  const transactions = bundle.block.transactions.slice(0, transactionCount);
  const receipts = structuredClone(bundle.receipts.slice(0, transactionCount));
  const logs: WireLog[] = receipts.flatMap((receipt) => receipt.logs);
  for (let missing = logCount - logs.length, at = 0; missing > 0; missing -= 1, at += 1) {
    const log = logs[at % logs.length];
    if (log) receipts[at % receipts.length]?.logs.push(structuredClone(log));
  }
  return { block: { ...bundle.block, transactions }, receipts };
}

const logsOf = ({ receipts }: BlockBundle) => receipts.reduce((count, { logs }) => count + logs.length, 0);

/** Each is the child of the one before. */
const hashOf = (number: number): Hex => `0x${createHash("sha256").update(String(number)).digest("hex")}`;

/** The block before the first. */
export const before = { number: 0, hash: hashOf(0) };

let text: string | undefined;

/** @param hits addresses that take part in it, whatever the others are */
export function syntheticBlock(number: number, hits: readonly string[]): BlockBundle {
  text ??= JSON.stringify(template());
  const others = new Map<string, string>();
  const replaced = (address: string) => {
    const known = others.get(address);
    if (known) return known;
    const other =
      hits[others.size]?.slice(2) ?? createHash("sha256").update(`${number} ${address}`).digest("hex").slice(0, 40);
    others.set(address, other);
    return other;
  };
  // Addresses by themselves, and padded to the length of a topic.
  const made = text.replace(
    /"0x(0{24})?([0-9a-f]{40})"/gi,
    (_, padding = "", address: string) => `"0x${padding}${replaced(address)}"`,
  );
  const bundle = JSON.parse(made) as BlockBundle;
  const [hash, parentHash] = [hashOf(number), hashOf(number - 1)];
  return { ...bundle, block: { ...bundle.block, number: `0x${number.toString(16)}`, hash, parentHash } };
}

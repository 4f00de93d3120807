/**
 * The transfers of every recorded block, compared with those of an independent decoder: viem's for logs, and for the native coin the
 * tree of calls, walked as a machine would.
 */
import { readdirSync } from "node:fs";
import { decodeEventLog, parseAbi, toEventSelector } from "viem";
import { expect, it } from "vitest";
import { otherChainBundle, recordedBlocks } from "../../scripts/local/recorded.ts";
import { buildEvent } from "../../server/matching/event.ts";
import type { BlockBundle, Hex, WireCallFrame, WireLog } from "../../server/matching/wire.ts";

const erc20 = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]);
const erc721 = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 indexed id)"]);
const wrapped = parseAbi([
  "event Deposit(address indexed account, uint256 value)",
  "event Withdrawal(address indexed account, uint256 value)",
]);
const single = parseAbi([
  "event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)",
]);
const batch = parseAbi([
  "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
]);
/** Of the others viem throws an error each time, which takes longer than decoding. */
const signatures = new Set<Hex>(
  [...erc20, ...erc721, ...wrapped, ...single, ...batch].map((event) => toEventSelector(event)),
);
const tooManyTopics = new Error("too many topics");
const zero: Hex = `0x${"0".repeat(40)}`;

/** Its nodes return it without a receipt of a transaction, so no service takes it: see wire-forms.test.ts. */
const refused = "cronos-131465";

/** A transfer as one line. */
type Line = string;
const line = (...parts: (string | number | bigint)[]): Line => parts.join(" ").toLowerCase();

/** Tries one standard after the other, as somebody would who has only their texts. */
function decoded(log: WireLog, index: number): Line[] {
  const { address, data } = log;
  const [signature, ...indexed] = log.topics;
  if (!signature || !signatures.has(signature)) return [];
  const topics: [Hex, ...Hex[]] = [signature, ...indexed];
  const one = (standard: string, { from, to }: { from: Hex; to: Hex }, ...more: bigint[]) => [
    line(standard, index, address, from, to, ...more),
  ];
  const decoders: (() => Line[])[] = [
    () => {
      // As viem would, whose error takes long, and of which one block has ten thousand.
      if (topics.length > 3) throw tooManyTopics;
      const { args } = decodeEventLog({ abi: erc20, data, topics });
      return one("ERC20", args, args.value);
    },
    () => {
      const { args } = decodeEventLog({ abi: erc721, data, topics });
      return one("ERC721", args, 1n, args.id);
    },
    () => {
      const { eventName, args } = decodeEventLog({ abi: wrapped, data, topics });
      const { account, value } = args;
      return one("ERC20", eventName === "Deposit" ? { from: zero, to: account } : { from: account, to: zero }, value);
    },
    () => {
      const { args } = decodeEventLog({ abi: single, data, topics });
      return one("ERC1155", args, args.value, args.id);
    },
    () => {
      const { args } = decodeEventLog({ abi: batch, data, topics });
      return args.ids.flatMap((id, at) => one("ERC1155", args, args.values[at] ?? 0n, id));
    },
  ];
  for (const decode of decoders) {
    try {
      return decode();
    } catch {
      // It is not this one.
    }
  }
  return [];
}

/** Value moves when a frame begins, and everything since then is undone when it fails. */
function moved(top: WireCallFrame): Line[] {
  const lines: Line[] = [];
  const enter = ({ type, from, to, value, error, calls }: WireCallFrame): void => {
    const before = lines.length;
    const isMoving = !["DELEGATECALL", "CALLCODE", "STATICCALL"].includes(type) && BigInt(value ?? 0) > 0n;
    if (isMoving) lines.push(line("NATIVE", from, to ?? zero, BigInt(value ?? 0)));
    for (const call of calls ?? []) enter(call);
    if (error) lines.length = before;
  };
  enter(top);
  return lines;
}

function told(bundle: BlockBundle, chainId: string, index: number): { tokens: Line[]; native: Line[] } {
  const includeInternalTxs = bundle.traces !== undefined;
  const variant = { chainId, includeLogs: false, includeInternalTxs, includeTransfers: true };
  const { transaction } = buildEvent(bundle, index, variant);
  const { erc20Transfers = [], erc721Transfers = [], erc1155Transfers = [], nativeTransfers = [] } = transaction;
  return {
    tokens: [
      ...erc20Transfers.map((each) =>
        line(each.type, each.logIndex, each.erc20Token.address, each.from, each.to, each.value),
      ),
      ...erc721Transfers.map((each) =>
        line(each.type, each.logIndex, each.erc721Token.address, each.from, each.to, each.value, each.tokenId),
      ),
      ...erc1155Transfers.map((each) =>
        line(each.type, each.logIndex, each.erc1155Token.address, each.from, each.to, each.value, each.tokenId),
      ),
    ],
    native: nativeTransfers.map(({ type, from, to, value }) => line(type, from, to, value)),
  };
}

const others = readdirSync(new URL("../data/other-chains", import.meta.url)).flatMap((file) => {
  const name = /^(.*)\.block\.json\.gz$/.exec(file)?.[1];
  return name && name !== refused ? [{ name, chainId: "1", bundle: otherChainBundle(name) }] : [];
});
const blocks = [...recordedBlocks(), ...others].filter(({ bundle }) => bundle.receipts.length > 0);
const counts = new Map<string, number>();

it.each(blocks)("of $name", ({ bundle, chainId }) => {
  for (const [index, receipt] of bundle.receipts.entries()) {
    const { tokens, native } = told(bundle, chainId, index);
    const hasFailed = BigInt(receipt.status ?? 1) === 0n;
    const expected = hasFailed ? [] : receipt.logs.flatMap(decoded);
    expect(tokens.toSorted()).toEqual(expected.toSorted());
    const top = bundle.traces?.[index]?.result;
    const { from, to, value } = bundle.block.transactions[index] ?? {};
    const own = line("NATIVE", from ?? "", to ?? receipt.contractAddress ?? "", BigInt(value ?? 0));
    const expectedNative = top ? moved(top) : BigInt(value ?? 0) > 0n ? [own] : [];
    expect(native).toEqual(hasFailed ? [] : expectedNative);
    for (const each of [...tokens, ...native]) {
      const standard = each.slice(0, each.indexOf(" "));
      counts.set(standard, (counts.get(standard) ?? 0) + 1);
    }
  }
});

it("are many, of every standard", () => {
  expect(Object.fromEntries(counts)).toEqual({ erc20: 1500, erc721: 10105, erc1155: 9, native: 669 });
});

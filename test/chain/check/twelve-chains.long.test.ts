/** The chains that people use follow with nothing but their identifier and nodes, and what a node changes in their blocks is refused. */
import { describe, expect, test } from "vitest";
import { acceptBundle, type BlockRefusedError } from "../../../server/chain/check/accept.ts";
import type {
  BlockBundle,
  Hex,
  WireBlock,
  WireCallFrame,
  WireReceipt,
  WireTransaction,
} from "../../../server/matching/wire.ts";
import { type CheckName, checkNames, checksOf, profileOf, rulesOf } from "../../../server/settings/chain-profiles.ts";
import { parseChains } from "../../../server/settings/chains.ts";
import { type ChainShape, chainShapes, zkSync } from "../../support/chain-shapes.ts";
import { otherAddress, otherHash } from "./spoil.ts";

const rpcUrl = "https://node.example";

/** The chain as it is configured with nothing else. */
function configured(chainId: string) {
  const [chain] = parseChains(JSON.stringify([{ chainId, rpcUrls: [rpcUrl] }]), "CHAINS");
  if (!chain) throw new Error("there is no chain");
  return chain;
}

/** @returns what the block is accepted without @throws BlockRefusedError */
function accepted(chainId: string, bundle: BlockBundle): string[] {
  const { skipped } = acceptBundle(bundle, rulesOf(configured(chainId)), rpcUrl);
  return skipped.map(({ check, reason }) => `${check}: ${reason}`);
}

/** What a chain's block is accepted without. */
const skippedOf: Record<string, string[]> = {
  "Polygon PoS": ["traces: state-sync transactions without a trace are taken to call nothing"],
  "zkSync Era": ["transactionsRoot: transactions of type 0xff are not known"],
};

test.each(chainShapes)("a block of $name passes, with traces and without", ({ name, chainId, bundle }) => {
  expect(accepted(chainId, bundle)).toEqual(skippedOf[name] ?? []);
  const { traces, ...without } = bundle;
  expect(traces?.length).toBeGreaterThan(0);
  expect(accepted(chainId, without)).toEqual((skippedOf[name] ?? []).filter((line) => !line.startsWith("traces")));
});

test("each of them has a profile, and a finality", () => {
  expect(chainShapes.map(({ chainId }) => profileOf(chainId).name)).not.toContain("unknown");
  expect(chainShapes).toHaveLength(12);
  for (const { chainId } of chainShapes) expect(configured(chainId).finality).toBe(profileOf(chainId).finality);
});

test("a block of zkSync Era passes from a node that returns no bloom", async () => {
  const bare = await zkSync(324, `0x${"00".repeat(256)}`);
  expect(accepted("324", bare)).toContain("bloom: headers come without a bloom");
});

/** One field that a node changes, and the checks that see it where they are on. */
type Change = [what: string, seenBy: CheckName[], change: (bundle: BlockBundle, index: number) => unknown];

const tx = ({ block }: BlockBundle, index: number): Partial<WireTransaction> => block.transactions[index] ?? {};
const receipt = ({ receipts }: BlockBundle, index: number) => receipts[index] as WireReceipt;
const frame = ({ traces }: BlockBundle, index: number) => traces?.[index]?.result as WireCallFrame;
const header = (field: keyof WireBlock, value: Hex, seenBy: CheckName[] = ["headerHash"]): Change => [
  `the header's ${field}`,
  seenBy,
  ({ block }) => Object.assign(block, { [field]: value }),
];
const plusOne = (hex: Hex): Hex => `0x${(BigInt(hex) + 1n).toString(16)}`;

const changes: Change[] = [
  ...(["value", "nonce", "gas"] as const).map((field): Change => {
    const seenBy: CheckName[] = ["transactionsRoot"];
    return [`a transaction's ${field}`, seenBy, (b, at) => Object.assign(tx(b, at), { [field]: "0x3039" })];
  }),
  ["a transaction's input", ["transactionsRoot"], (b, at) => Object.assign(tx(b, at), { input: "0xdead" })],
  ["a transaction's receiver", ["receipts"], (b, at) => Object.assign(tx(b, at), { to: otherAddress })],
  ["a transaction's sender", ["receipts"], (b, at) => Object.assign(tx(b, at), { from: otherAddress })],
  ["a transaction's hash", ["receipts"], (b, at) => Object.assign(tx(b, at), { hash: otherHash })],
  ["a receipt's block", ["receipts"], (b, at) => Object.assign(receipt(b, at), { blockHash: otherHash })],
  ["a receipt's outcome", ["receiptsRoot"], (b, at) => Object.assign(receipt(b, at), { status: "0x0" })],
  ["a receipt's gas", ["receiptsRoot"], (b, at) => Object.assign(receipt(b, at), { gasUsed: "0x1" })],
  [
    "the gas that a receipt counts up",
    ["receiptsRoot"],
    (b, at) => Object.assign(receipt(b, at), { cumulativeGasUsed: plusOne(receipt(b, at).cumulativeGasUsed) }),
  ],
  ["a log's data", ["receiptsRoot"], (b, at) => Object.assign(receipt(b, at).logs[0] ?? {}, { data: otherHash })],
  ["a log's address", ["bloom"], (b, at) => Object.assign(receipt(b, at).logs[0] ?? {}, { address: otherAddress })],
  ["a log's topic", ["bloom"], (b, at) => receipt(b, at).logs[0]?.topics.splice(0, 1, otherHash)],
  ["a log that is missing", ["logIndex"], (b, at) => receipt(b, at).logs.shift()],
  ["all logs that are missing", ["bloom"], ({ receipts }) => receipts.map(({ logs }) => logs.splice(0))],
  ["a receipt that is missing", ["receipts"], ({ receipts }) => receipts.pop()],
  header("timestamp", "0x1"),
  header("parentHash", otherHash),
  header("stateRoot", otherHash),
  header("receiptsRoot", otherHash),
  header("transactionsRoot", otherHash),
  header("logsBloom", `0x${"11".repeat(256)}`, ["bloom"]),
  header("gasUsed", "0x1"),
  header("extraData", "0x1234"),
  ["all traces", [], ({ traces }) => traces?.splice(0)],
  ["a trace that is missing", [], ({ traces }, at) => traces?.splice(at, 1)],
  ["a trace that the node failed at", [], ({ traces }, at) => traces?.splice(at, 1, { error: "execution timeout" })],
  ["a trace of another tracer", [], ({ traces }, at) => traces?.splice(at, 1, { result: { gas: "0x1" } as never })],
  ["a trace's sender", ["traces"], (b, at) => Object.assign(frame(b, at), { from: otherAddress })],
  ["a trace's receiver", ["traces"], (b, at) => Object.assign(frame(b, at), { to: otherAddress })],
  ["a trace's value", ["traces"], (b, at) => Object.assign(frame(b, at), { value: "0x3039" })],
  ["a trace's outcome", ["traces"], (b, at) => Object.assign(frame(b, at), { error: "execution reverted" })],
  ["a trace's gas", ["traceGas"], (b, at) => Object.assign(frame(b, at), { gasUsed: "0xffffffff" })],
];
/** What no check can be without. */
const always = [
  "all traces",
  "a trace that is missing",
  "a trace that the node failed at",
  "a trace of another tracer",
];
/** A block's hash is no header's there, and roots are zero. */
const notInZkSyncHash = ["stateRoot", "receiptsRoot", "transactionsRoot", "gasUsed", "extraData"];

function isSeen({ chainId }: ChainShape, [what, seenBy]: Change): boolean {
  if (always.includes(what)) return true;
  const { kind } = profileOf(chainId);
  if (kind === "zksync" && notInZkSyncHash.some((field) => what === `the header's ${field}`)) return false;
  const checks = checksOf({ chainId });
  return seenBy.some((check) => checks[check] === "on");
}

describe.each(chainShapes)("of a block of $name", (shape) => {
  const { chainId, bundle } = shape;
  // A user's transaction, whose logs are notified.
  const index = bundle.receipts.findIndex(
    ({ logs, status }, at) => logs.length > 1 && status === "0x1" && Number(tx(bundle, at).type ?? 0) <= 2,
  );

  test.each(changes)("%s is not changed unseen", (...change) => {
    const changed = structuredClone(bundle);
    change[2](changed, index);
    if (!isSeen(shape, change)) return expect(() => accepted(chainId, changed)).not.toThrow();
    let refused: BlockRefusedError | undefined;
    try {
      accepted(chainId, changed);
    } catch (error) {
      refused = error as BlockRefusedError;
    }
    expect(refused?.name).toBe("BlockRefusedError");
    const failed = refused?.failed.map(({ check }) => check) ?? [];
    const expected = always.includes(change[0]) ? (["traces"] as const) : change[1];
    expect(expected.some((check) => failed.includes(check))).toBe(true);
    expect(checkNames).toEqual(expect.arrayContaining(failed));
  });
});

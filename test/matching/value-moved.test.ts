/** The value of internal transactions is the value that moved, counted in two other ways. */
import { expect, it } from "vitest";
import { recordedBalances, recordedBlocks, recordedBundle } from "../../scripts/local/recorded.ts";
import { buildEvent } from "../../server/matching/event.ts";
import type { BlockBundle, WireCallFrame } from "../../server/matching/wire.ts";
import { type Gains, gain, gainsReported, move } from "../support/value-moved.ts";

const variant = { chainId: "1", includeLogs: false, includeInternalTxs: true };
const nobody = "0x00000000000000000000000000000000000000ff";
const notified = (bundle: BlockBundle, index: number, feesTo: string) =>
  gainsReported(buildEvent(bundle, index, variant), feesTo);
const nonZero = (gains: Gains) => Object.fromEntries([...gains].filter(([, wei]) => wei !== 0n).sort());

/**
 * Walks frames as a machine would: value moves when a frame begins, and everything since then is undone when it fails. What
 * runs on its caller's account moves nothing.
 */
function walked(top: WireCallFrame): Gains {
  let gains: Gains = new Map();
  const enter = (frame: WireCallFrame): void => {
    const before = new Map(gains);
    const onItsOwn = !["DELEGATECALL", "CALLCODE", "STATICCALL"].includes(frame.type);
    if (onItsOwn && frame.to) move(gains, frame.from, frame.to, BigInt(frame.value ?? 0));
    for (const call of frame.calls ?? []) enter(call);
    if (frame.error) gains = before;
  };
  enter(top);
  return gains;
}

it.each(recordedBlocks().filter(({ bundle }) => bundle.traces))(
  "in $name as a machine would count it",
  ({ bundle }) => {
    for (const [index, { gasUsed, effectiveGasPrice, from }] of bundle.receipts.entries()) {
      const top = bundle.traces?.[index]?.result;
      if (!top) throw new Error("there is no trace");
      const expected = walked(top);
      move(expected, from ?? nobody, nobody, BigInt(gasUsed) * BigInt(effectiveGasPrice ?? 0));
      expect(nonZero(notified(bundle, index, nobody))).toEqual(nonZero(expected));
    }
  },
);

it("in the traced mainnet blocks is more than transactions alone move", () => {
  const moving = recordedBlocks().flatMap(({ name, bundle }) =>
    name.startsWith("mainnet-traced") ? (bundle.traces ?? []).map(({ result }) => result) : [],
  );
  const frames = moving.flatMap((top) => (top ? [...walked(top)] : [])).length;
  expect(frames).toBeGreaterThan(500);
});

const noAtomicTransactions = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";
const evmOnly = Array.from({ length: 21 }, (_, index) => `avalanche/${index + 1}`).filter(
  (name) => recordedBundle(name).block.extDataHash === noAtomicTransactions,
);

it.each(evmOnly)("in %s by the accounts' balances before and after", (name) => {
  const bundle = recordedBundle(name);
  const number = Number(bundle.block.number);
  const gains: Gains = new Map();
  for (const index of bundle.receipts.keys())
    for (const [address, wei] of notified(bundle, index, bundle.block.miner ?? nobody)) gain(gains, address, wei);
  for (const [address, balances] of recordedBalances()) {
    const change = (balances.get(number) ?? 0n) - (balances.get(number - 1) ?? 0n);
    expect([address, gains.get(address) ?? 0n]).toEqual([address, change]);
  }
});

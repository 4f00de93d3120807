/** Whose trace may be missing, or say something else than its transaction: a chain's own transactions, and no others. */
import { describe, expect, test } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import { acceptBundle } from "../../../server/chain/check/accept.ts";
import { internalTransactions } from "../../../server/matching/bundle.ts";
import type { BlockBundle, Hex, WireTrace } from "../../../server/matching/wire.ts";
import { profileOf } from "../../../server/settings/chain-profiles.ts";
import { chainShapes } from "../../support/chain-shapes.ts";
import { origin, otherAddress } from "./spoil.ts";

const shape = (of: string): { chainId: string; bundle: BlockBundle } => {
  const found = chainShapes.find(({ name }) => name === of);
  if (!found) throw new Error(`there is no ${of}`);
  return structuredClone(found);
};

/** @returns the block as it is accepted @throws BlockRefusedError */
function accepted(chainId: string, fetched: BlockBundle, traces = profileOf(chainId).checks.traces): BlockBundle {
  const profile = profileOf(chainId);
  const rules = { ...profile, checks: { ...profile.checks, traces } };
  return acceptBundle(fetched, rules, origin).bundle;
}

describe("Polygon's state-sync transaction", () => {
  const { chainId, bundle } = shape("Polygon PoS");
  const last = bundle.block.transactions.length - 1;
  const txHash = bundle.block.transactions[last]?.hash as Hex;
  const traced = bundle.traces ?? [];
  const withTraces = (traces: WireTrace[]) => accepted(chainId, { ...bundle, traces });

  test.each<[string, WireTrace[]]>([
    ["is not traced", traced],
    ["has an error for a trace", [...traced, { txHash, error: "transaction not found" }]],
  ])("%s, and calls nothing; the others' calls are there", (_, traces) => {
    const block = withTraces(traces);
    expect(internalTransactions(block, last)).toEqual([]);
    for (let index = 0; index < last; index += 1) expect(internalTransactions(block, index)).toHaveLength(1);
  });

  test("may be traced, as what it is, and its calls are there", () => {
    const call = { type: "CALL", from: otherAddress, to: otherAddress, value: "0x7" } as const;
    const result = { type: "CALL", from: otherAddress, to: otherAddress, calls: [call] } as const;
    const block = withTraces([...traced, { txHash, result: { ...result, calls: [call] } }]);
    expect(internalTransactions(block, last)).toMatchObject([{ value: "7" }]);
  });

  test.each<[string, WireTrace[]]>([
    ["an empty list", []],
    ["a list without the last", traced.slice(0, -1)],
    ["a list without the first", traced.slice(1)],
    ["its own trace and not all of the others'", [...traced.slice(1), { txHash, error: "transaction not found" }]],
    [
      "an error in place of another's trace",
      [{ ...traced[0], result: null, error: "execution timeout" }, ...traced.slice(1)],
    ],
    ["no names, and one too few", traced.map(({ result }) => ({ result: result ?? null }))],
    ["a trace twice", [traced[0] ?? {}, traced[0] ?? {}, ...traced.slice(1)]],
    ["traces in another order", traced.toReversed()],
  ])("excuses no other: %s", (_, traces) => {
    expect(() => withTraces(traces)).toThrow("(check traces)");
  });

  test.each(["1", "10", "5"])("is excused on no other chain than Polygon: %s", (other) => {
    expect(() => accepted(other, bundle)).toThrow("(check traces)");
  });
});

test.each(["on", "off"] as const)("no configuration makes a missing trace one without calls: traces %s", (traces) => {
  const bundle = structuredClone(recordedBundle("mainnet-traced/12244000"));
  expect(() => accepted("1", { ...bundle, traces: [] }, traces)).toThrow("(check traces)");
  expect(() => accepted("1", { ...bundle, traces: bundle.traces?.slice(1) ?? [] }, traces)).toThrow("(check traces)");
  expect(() => accepted("1", bundle, traces)).not.toThrow();
});

test("where traces are not compared, they may come in another order", () => {
  const bundle = structuredClone(recordedBundle("mainnet-traced/12244000"));
  const reversed = { ...bundle, traces: bundle.traces?.toReversed() ?? [] };
  expect(accepted("1", reversed, "off").traces).toEqual(bundle.traces);
});

describe("A system transaction that failed", () => {
  test.each(["OP Mainnet", "Base", "Arbitrum One", "Celo"])("on %s calls nothing, whatever its trace says", (name) => {
    const { chainId, bundle } = shape(name);
    const block = accepted(chainId, bundle);
    const failed = block.receipts.flatMap(({ status }, index) => (status === "0x0" ? [index] : []));
    expect(failed.length).toBeGreaterThan(0);
    for (const index of failed) expect(internalTransactions(block, index)).toEqual([]);
    const users = block.block.transactions.length - 1;
    expect(internalTransactions(block, users)).toHaveLength(1);
  });

  test("must have an entry in the list", () => {
    const { chainId, bundle } = shape("OP Mainnet");
    bundle.traces?.splice(1, 1);
    expect(() => accepted(chainId, bundle)).toThrow("(check traces)");
  });

  test.each<[string, WireTrace["result"] | null]>([
    ["STOP from nobody", { type: "STOP", from: `0x${"00".repeat(20)}` }],
    ["an error", null],
  ])("is no excuse for one that succeeded: %s", (_, result) => {
    const { chainId, bundle } = shape("OP Mainnet");
    bundle.traces?.splice(0, 1, result ? { result } : { error: "insufficient funds" });
    expect(() => accepted(chainId, bundle)).toThrow("(check traces)");
  });

  test("is no excuse for a user's", () => {
    const { chainId, bundle } = shape("OP Mainnet");
    const [user] = [bundle.block.transactions.length - 1];
    Object.assign(bundle.receipts[user] ?? {}, { status: "0x0" });
    expect(() => accepted(chainId, bundle)).toThrow("succeeded where its receipt failed (check traces)");
  });
});

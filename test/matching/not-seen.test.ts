/** What the contract says is not seen, and what it says reads as an address without being one. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { participantsByTransaction } from "../../server/matching/participants.ts";
import type { BlockBundle, Hex } from "../../server/matching/wire.ts";
import { documentNames } from "../support/document.ts";
import { addressOf, frame, hashOf, type MadeTransaction, madeBundle, padded, receiver, sender } from "./made-bundle.ts";

const watched = addressOf(1);
const topic = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`;

/** Everybody who takes part in the block's one transaction, in whatever way. */
function seen(bundle: BlockBundle): Set<string> {
  const [{ addresses, internalAddresses } = { addresses: [], internalAddresses: [] }] =
    participantsByTransaction(bundle);
  return new Set([...addresses, ...internalAddresses]);
}
const seenIn = (made: MadeTransaction) => seen(madeBundle(made));
const inTrace = (call: ReturnType<typeof frame>) => seenIn({ trace: frame(sender, receiver, { calls: [call] }) });

test("native coin that a contract sends on is seen in a trace only, and so is a contract that another one creates", () => {
  expect(seenIn({ fields: { value: "0x1" } })).toEqual(new Set([sender, receiver]));
  expect(inTrace(frame(receiver, watched))).toContain(watched);
  expect(inTrace(frame(receiver, watched, { type: "CREATE2" }))).toContain(watched);
  expect(inTrace(frame(receiver, watched, { type: "SELFDESTRUCT" }))).toContain(watched);
  expect(seenIn({ logs: [{ address: watched, topics: [] }] })).toContain(watched);
});

test("withdrawals, fee recipients and atomic transactions are not seen, not even in a block without transactions", () => {
  const withdrawals = [{ index: "0x1", validatorIndex: "0x2", address: watched, amount: "0x3" }];
  const bundle = madeBundle({});
  const block = { ...bundle.block, miner: watched, withdrawals, blockExtraData: padded(watched) };
  expect(seen({ ...bundle, block })).toEqual(new Set([sender, receiver]));
  expect(participantsByTransaction({ ...bundle, block: { ...block, transactions: [] }, receipts: [] })).toEqual([]);
});

test("neither is who signs a delegation, nor the code that it names; the transaction's own parties are", () => {
  const authorizationList = [
    { chainId: "0x1", address: watched, nonce: "0x0", yParity: "0x0", r: "0x1", s: "0x2" },
  ] as const;
  expect(seenIn({ fields: { type: "0x4", authorizationList: [...authorizationList] } })).toEqual(
    new Set([sender, receiver]),
  );
});

test("neither are addresses in data that is not indexed, nor in an access list", () => {
  const log = { address: addressOf(2), topics: [hashOf(1)], data: padded(watched) };
  const fields = { input: padded(watched), accessList: [{ address: watched, storageKeys: [] }] };
  expect(seenIn({ logs: [log], fields })).toEqual(new Set([sender, receiver, addressOf(2)]));
});

test("any topic below 2^160 reads as an address, and no other, nor the first", () => {
  const indexed = (value: bigint) => seenIn({ logs: [{ address: receiver, topics: [hashOf(1), topic(value)] }] });
  const added = (value: bigint) => [...indexed(value)].filter((address) => address !== sender && address !== receiver);
  expect(added(5n)).toEqual(["0x0000000000000000000000000000000000000005"]);
  expect(added(0n)).toEqual([`0x${"0".repeat(40)}`]);
  expect(added((1n << 160n) - 1n)).toEqual([`0x${"f".repeat(40)}`]);
  expect(added(1n << 160n)).toEqual([]);
  expect(seenIn({ logs: [{ address: receiver, topics: [topic(5n)] }] })).toEqual(new Set([sender, receiver]));
});

test("it is said in one guide, to which the README leads", () => {
  const text = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
  expect(text("docs/notified.md").match(/below 2\^160|EIP-4895|EIP-7702/g)).toHaveLength(3);
  for (const guide of documentNames.filter((name) => name !== "docs/notified.md"))
    expect(text(guide)).not.toContain("EIP-4895");
  expect(text("README.md")).toContain("docs/notified.md");
});

/** Narrower types by kind of notification, and numbers as `bigint`: for every example that the contract has. */
import { expect, expectTypeOf, test } from "vitest";
import {
  type AddressActivityNotification,
  isDecoded,
  isFinalized,
  isRetraction,
  isTransfer,
  kindOf,
  transfersOf,
  withBigInts,
} from "../../../client/receiver/index.ts";
import { loadContract } from "../../../server/contract/contract.ts";

type Components = { examples: Record<string, { value: unknown }>; schemas: { Decimal: { pattern: string } } };
const { components } = (await loadContract()) as unknown as { components: Components };
const examples = Object.entries(components.examples)
  .filter(([name]) => name.startsWith("notification."))
  .map(([name, { value }]) => [name.slice("notification.".length), value as AddressActivityNotification] as const);
const named = (wanted: string) => examples.find(([name]) => name === wanted)?.[1] as AddressActivityNotification;

test("each example is of one kind, and the guards say which", () => {
  const kinds = Object.fromEntries(examples.map(([name, value]) => [name, kindOf(value)]));
  expect(kinds).toMatchObject({ "native-transfer": "activity", retraction: "retraction", finalized: "finalized" });
  for (const [name, value] of examples) {
    expect([isRetraction(value), isFinalized(value)], name).toEqual([
      kinds[name] === "retraction",
      kinds[name] === "finalized",
    ]);
  }
  const both = named("finalized");
  expect(kindOf({ ...both, event: { ...both.event, removed: true } })).toBe("retraction");
});

test("a transfer's lists are all there, and its type tells them apart", () => {
  expect(examples.filter(([, value]) => isTransfer(value)).map(([name]) => name)).toContain("token-transfers");
  const notification = named("token-transfers");
  if (!isTransfer(notification)) throw new Error("It has transfers.");
  const { erc20Transfers, nativeTransfers } = notification.event.transaction;
  expectTypeOf(erc20Transfers[0]?.erc20Token.symbol).toEqualTypeOf<string | null | undefined>();
  expect(transfersOf(notification).length).toBeGreaterThanOrEqual(erc20Transfers.length + nativeTransfers.length);
  for (const transfer of transfersOf(notification))
    if (transfer.type === "ERC721") expectTypeOf(transfer.tokenId).toEqualTypeOf<string>();
  expect(isTransfer(named("native-transfer"))).toBe(false);
  expect(named("decoded-logs").event.logs?.some(isDecoded)).toBe(true);
});

/** Every text of the contract's form `Decimal`, with its path. */
function* decimalsIn(value: unknown, path = ""): Generator<string> {
  if (typeof value === "string" && new RegExp(components.schemas.Decimal.pattern).test(value)) yield path;
  if (typeof value === "object" && value !== null)
    for (const [key, one] of Object.entries(value)) yield* decimalsIn(one, `${path}.${key}`);
}

test.each(examples)("in %s every whole number in a string becomes a bigint, and nothing else changes", (_, value) => {
  const before = JSON.stringify(value);
  const converted = withBigInts(value);
  expect(JSON.stringify(value)).toBe(before);
  expect(typeof converted.event.transaction.value).toBe("bigint");
  // What is left has digits, and is no amount.
  const left = [...decimalsIn(converted)]
    .filter((path) => !path.includes(".args."))
    .map((path) => path.split(".").at(-1) ?? "");
  const others = ["chainId", "txStatus", "valueWithDecimals", "name", "symbol"];
  expect(left.filter((name) => !others.includes(name))).toEqual([]);
  const asText = JSON.stringify(converted, (_key, one) => (typeof one === "bigint" ? String(one) : one));
  expect(JSON.parse(asText)).toEqual(value);
});

test("a number beyond 2^53 is exact, also in a part of a notification", () => {
  const wei = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
  const transaction = { ...named("native-transfer").event.transaction, value: wei };
  const { value, blockTimestamp, chainId } = withBigInts(transaction);
  expectTypeOf(value).toEqualTypeOf<bigint>();
  expectTypeOf(chainId).toEqualTypeOf<string>();
  expectTypeOf(blockTimestamp).toEqualTypeOf<number>();
  expect(value).toBe(2n ** 256n - 1n);
});

/** The filter in memory never denies an address that it was given, and seldom affirms another. */
import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createAddressFilter } from "../../server/store/webhooks/address-filter.ts";
import { runs } from "../support/runs.ts";

const hex = (address: Uint8Array) => `0x${Buffer.from(address).toString("hex")}`;
const addresses = fc.array(fc.uint8Array({ minLength: 20, maxLength: 20 }), { maxLength: 200 });

test("added addresses are affirmed in any letter case, even in an overfull filter", () => {
  fc.assert(
    fc.property(addresses, fc.integer({ min: 0, max: 300 }), (list, capacity) => {
      const filter = createAddressFilter(capacity);
      filter.add(Buffer.concat(list));
      for (const address of list) {
        expect(filter.mayHave(hex(address))).toBe(true);
        expect(filter.mayHave(`0x${hex(address).slice(2).toUpperCase()}`)).toBe(true);
      }
    }),
  );
});

const counted = (n: number) => Buffer.from(n.toString(16).padStart(40, "0"), "hex");

test.each([
  ["random addresses", () => randomBytes(20)],
  ["addresses that count up", counted],
  ["addresses that end alike", (n: number) => Buffer.concat([counted(n).subarray(4), Buffer.alloc(4)])],
])("%s: at most one other in two hundred is affirmed", (_, address) => {
  const count = runs(10_000, 50_000);
  const filter = createAddressFilter(count);
  filter.add(Buffer.concat(Array.from({ length: count }, (_, n) => address(n))));
  const affirmed = Array.from({ length: count }, (_, n) => hex(address(count + n))).filter(filter.mayHave);
  expect(affirmed.length).toBeLessThan(count / 200);
});

test("it takes two bytes for each address that it is made for", () => {
  expect(createAddressFilter(10_000_000).bytes).toBe(20_000_000);
});

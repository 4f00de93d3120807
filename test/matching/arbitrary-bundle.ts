/** Random blocks and webhooks from so few addresses and signatures that they meet all the time. */
import fc from "fast-check";
import type { BlockBundle, Hex, WireCallFrame } from "../../server/matching/wire.ts";
import { addressOf, frame, hashOf, type MadeTransaction, madeBundle, padded } from "./made-bundle.ts";
import type { NaiveWebhook } from "./naive.ts";

const addresses = [1, 2, 3, 4].map(addressOf).concat(`0x${"0".repeat(40)}`, `0x${"0".repeat(39)}5`);
const signatures = [1, 2, 3].map((n) => hashOf(n, "e"));

const inAnyCase = (hexes: readonly Hex[]): fc.Arbitrary<Hex> =>
  fc
    .tuple(fc.constantFrom(...hexes), fc.boolean())
    .map(([hex, upper]): Hex => (upper ? `0x${hex.slice(2).toUpperCase()}` : hex));

const address = inAnyCase(addresses);
const addressTopic = inAnyCase(addresses.map(padded));
const nearlyAddressTopic = inAnyCase(addresses.map((hex): Hex => `0x${"0".repeat(23)}1${hex.slice(2)}`));
const signature = inAnyCase(signatures);
const topic = fc.oneof(signature, addressTopic, nearlyAddressTopic);
const topics = fc.oneof(
  fc.constant<Hex[]>([]),
  fc.tuple(signature, fc.array(topic, { maxLength: 3 })).map(([first, rest]) => [first, ...rest]),
);

const callFrame: fc.Memo<WireCallFrame> = fc.memo((depth) =>
  fc
    .record({
      from: address,
      to: fc.option(address, { nil: null, freq: 5 }),
      error: fc.option(fc.constant("execution reverted"), { nil: undefined, freq: 1 }),
      calls: depth > 1 ? fc.array(callFrame(depth - 1), { maxLength: 3 }) : fc.constant<WireCallFrame[]>([]),
    })
    .map(({ from, to, error, calls }) => ({ ...frame(from, from), to, calls, ...(error && { error }) })),
);

const transaction: fc.Arbitrary<MadeTransaction> = fc.record(
  {
    from: address,
    to: fc.option(address, { nil: null }),
    contractAddress: fc.option(address, { nil: null }),
    status: fc.constantFrom<(Hex | null)[]>("0x1", "0x1", "0x0", null),
    logs: fc.array(fc.record({ address, topics }), { maxLength: 4 }),
    trace: callFrame(4),
  },
  { requiredKeys: ["from", "to"] },
);

/** A block of a few transactions, with traces or without. */
export const arbitraryBundle: fc.Arbitrary<BlockBundle> = fc
  .array(transaction, { maxLength: 5 })
  .map((made) => madeBundle(...made));

/** A few webhooks, each with an id of its own, that watch what the bundles are made of. */
export const arbitraryWebhooks: fc.Arbitrary<NaiveWebhook[]> = webhooksWatching(addresses, signatures);

/** A few webhooks that watch some of these addresses for some of these signatures, or for none. */
export function webhooksWatching(addresses: readonly Hex[], signatures: readonly Hex[]): fc.Arbitrary<NaiveWebhook[]> {
  return fc.uniqueArray(
    fc.record({
      id: fc.uuid(),
      addresses: fc.subarray([...addresses], { minLength: 1, maxLength: Math.min(4, addresses.length) }),
      eventSignatures: fc.oneof(
        fc.constant<string[]>([]),
        fc.subarray([...signatures], { maxLength: Math.min(4, signatures.length) }),
      ),
      includeInternalTxs: fc.boolean(),
    }),
    { selector: ({ id }) => id, maxLength: 6 },
  );
}

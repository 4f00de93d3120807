/** Who takes part in a block, in sum and transaction by transaction. */
import { expect, it } from "vitest";
import { recordedBlocks, recordedBundle } from "../../scripts/local/recorded.ts";
import { participantsByTransaction, participantsOf } from "../../server/matching/participants.ts";
import { addressOf, frame, hashOf, madeBundle, padded, receiver, sender } from "./made-bundle.ts";

it("A transaction's participants name the transaction, and the parties of each log", () => {
  const logs = [
    { address: addressOf(1), topics: [hashOf(1), padded(addressOf(2)), hashOf(2), padded(addressOf(1))] },
    { address: addressOf(3), topics: [] },
  ];
  expect(participantsByTransaction(madeBundle({}, { logs }))[1]).toEqual({
    transactionHash: hashOf(1, "d"),
    transactionIndex: 1,
    addresses: new Set([sender, receiver, addressOf(1), addressOf(2), addressOf(3)]),
    internalAddresses: new Set(),
    logs: [
      { topic0: hashOf(1), addresses: [addressOf(1), addressOf(2)] },
      { topic0: null, addresses: [addressOf(3)] },
    ],
  });
});

it("Internal addresses are only those that take part in no other way", () => {
  const trace = frame(sender, receiver, { calls: [frame(receiver, addressOf(1)), frame(receiver, sender)] });
  expect(participantsByTransaction(madeBundle({ trace }))[0]?.internalAddresses).toEqual(new Set([addressOf(1)]));
});

it("The participants of a block are distinct, and internal ones are among them", () => {
  const trace = frame(sender, receiver, { calls: [frame(receiver, addressOf(1))] });
  const participants = participantsOf(madeBundle({ trace }, { to: addressOf(2) }, {}));
  expect(participants.sort()).toEqual([sender, receiver, addressOf(1), addressOf(2)].sort());
});

it("An empty block has no activity", () => {
  expect(participantsByTransaction(recordedBundle("mainnet-traced/19910734"))).toEqual([]);
  expect(participantsOf(recordedBundle("mainnet-traced/19910734"))).toEqual([]);
});

it.each(recordedBlocks())("Participants of $name are addresses in lower case", ({ bundle }) => {
  for (const address of participantsOf(bundle)) expect(address).toMatch(/^0x[0-9a-f]{40}$/);
});

it("A top frame adds no one to the transaction's own parties", () => {
  for (const { bundle } of recordedBlocks().filter(({ bundle }) => bundle.traces)) {
    const topOnly = bundle.traces?.map(({ result }) => (result ? { result: { ...result, calls: [] } } : {})) ?? [];
    for (const { internalAddresses } of participantsByTransaction({ ...bundle, traces: topOnly }))
      expect(internalAddresses.size).toBe(0);
  }
});

it("A bundle whose traces miss a transaction is refused", () => {
  expect(() => participantsByTransaction({ ...madeBundle({}), traces: [{ error: "timeout" }] })).toThrow(
    "has no trace: timeout.",
  );
});

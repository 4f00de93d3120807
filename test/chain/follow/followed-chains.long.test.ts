/** Chains with a serialization of their own are followed by their profile alone, and their users notified as the contract says. */
import { expect, test } from "vitest";
import { profileOf } from "../../../server/settings/chain-profiles.ts";
import { chainShapes } from "../../support/chain-shapes.ts";
import { payee } from "../../support/made-transactions.ts";
import { followBlock } from "../one-block.ts";

test.each([
  ["zkSync Era", 2],
  ["Scroll", 3],
  ["Celo", 3],
])("%s: who is paid within is notified of it", async (name, count) => {
  const { chainId = "", bundle } = chainShapes.find((shape) => shape.name === name) ?? {};
  if (!bundle) throw new Error(`there is no ${name}`);
  const { notified, refused } = await followBlock(chainId, bundle, [payee]);
  expect(refused).toBeUndefined();
  const paid = notified.filter(({ event }) => event.transaction.internalTransactions?.length);
  expect(paid.length).toBeGreaterThanOrEqual(count);
  for (const { event } of paid) {
    expect(event.transaction).toMatchObject({ txStatus: "1", chainId });
    expect(event.transaction.internalTransactions).toMatchObject([{ to: payee, internalTxType: "CALL", value: "1" }]);
  }
  expect(profileOf(chainId).name).not.toBe("unknown");
});

/** The mock's previews and explanations of webhooks with options: by the service's own rule, and the same as what it sends. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { newWebhook } from "../support/api.ts";
import { type Mock, startMock } from "../support/mock.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

/** In a recorded block that is played, and in a block of the contract's examples. */
const weth = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
const [exampleToken, exampleTx] = [
  "0xbd3531da5cf5857e7cfaa92426877b022e612cf8",
  "0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0",
];

let mock: Mock;
let receiver: Receiver;
beforeAll(async () => {
  [mock, receiver] = await Promise.all([startMock({ chain: { blocks: "recorded", speed: 5 } }), startReceiver()]);
});
afterAll(async () => {
  await mock.close();
  await receiver.close();
});

test("on the chain that is played, a preview shows what is then sent, and what waits says for how many blocks", async () => {
  const options = {
    chainId: "1",
    metadata: {
      ...{ addresses: [weth], includeTransfers: true },
      conditions: { field: "transfer.value", op: "gt", value: "1000000000000000000" },
    },
    finality: { confirmations: 3 },
  };
  const create = async (confirmations: number): Promise<string> => {
    const body = newWebhook({ url: `${receiver.url}/hooks`, ...options, finality: { confirmations } });
    return (await mock.call("POST", "/v1/webhooks", { body })).body.id;
  };
  const [patient, id] = [await create(10_000), await create(3)];
  const explain = async (txHash: string, of = id) =>
    (await mock.call("GET", `/v1/webhooks/${of}/explain?txHash=${txHash}`)).body;
  const [first] = await receiver.waitFor(1);
  const { txHash } = first?.notification.event.transaction ?? {};
  const previewed = await mock.call("POST", "/v1/webhooks/preview", { body: { ...options, txHash } });
  const [found] = previewed.body.transactions;
  expect(found.payload.event).toEqual(first?.notification.event);
  expect(found).toMatchObject({ reason: "matches", decidedBy: [{ path: "", field: "transfer.value", holds: true }] });
  expect(await explain(txHash ?? "")).toMatchObject({ notified: true, decidedBy: [{ holds: true }] });

  const { blockNumber } = first?.notification.event.transaction ?? {};
  const whole = await mock.call("POST", "/v1/webhooks/preview", {
    body: { ...options, metadata: { addresses: [weth] }, blockNumber },
  });
  const failing = await Promise.all(
    whole.body.transactions.map(async (one: { txHash: string }) => explain(one.txHash)),
  );
  expect(new Set(failing.map(({ reason }) => reason))).toEqual(new Set(["notified", "condition_failed"]));
  const waiting = await explain(txHash ?? "", patient);
  expect(waiting).toMatchObject({ notified: false, reason: "waiting_for_finality", matches: true });
  expect(waiting.missingBlocks).toBeLessThanOrEqual(9_997);
  expect(waiting.missingBlocks).toBeGreaterThan(9_000);
});

test("of an example, conditions decide, and the payload has what the options ask for", async () => {
  const ask = async (options: { metadata: object; finality?: unknown }) => {
    const body = { chainId: "43114", ...options, txHash: exampleTx };
    return (await mock.call("POST", "/v1/webhooks/preview", { body })).body.transactions[0];
  };
  const addresses = [exampleToken];
  const conditions = (value: string) => ({ field: "transfer.tokenId", op: "lt", value });
  expect(await ask({ metadata: { addresses, conditions: conditions("1000") } })).toMatchObject({
    reason: "condition_failed",
    decidedBy: [{ path: "", actual: "7096", holds: false }],
    decidedOn: { standard: "erc721", tokenId: "7096" },
  });
  const metadata = { addresses, conditions: conditions("8000"), includeTransfers: true };
  const found = await ask({ metadata, finality: { confirmations: 2 } });
  expect(found.payload.event).toMatchObject({
    confirmations: 2,
    transaction: { chainId: "43114", erc721Transfers: [{ tokenId: "7096", erc721Token: { address: exampleToken } }] },
  });
});

/** The callback of webhooks with options: each must show in what is sent. */
import { compileAbi } from "../../../../server/matching/abi.ts";
import { asObject, same } from "../../../document/json.ts";
import { callbackFinding } from "../delivery.ts";
import { parseJson } from "../exchange.ts";
import { idOf, newWebhook, type Probe } from "../probe.ts";
import { by, type Endpoint, examineTest, sendTest } from "./sent-test.ts";

export async function checkOptions(probe: Probe, endpoint: Endpoint): Promise<void> {
  await checkTransfers(probe, endpoint);
  await checkDecoding(probe, endpoint);
  await checkBatch(probe, endpoint);
}

const transfer = { type: "event", name: "Transfer" };
const party = (name: string) => ({ name, type: "address", indexed: true });
const [from, to] = [party("from"), party("to")];
/** An ERC-20 transfer and an ERC-721 one, which have the same signature. */
const transfers = [
  { ...transfer, inputs: [from, to, { name: "value", type: "uint256", indexed: false }] },
  { ...transfer, inputs: [from, to, { name: "tokenId", type: "uint256", indexed: true }] },
];

/** A webhook with events to decode: its signatures follow from them, and so does what its notifications say. */
async function checkDecoding(probe: Probe, { receiver, url }: Endpoint): Promise<void> {
  const { chainId, address } = probe.target;
  const metadata = { addresses: [address], includeLogs: true, abi: transfers };
  const created = await probe.send("createWebhook", { body: newWebhook(probe.target, { url, metadata }) });
  if (!probe.status(created, "status-expected", 201)) return;
  const record = asObject(created.json);
  const abi = compileAbi(transfers as Parameters<typeof compileAbi>[0]);
  const { eventSignatures } = asObject(record.metadata);
  probe.check(
    created,
    "signatures-of-abi",
    same(eventSignatures, [...abi.signatures]),
    `eventSignatures ${abi.signatures}`,
  );
  const path = { id: idOf(record) };
  const secret = await probe.succeed("getWebhookSecret", { path });
  if (!secret) return;
  const test = await sendTest(probe, receiver, path.id);
  const expected = { secret: String(secret.secret), webhookId: path.id, chainId, includeLogs: true, sequence: 0, abi };
  await examineTest(probe, test, expected);
  await probe.succeed("deleteWebhook", { path });
}

/** A test for a webhook with transfers has them, too. */
async function checkTransfers(probe: Probe, { receiver, url }: Endpoint): Promise<void> {
  const plain = newWebhook(probe.target, { url, includeLogs: true });
  const body = { ...plain, metadata: { ...asObject(plain.metadata), includeTransfers: true } };
  const record = await probe.succeed("createWebhook", { body });
  if (!record) return;
  const path = { id: idOf(record) };
  const secret = await probe.succeed("getWebhookSecret", { path });
  const known = { webhookId: path.id, chainId: probe.target.chainId, includeLogs: true, includeTransfers: true };
  if (secret)
    await examineTest(probe, await sendTest(probe, receiver, path.id), {
      ...{ ...known, secret: String(secret.secret), sequence: 0 },
    });
  await probe.succeed("deleteWebhook", { path });
}

/** The test of a webhook with batches is an array of one. What each notification is, the other tests have shown. */
async function checkBatch(probe: Probe, { receiver, url }: Endpoint): Promise<void> {
  const wanted = newWebhook(probe.target, { url });
  const metadata = { ...asObject(wanted.metadata), batch: { maxItems: 2 } };
  const created = await probe.send("createWebhook", { body: { ...wanted, metadata } });
  if (!probe.status(created, "status-expected", 201)) return;
  const id = idOf(asObject(created.json));
  const { delivery } = await sendTest(probe, receiver, id);
  const body = delivery && parseJson(delivery.body);
  if (delivery && !(Array.isArray(body) && body.length === 1))
    probe.add(callbackFinding("callback-batch", by, "an array of one notification", delivery.body.toString("utf8")));
  await probe.succeed("deleteWebhook", { path: { id } });
}

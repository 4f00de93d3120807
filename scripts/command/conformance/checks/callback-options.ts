/** The callback of webhooks with options: each must show in what is sent. */
import { compileAbi } from "../../../../server/matching/abi.ts";
import { asObject, sameJson } from "../../../document/json.ts";
import type { Expected } from "../delivery.ts";
import { idOf, newWebhook, type Probe } from "../probe.ts";
import { worldOf } from "./requests.ts";
import { examineTest, sendTest, type TestEndpoint } from "./sent-test.ts";

export async function checkCallbackOptions(probe: Probe, endpoint: TestEndpoint): Promise<void> {
  for (const setting of await settings(probe)) await checkSettings(probe, endpoint, setting);
  await checkDecoding(probe, endpoint);
  await checkCompatibility(probe, endpoint);
}

/** A webhook whose notifications have Glacier's form, with logs, in which it differs most. The shared secret is only read: other webhooks of the account may be signed with it. */
async function checkCompatibility(probe: Probe, { receiver, url }: TestEndpoint): Promise<void> {
  const body = newWebhook(probe.target, { url, compatibility: "glacier", includeLogs: true });
  const record = await probe.succeed("createWebhook", { body });
  if (!record) return;
  const path = { id: idOf(record) };
  const [secret, shared] = [await probe.succeed("getWebhookSecret", { path }), await probe.succeed("getSharedSecret")];
  if (secret && shared) {
    const known = { webhookId: path.id, chainId: probe.target.chainId, includeLogs: true, sequence: 0 };
    const secrets = { secret: String(secret.secret), sharedSecret: String(shared.secret) };
    await examineTest(probe, await sendTest(probe, receiver, path.id), { ...known, ...secrets });
  }
  await probe.succeed("deleteWebhook", { path });
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
async function checkDecoding(probe: Probe, { receiver, url }: TestEndpoint): Promise<void> {
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
    sameJson(eventSignatures, [...abi.signatures]),
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

/** The test of a webhook with options, in the webhook's settings. */
async function checkSettings(probe: Probe, { receiver, url }: TestEndpoint, setting: Setting): Promise<void> {
  const {
    includeLogs = false,
    includeTransfers = false,
    includeInternalTxs = false,
    finality,
    batch = false,
  } = setting;
  const plain = newWebhook(probe.target, { url, includeLogs, includeInternalTxs });
  const metadata = { ...asObject(plain.metadata), includeTransfers, ...(batch && { batch: { maxItems: 2 } }) };
  const body = { ...plain, metadata, ...(finality !== undefined && { finality }) };
  const record = await probe.succeed("createWebhook", { body });
  if (!record) return;
  const path = { id: idOf(record) };
  const secret = await probe.succeed("getWebhookSecret", { path });
  const known = { webhookId: path.id, chainId: probe.target.chainId, sequence: 0 };
  const wanted = {
    includeLogs,
    includeTransfers,
    includeInternalTxs,
    batch,
    ...(finality !== undefined && { finality }),
  };
  if (secret) {
    const test = await sendTest(probe, receiver, path.id);
    await examineTest(probe, test, { ...known, ...wanted, secret: String(secret.secret) });
  }
  await probe.succeed("deleteWebhook", { path });
}

type Setting = Partial<
  Pick<Expected, "includeLogs" | "includeTransfers" | "includeInternalTxs" | "finality" | "batch">
>;

/** Each alone, and some together. */
async function settings(probe: Probe): Promise<Setting[]> {
  const { finality } = await worldOf(probe, "");
  return [
    { includeLogs: true, includeTransfers: true },
    { includeTransfers: true },
    { batch: true },
    { batch: true, includeLogs: true, finality: { confirmations: 3 } },
    ...(probe.target.traces ? [{ includeInternalTxs: true }] : []),
    ...(finality ? [{ finality: "finalized" }, { finality: "both" }] : []),
  ];
}

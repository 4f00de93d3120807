/** The callback of webhooks with options: each must show in what is sent. */
import { compileAbi } from "../../../../server/matching/abi.ts";
import { asObject, sameJson } from "../../../document/json.ts";
import { secretValue } from "../cases/known-values.ts";
import { differences, shownOf } from "../cases/model.ts";
import { callbackFinding, type Expected } from "../delivery.ts";
import { idOf, newWebhook, type Probe } from "../probe.ts";
import { worldOf } from "./requests.ts";
import { by, examineTest, sendTest, type TestEndpoint } from "./sent-test.ts";

export async function checkCallbackOptions(probe: Probe, endpoint: TestEndpoint): Promise<void> {
  for (const setting of await settings(probe)) await checkSettings(probe, endpoint, setting);
  await checkDecoding(probe, endpoint);
  await checkCompatibility(probe, endpoint);
  await checkHeaders(probe, endpoint);
}

/** Headers of a webhook's own: each test has those that it has by then, and the record their names. */
async function checkHeaders(probe: Probe, { receiver, url }: TestEndpoint): Promise<void> {
  const first = { Authorization: secretValue, "X-Kit": `first ${secretValue}` };
  const record = await probe.succeed("createWebhook", { body: newWebhook(probe.target, { url, headers: first }) });
  if (!record) return;
  const path = { id: idOf(record) };
  await checkSent(probe, receiver, path.id, { Authorization: secretValue, "X-Kit": first["X-Kit"] });
  for (const headers of [{ "X-Kit": `second ${secretValue}` }, null]) {
    const changed = await probe.send("updateWebhook", { path, body: { headers } });
    if (!probe.status(changed, "status-expected", 200)) continue;
    const wrong = differences(shownOf({ headers }), asObject(changed.json));
    probe.check(changed, "update-changes-what-is-given", wrong.length === 0, wrong.join(", "));
    await checkSent(probe, receiver, path.id, { Authorization: undefined, "X-Kit": headers?.["X-Kit"] });
  }
  await probe.succeed("deleteWebhook", { path });
}

async function checkSent(
  probe: Probe,
  receiver: TestEndpoint["receiver"],
  id: string,
  expected: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { delivery } = await sendTest(probe, receiver, id);
  // That a test arrives at all is looked at before.
  if (!delivery) return;
  for (const [name, value] of Object.entries(expected)) {
    const came = delivery.headers[name.toLowerCase()];
    if (came === value) continue;
    const says = (one: unknown) => (one === undefined ? `no header ${name}` : `the header ${name}: ${one}`);
    probe.add(callbackFinding("callback-own-headers", by, says(value), says(came)));
  }
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

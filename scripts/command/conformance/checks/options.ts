/**
 * A webhook's options: each alone, and all together in one record, which must be the same wherever an operation returns it. What a server
 * keeps but does not show, or shows in one place only, looks right until somebody reads it back.
 */
import { asArray, asObject, type JsonObject, sameJson } from "../../../document/json.ts";
import { knownConditions, knownEvents, secretValue } from "../cases/known-values.ts";
import { createdBy, differences, withAddresses } from "../cases/model.ts";
import { examine } from "../examine.ts";
import type { RecordedExchange } from "../exchange.ts";
import { idOf, itemsOf, newWebhook, type Probe, quietAddress, unused } from "../probe.ts";
import { changesByItself, sameRecord } from "../records.ts";
import type { Rule } from "../rules.ts";
import { allSettledOf } from "../together.ts";
import { worldOf } from "./requests.ts";

const transferSignature = "0xDDF252AD1BE2C89B69C2B068FC378DAA952BA7F163C4A11628F55A4DF523B3EF";
const factory = { address: `0x${"C0".repeat(20)}`, eventSignature: `0x${"AB".repeat(32)}`, argument: "data99" };
const documented = { type: "event", name: "Paid", anonymous: false };
/** As compilers write it. */
const compiled = {
  ...documented,
  inputs: [
    { name: "payer", type: "address", internalType: "address payable", indexed: true },
    {
      name: "order",
      type: "tuple",
      internalType: "struct Shop.Order",
      components: [{ name: "", type: "uint256[2][]" }],
    },
    { name: "fee", type: "int24", internalType: "Fee", indexed: false },
  ],
};

/** What a request says besides what every webhook has. */
type Option = { metadata?: JsonObject; beside?: JsonObject };

/** Each option, alone or with what it needs. */
function options({ traces, finality }: { traces: boolean | undefined; finality: boolean }): Option[] {
  const ofMetadata: JsonObject[] = [
    { ordered: true },
    { ordered: false, includeTransfers: false, anyAddress: false, includeLogs: false },
    { includeTransfers: true },
    { includeLogs: true },
    { batch: { maxItems: 7 } },
    { batch: { maxItems: 100, maxWaitMs: 60_000 } },
    { abi: [compiled, ...knownEvents] },
    { abi: [compiled], eventSignatures: [] },
    { abi: [compiled], eventSignatures: [transferSignature], includeLogs: true },
    { createdBy: factory },
    { eventSignatures: [transferSignature, `0x${"0a".repeat(32)}`] },
    ...knownConditions.map((conditions) => ({ conditions })),
    { abi: [compiled], conditions: { all: [{ field: "args.fee", op: "lt", value: "-5" }, knownConditions[0] ?? {}] } },
    { abi: [compiled], conditions: { not: { field: "args.payer", op: "eq", value: `0x${"aB".repeat(20)}` } } },
    ...(traces ? [{ includeInternalTxs: true }] : []),
  ];
  const beside: JsonObject[] = [
    { finality: "instant" },
    { finality: { confirmations: 1 } },
    { finality: { confirmations: 10_000 } },
    ...(finality ? [{ finality: "finalized" }, { finality: "both" }] : []),
    { compatibility: "glacier" },
    { headers: { Authorization: secretValue, "x-route": "a b" } },
    { headers: {} },
    { headers: null },
    { delivery: "url" },
    { delivery: "feed", url: undefined },
    { includeLogs: true },
    { name: "A name", description: "A description" },
  ];
  return [...ofMetadata.map((metadata) => ({ metadata })), ...beside.map((one) => ({ beside: one }))];
}

/** Creates webhooks with options. */
export async function checkWebhookOptions(probe: Probe): Promise<void> {
  const { traces, chainId } = probe.target;
  const { finality } = await worldOf(probe, "");
  if (!finality)
    probe.note(`finality-shown: chain ${chainId} has no finality in listChains: finalized and both were not tried.`);
  const alone = options({ traces, finality }).map((option) => () => checkShown(probe, option));
  const withoutAddresses = async () => {
    const body = { ...newWebhook(probe.target), metadata: { createdBy: factory } };
    const created = await probe.send("createWebhook", { body });
    if (!probe.status(created, "status-expected", 201)) return;
    compareShown(probe, created, body);
    await probe.succeed("deleteWebhook", { path: { id: idOf(asObject(created.json)) } });
  };
  const withoutUrl = async () => {
    const { url: _, ...body } = newWebhook(probe.target);
    probe.status(await probe.send("createWebhook", { body }), "bad-request-400", 400);
  };
  await allSettledOf([...alone, withoutAddresses, withoutUrl]);
  await checkEverywhere(probe, finality);
}

async function checkShown(probe: Probe, { metadata, beside }: Option): Promise<void> {
  const plain = newWebhook(probe.target, { name: "One option", ...beside });
  const body = { ...plain, metadata: { ...asObject(plain.metadata), ...metadata } };
  const created = await probe.send("createWebhook", { body });
  if (!probe.status(created, "status-expected", 201)) return;
  const record = asObject(created.json);
  const path = { id: idOf(record) };
  if (compareShown(probe, created, body)) {
    const read = await probe.send("getWebhook", { path });
    if (probe.status(read, "status-expected", 200)) compareRecord(probe, read, "reads-as-written", record);
  }
  if (record.delivery === "feed")
    for (const change of [{ url: probe.target.url }, { maxPerSecond: 5 }, { headers: { "X-Route": "a" } }])
      probe.status(await probe.send("updateWebhook", { path, body: change }), "feed-only", 400);
  await probe.succeed("deleteWebhook", { path });
}

const ruleOf: Record<string, Rule> = {
  ...{ finality: "finality-shown", conditions: "conditions-shown", eventSignatures: "signatures-of-abi" },
  ...{ name: "created-as-asked", description: "created-as-asked", addresses: "created-as-asked" },
  addressCount: "addresses-count-once",
  addressDigest: "digest-of-addresses",
};

/** Holds a new webhook against its request, field by field. @returns whether it shows all of it */
export function compareShown(probe: Probe, created: RecordedExchange, body: JsonObject): boolean {
  const record = asObject(created.json);
  const { metadata, ...expected } = createdBy(body);
  const held = record.finality === undefined ? undefined : 0;
  const heldRight = probe.check(created, "finality-shown", record.heldCount === held, `heldCount: ${held ?? "none"}`);
  const compare = (wanted: JsonObject, came: JsonObject, place: string) =>
    Object.keys({ ...came, ...wanted })
      // What a request cannot say is another's.
      .filter((name) => place !== "" || name in wanted)
      .map((name) => {
        const right = differences({ [place]: { [name]: wanted[name] } }, { [place]: { [name]: came[name] } });
        const [says, shown] = [wanted[name], came[name]].map((value) => `${place}${name}: ${JSON.stringify(value)}`);
        const isForeign = typeof wanted[name] === "string" && /[\u0080-\u{10ffff}]/u.test(wanted[name]);
        const rule = isForeign ? "charset-utf-8" : (ruleOf[name] ?? "options-shown");
        return right.length === 0 || probe.check(created, rule, false, says ?? "", shown);
      });
  const shown = [
    ...compare(expected, record, ""),
    ...compare(asObject(metadata), asObject(record.metadata), "metadata."),
  ];
  return heldRight && shown.every(Boolean);
}

/** Whether a record is the one that was returned before. @param except what may differ */
function compareRecord(
  probe: Probe,
  answer: RecordedExchange,
  rule: Rule,
  record: JsonObject,
  came = asObject(answer.json),
  except: readonly string[] = [],
): void {
  const skipped = [...except, ...changesByItself];
  const names = Object.keys({ ...record, ...came }).filter((name) => !skipped.includes(name));
  const wrong = names.filter((name) => !sameJson(record[name], came[name]));
  const said = (of: JsonObject) => wrong.map((name) => `${name}: ${JSON.stringify(of[name])}`).join(", ");
  probe.check(answer, rule, wrong.length === 0, `the record as before, with ${said(record)}`, said(came));
}

/** A webhook with everything: whatever returns its record returns all of it. */
async function checkEverywhere(probe: Probe, finality: boolean): Promise<void> {
  const mark = unused();
  const body = {
    ...newWebhook(probe.target, { name: "All options", description: mark, includeLogs: true }),
    finality: finality ? "finalized" : { confirmations: 3 },
    headers: { "X-Key": secretValue },
    metadata: {
      addresses: [quietAddress, `0x${"F1".repeat(20)}`],
      eventSignatures: [transferSignature],
      ...{ includeTransfers: true, ordered: true, batch: { maxItems: 3, maxWaitMs: 5 }, createdBy: factory },
      ...{ abi: [compiled], conditions: { any: [knownConditions[0] ?? {}, knownConditions[2] ?? {}] } },
    },
  };
  const record = await probe.succeed("createWebhook", { body });
  if (!record) return;
  const path = { id: idOf(record) };
  const added = `0x${"0e".repeat(20)}`;
  const what = { path, body: { addresses: [added] } };

  const renamed = await probe.send("updateWebhook", { path, body: { name: "Renamed" } });
  if (!probe.status(renamed, "status-expected", 200)) return;
  // A record of a wrong shape is reported, and so would be all others.
  if (examine(renamed).length > 0) return void (await probe.succeed("deleteWebhook", { path }));
  compareRecord(probe, renamed, "update-leaves-the-rest", { ...record, name: "Renamed" });
  // What is wrong from here on is wrong by itself.
  const now = asObject(renamed.json);
  const list = await probe.send("listWebhooks", { query: { pageSize: 100 } });
  const listed = itemsOf(asObject(list.json), "webhooks").find(({ id }) => id === path.id);
  if (listed) compareRecord(probe, list, "list-shows-records", now, listed);
  const ofChange = ["effectiveFromBlock", "changed", "totalAddresses"];
  const shown = asArray(asObject(record.metadata).addresses).map(String);
  for (const [operation, addresses] of [
    ["addWebhookAddresses", [added, ...shown].sort()],
    ["removeWebhookAddresses", shown],
  ] as const) {
    const metadata = { ...asObject(record.metadata), addresses: [...addresses] };
    const after = withAddresses({ ...now, metadata }, addresses);
    const answer = await probe.send(operation, what);
    if (!probe.status(answer, "status-expected", 200)) continue;
    compareRecord(probe, answer, "addresses-answer-the-record", after, asObject(answer.json), ofChange);
    const { changed, totalAddresses } = asObject(answer.json);
    const right = changed === 1 && totalAddresses === addresses.length;
    const expected = `changed: 1, totalAddresses: ${addresses.length}`;
    probe.check(answer, "addresses-count-once", right, expected, `${changed}, ${totalAddresses}`);
    const again = asObject((await probe.send(operation, what)).json);
    const idle = again.changed === 0 && again.totalAddresses === addresses.length;
    probe.check(answer, "addresses-count-once", idle, "changed: 0 for the same once more", `${again.changed}`);
  }
  const read = await probe.send("getWebhook", { path });
  if (probe.status(read, "status-expected", 200)) compareRecord(probe, read, "reads-as-written", now);
  const unchanged = await probe.send("updateWebhook", { path, body: {} });
  if (probe.status(unchanged, "status-expected", 200))
    probe.check(unchanged, "update-empty-changes-nothing", sameRecord(unchanged.json, now), "the record as it was");
  const last = asObject((await probe.send("getWebhook", { path })).json);
  const deleted = await probe.send("deleteWebhook", { path });
  const ofStatus = ["statusReason", "statusSince"];
  if (probe.status(deleted, "status-expected", 200))
    compareRecord(
      ...([probe, deleted, "delete-answers-the-record", { ...last, status: "inactive" }] as const),
      ...([asObject(deleted.json), ofStatus] as const),
    );
}

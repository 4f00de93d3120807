/** What the workflows cannot say of webhooks: whole records compared, an empty body, and headers that lead somewhere. */
import { setTimeout as wait } from "node:timers/promises";
import { asObject, type Json, type JsonObject, sameJson } from "../../../document/json.ts";
import { secretValue } from "../cases/known-values.ts";
import type { RecordedExchange } from "../exchange.ts";
import { idOf, itemsOf, newWebhook, type Probe, quietAddress, unused } from "../probe.ts";
import { sameRecord } from "../records.ts";
import { isNow } from "../times.ts";
import { allSettledOf } from "../together.ts";

/** Longer than the unit of any clock that shows milliseconds. */
const momentMs = 1_100;

/** Holds records against one another. */
export async function checkWebhooks(probe: Probe): Promise<void> {
  await checkRecord(probe);
  await checkIdempotency(probe);
  await checkTwoAtOnce(probe);
  await checkBooleans(probe);
  await checkFinality(probe);
  await checkPause(probe);
  await checkDeletion(probe);
}

async function checkRecord(probe: Probe): Promise<void> {
  const created = await probe.send("createWebhook", { body: newWebhook(probe.target, { name: "A name" }) });
  if (created.status >= 300) return void probe.status(created, "status-expected", 201);
  const record = created.json as Record<string, Json>;
  const path = { id: idOf(record) };
  probe.check(
    created,
    "location",
    created.headers.location === undefined || created.headers.location === `/v1/webhooks/${path.id}`,
    `Location: /v1/webhooks/${path.id}`,
    `Location: ${created.headers.location}`,
  );
  for (const name of ["createdAt", "statusSince"]) {
    const time = record[name];
    const now = typeof time !== "number" || isNow(time, created, probe.patience.scaled(10_000));
    probe.check(created, "times-in-milliseconds", now, `${name}: the time of its creation`, `${name}: ${time}`);
  }
  const read = await probe.send("getWebhook", { path });
  if (read.status === 200)
    probe.check(read, "reads-as-written", sameRecord(read.json, record), "the record as created");
  const upper = await probe.send("getWebhook", { path: { id: path.id.toUpperCase() } });
  if (probe.status(upper, "id-in-any-case", 200))
    probe.check(upper, "id-in-any-case", (upper.json as Record<string, Json>).id === path.id, "the id in lower case");

  const unchanged = await probe.send("updateWebhook", { path, body: {} });
  if (probe.status(unchanged, "update-empty-changes-nothing", 200))
    probe.check(unchanged, "update-empty-changes-nothing", sameRecord(unchanged.json, record), "the record as it was");
  const after = await probe.send("getWebhook", { path });
  if (after.status === 200)
    probe.check(after, "update-empty-changes-nothing", sameRecord(after.json, record), "the record as it was");
  await probe.succeed("deleteWebhook", { path });
}

async function checkIdempotency(probe: Probe): Promise<void> {
  const key = unused();
  const headers = { "idempotency-key": key };
  const description = `Once: ${key}`;
  const body = newWebhook(probe.target, { name: "As at first", description });
  const first = await probe.send("createWebhook", { body, headers });
  const second = await probe.send("createWebhook", { body, headers });
  if (first.status >= 300) return;
  const record = asObject(first.json);
  const path = { id: idOf(record) };
  const isFirst = (answer: RecordedExchange) =>
    answer.status === first.status &&
    sameJson(answer.json, first.json) &&
    answer.headers.location === first.headers.location;
  const expected = `the first answer, ${first.status} and the same record`;
  if (!probe.check(second, "idempotent-answer", isFirst(second), expected)) return;
  // What the webhook is today is no answer to the first request.
  await probe.succeed("updateWebhook", { path, body: { name: "As it is today" } });
  const address = quietAddress.replace("0x00", "0x22");
  await probe.succeed("addWebhookAddresses", { path, body: { addresses: [address] } });
  const third = await probe.send("createWebhook", { body, headers });
  const asFirst = "the first answer, although the webhook was changed since";
  probe.check(third, "idempotent-answer", isFirst(third), asFirst);
  const list = await probe.send("listWebhooks", { query: { pageSize: 100 } });
  const made = itemsOf(asObject(list.json), "webhooks").filter((one) => one.description === description);
  if (list.status === 200)
    probe.check(list, "idempotent-answer", made.length <= 1, "one webhook for one Idempotency-Key", `${made.length}`);
  for (const other of otherBodies(probe, body))
    probe.status(await probe.send("createWebhook", { body: other, headers }), "idempotency-conflict", 409);
  const shouted = await probe.send("createWebhook", { body, headers: { "idempotency-key": key.toUpperCase() } });
  const { id } = asObject(shouted.json);
  if (key !== key.toUpperCase() && probe.status(shouted, "idempotent-answer", 201)) {
    probe.check(shouted, "idempotent-answer", id !== path.id, "another webhook for a key in other letters");
    if (id !== path.id) await probe.succeed("deleteWebhook", { path: { id: String(id) } });
  }
  if (!(await probe.succeed("deleteWebhook", { path }))) return;
  probe.status(await probe.send("createWebhook", { body, headers }), "idempotent-after-delete", 409);
}

/** Two at the same time: the second may be told to wait, but one webhook is created. */
async function checkTwoAtOnce(probe: Probe): Promise<void> {
  const call = { body: newWebhook(probe.target), headers: { "idempotency-key": unused() } };
  const answers = await allSettledOf(Array.from({ length: 3 }, () => () => probe.send("createWebhook", call)));
  const created = answers.filter(({ status }) => status === 201);
  const ids = [...new Set(created.map(({ json }) => idOf(asObject(json))))];
  const [answer] = created;
  if (answer) probe.check(answer, "idempotent-answer", ids.length === 1, "one webhook for requests at once", `${ids}`);
  for (const id of ids) await probe.succeed("deleteWebhook", { path: { id } });
}

/** Each differs from a body in one thing. */
function otherBodies({ target }: Probe, body: JsonObject): JsonObject[] {
  const { description: _, ...undescribed } = body;
  const metadata = asObject(body.metadata);
  return [
    { ...body, name: "As at First" },
    { ...body, url: `${target.url}/other` },
    { ...body, includeLogs: true },
    { ...body, finality: { confirmations: 2 } },
    { ...body, maxPerSecond: 5 },
    { ...body, headers: { "X-Key": secretValue } },
    { ...body, metadata: { ...metadata, ordered: true } },
    { ...body, metadata: { ...metadata, batch: { maxItems: 2 } } },
    undescribed,
  ];
}

/** The two booleans may also be at the top level. */
async function checkBooleans(probe: Probe): Promise<void> {
  const { traces } = probe.target;
  const logs = await probe.send("createWebhook", { body: newWebhook(probe.target, { includeLogs: true }) });
  if (probe.status(logs, "status-expected", 201))
    probe.check(
      logs,
      "created-as-asked",
      (logs.json as Record<string, Json>).includeLogs === true,
      "includeLogs: true",
    );
  if (traces === undefined) return;
  const traced = await probe.send("createWebhook", { body: newWebhook(probe.target, { includeInternalTxs: true }) });
  if (!traces) return void probe.status(traced, "traces-refused", 400);
  if (!probe.status(traced, "status-expected", 201)) return;
  const { includeInternalTxs } = traced.json as Record<string, Json>;
  probe.check(traced, "created-as-asked", includeInternalTxs === true, "includeInternalTxs: true");
}

/** Where listChains has no finality of the chain. Where it has one, the options are tried. */
async function checkFinality(probe: Probe): Promise<void> {
  const listed = await probe.send("listChains");
  const chain = itemsOf(asObject(listed.json), "chains").find(({ chainId }) => chainId === probe.target.chainId);
  if (chain?.finality !== undefined) return;
  for (const finality of ["finalized", "both"]) {
    const created = await probe.send("createWebhook", { body: { ...newWebhook(probe.target), finality } });
    probe.status(created, "finality-refused", 400);
  }
}

/** A status that keeps the time of the one before would look right within the same moment. */
async function checkPause(probe: Probe): Promise<void> {
  const record = await probe.create();
  if (!record) return;
  const path = { id: idOf(record) };
  await wait(momentMs);
  const paused = await probe.send("updateWebhook", { path, body: { status: "inactive" } });
  const { statusSince } = asObject(paused.json);
  if (probe.status(paused, "status-expected", 200))
    probe.check(
      paused,
      "pause-and-resume",
      statusSince !== record.statusSince,
      "a statusSince of the new status",
      `statusSince: ${statusSince}, as before`,
    );
  await probe.succeed("deleteWebhook", { path });
}

async function checkDeletion(probe: Probe): Promise<void> {
  const record = await probe.create();
  if (!record) return;
  const path = { id: idOf(record) };
  if (!(await probe.succeed("deleteWebhook", { path }))) return;
  const list = await probe.send("listWebhooks", { query: { pageSize: 100 } });
  const listed = itemsOf({ ...(list.json as object) }, "webhooks").some(({ id }) => id === path.id);
  probe.check(list, "deleted-is-gone", !listed, `a list without ${path.id}`);
  const calls = [
    "listWebhookAddresses",
    "getWebhookSecret",
    "rotateWebhookSecret",
    "testWebhook",
    "listNotifications",
  ] as const;
  for (const operation of calls) probe.status(await probe.send(operation, { path }), "deleted-is-gone", 404);
}

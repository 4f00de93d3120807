/** What the workflows cannot say of webhooks: whole records compared, an empty body, and headers that lead somewhere. */
import { setTimeout as wait } from "node:timers/promises";
import { asObject, type Json, same } from "../../../document/json.ts";
import { idOf, itemsOf, newWebhook, type Probe, unused } from "../probe.ts";
import { sameRecord } from "../records.ts";
import { isNow } from "../times.ts";

/** Longer than the unit of any clock that shows milliseconds. */
const momentMs = 1_100;

/** Holds records against one another. */
export async function checkWebhooks(probe: Probe): Promise<void> {
  await checkRecord(probe);
  await checkIdempotency(probe);
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
  const call = { body: newWebhook(probe.target), headers: { "idempotency-key": unused() } };
  const first = await probe.send("createWebhook", call);
  const second = await probe.send("createWebhook", call);
  if (first.status >= 300) return;
  const repeated = second.status === first.status && same(second.json, first.json);
  probe.check(second, "idempotent-answer", repeated, `the first answer, ${first.status} and the same record`);
  if (!repeated) return;
  if (!(await probe.succeed("deleteWebhook", { path: { id: idOf(first.json as Record<string, Json>) } }))) return;
  probe.status(await probe.send("createWebhook", call), "idempotent-after-delete", 409);
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

/** Each that the chain can have, by what listChains says; any chain counts confirmations. */
async function checkFinality(probe: Probe): Promise<void> {
  const listed = await probe.send("listChains");
  const chain = itemsOf(asObject(listed.json), "chains").find(({ chainId }) => chainId === probe.target.chainId);
  for (const finality of [{ confirmations: 12 }, "finalized", "both"]) {
    const created = await probe.send("createWebhook", { body: { ...newWebhook(probe.target), finality } });
    if (typeof finality === "string" && chain?.finality === undefined) {
      probe.status(created, "finality-refused", 400);
      continue;
    }
    if (!probe.status(created, "status-expected", 201)) continue;
    const path = { id: idOf(asObject(created.json)) };
    for (const answer of [created, await probe.send("getWebhook", { path })]) {
      const { finality: shown, heldCount } = asObject(answer.json);
      const isShown = same(shown, finality) && typeof heldCount === "number";
      const [expected, came] = [finality, shown].map((value) => `finality: ${JSON.stringify(value)}`);
      probe.check(
        answer,
        "finality-shown",
        isShown,
        `${expected}, with a heldCount`,
        `${came}, heldCount: ${heldCount}`,
      );
    }
    await probe.succeed("deleteWebhook", { path });
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

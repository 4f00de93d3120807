/** The account's operational webhook: there is one, so a run makes its own only where there is none, and removes it. */
import { setTimeout as sleep } from "node:timers/promises";
import { asObject, type JsonObject, sameJson } from "../../../document/json.ts";
import type { Finding } from "../findings.ts";
import { itemsOf, type Probe, unused } from "../probe.ts";

const dayMs = 24 * 3_600_000;
const ofOne = [
  "getOperationalWebhook",
  "deleteOperationalWebhook",
  "getOperationalSecret",
  "rotateOperationalSecret",
  "testOperationalWebhook",
  "readOperationalFeed",
] as const;

const mostAttempts = 6;
/** What is found as often in the same way is so, and no other run's doing. */
const oftenEnough = 3;
/** In ms: the least time that another run has its own one for. */
const leastMs = 100;

/**
 * Registers it, replaces it and deletes it. Events are about what happens over days, so only tests are looked at. Whatever was found while another
 * run may have changed it, too, is tried again, after a pause that doubles: in the end, one of two runs has the time to itself.
 */
export async function checkOperational(probe: Probe): Promise<void> {
  // That without a url is made below, too.
  const own = new Set<unknown>();
  let last: Finding[] = [];
  let longestMs = leastMs;
  const found = new Map<string, number>();
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    if (attempt > 1) await sleep(longestMs * 2 ** attempt * Math.random());
    const before = await probe.send("getOperationalWebhook");
    const isThere = before.status === 200;
    const isOwn = isThere && own.has(asObject(before.json).url);
    if (isOwn) await probe.send("deleteOperationalWebhook");
    if (isOwn || !isThere) {
      const { draft, findings } = probe.fork();
      const startedAt = performance.now();
      await examine(draft, own);
      longestMs = Math.max(longestMs, performance.now() - startedAt);
      last = findings;
      if (findings.length === 0) return;
      const which = JSON.stringify(findings.map(({ rule, subject, status }) => [rule, subject, status]));
      const times = (found.get(which) ?? 0) + 1;
      if (times === oftenEnough) break;
      found.set(which, times);
    } else {
      last = [];
      if (attempt === mostAttempts)
        probe.note("Operational webhook: the account has one already, and a run changes only what it has made.");
    }
  }
  for (const one of last) probe.add(one);
}

async function examine(probe: Probe, own: Set<unknown>): Promise<void> {
  await checkNone(probe, "unknown-is-404");
  own.add(undefined);
  await checkWithoutUrl(probe);
  const url = `${probe.target.url}/${unused()}`;
  own.add(url);
  const keyless = await probe.send("putOperationalWebhook", { body: { url, format: "pagerduty" } });
  probe.status(keyless, "operational-without-key", 400);
  const key = { "X-Routing-Key": "0123456789abcdef0123456789abcdef" };
  const keyed = await probe.send("putOperationalWebhook", { body: { url, format: "pagerduty", headers: key } });
  if (probe.status(keyed, "status-expected", 200)) await probe.succeed("deleteOperationalWebhook");
  const body = { url, headers: { "X-Operations": unused() } };
  const put = await probe.send("putOperationalWebhook", { body });
  if (!probe.status(put, "status-expected", 200)) return;
  const registered = asObject(put.json);
  const asAsked = registered.url === url && sameJson(registered.headerNames ?? null, ["X-Operations"]);
  probe.check(put, "created-as-asked", asAsked, "url and headerNames as they were given");
  probe.check(put, "defaults", registered.format === "signed", "the format signed");
  probe.check(put, "starts-active", registered.status === "active", "the status active");
  await checkRead(probe, registered);
  await checkSecret(probe);
  await probe.succeed("testOperationalWebhook");
  const feed = await probe.send("readOperationalFeed", { query: { limit: 1 } });
  if (!probe.status(feed, "status-expected", 200)) return;
  const { lastSequence } = asObject(feed.json);
  const isEmpty = itemsOf(asObject(feed.json), "notifications").length === 0;
  probe.check(
    feed,
    "feed-in-order",
    isEmpty === (lastSequence === 0),
    "lastSequence: 0 if and only if nothing is there",
  );
  const deleted = await probe.send("deleteOperationalWebhook");
  if (!probe.status(deleted, "status-expected", 200)) return;
  const last = asObject(deleted.json);
  const isLast = last.url === url && last.status === "inactive" && last.statusReason === "requested";
  probe.check(deleted, "delete-answers-the-record", isLast, "the record as it was, inactive");
  await checkNone(probe, "deleted-is-gone");
}

async function checkNone(probe: Probe, rule: "unknown-is-404" | "deleted-is-gone"): Promise<void> {
  for (const operation of ofOne) probe.status(await probe.send(operation), rule, 404);
}

/** Where nothing is sent, how to send it is refused. */
async function checkWithoutUrl(probe: Probe): Promise<void> {
  const formed = await probe.send("putOperationalWebhook", { body: { format: "slack" } });
  probe.status(formed, "operational-without-url", 400);
  const headed = await probe.send("putOperationalWebhook", { body: { headers: { "X-Operations": "1" } } });
  probe.status(headed, "operational-without-url", 400);
  if (!(await probe.succeed("putOperationalWebhook", { body: {} }))) return;
  const tested = await probe.send("testOperationalWebhook");
  probe.status(tested, "operational-without-url", 400);
  await probe.succeed("deleteOperationalWebhook");
}

async function checkRead(probe: Probe, registered: JsonObject): Promise<void> {
  const read = await probe.send("getOperationalWebhook");
  if (read.status === 200)
    probe.check(read, "reads-as-written", sameJson(read.json, registered), "what registering returned");
}

async function checkSecret(probe: Probe): Promise<void> {
  const secret = await probe.succeed("getOperationalSecret");
  const { url, createdAt } = asObject((await probe.send("getOperationalWebhook")).json);
  const replaced = await probe.send("putOperationalWebhook", { body: { url: url ?? null } });
  const again = await probe.succeed("getOperationalSecret");
  if (replaced.status === 200 && secret && again) {
    const record = asObject(replaced.json);
    const isSame = record.createdAt === createdAt && again.secret === secret.secret;
    const isReplaced = isSame && !("headerNames" in record);
    probe.check(
      replaced,
      "operational-replaced",
      isReplaced,
      "no headers any more, and createdAt and secret of before",
    );
  }
  const rotated = await probe.send("rotateOperationalSecret");
  if (!probe.status(rotated, "status-expected", 200)) return;
  const { previousSecretExpiresAt, secret: next } = asObject(rotated.json);
  const isADay = Math.abs(Number(previousSecretExpiresAt) - Date.now() - dayMs) < 600_000;
  probe.check(rotated, "rotation-shows-previous-secret", isADay, "previousSecretExpiresAt in 24 hours, in ms");
  probe.check(rotated, "rotation-makes-another-secret", next !== secret?.secret, "another secret");
}

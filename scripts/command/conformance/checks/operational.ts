/** The account's operational webhook: there is one, so a run makes its own only where there is none, and removes it. */
import { setTimeout as sleep } from "node:timers/promises";
import { notificationHeader } from "../../../../generated/notification-header.ts";
import { asObject, type JsonObject, sameJson } from "../../../document/json.ts";
import { eventFinding, examineTestEvent } from "../delivery.ts";
import { jsonOrUndefined, type RecordedExchange } from "../exchange.ts";
import type { Finding } from "../findings.ts";
import { itemsOf, type Probe, unused } from "../probe.ts";
import type { ReceivedDelivery } from "../receiver.ts";
import type { Rule } from "../rules.ts";
import type { TestEndpoint } from "./sent-test.ts";

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
/** In ms: between attempts, the least and the longest. */
const pauseMs = { least: 100, longest: 30_000 };

const by = "operational";

/**
 * Registers it, replaces it and deletes it, where the account has none. Events are about what happens over days, so only tests are looked at.
 * Whatever was found while another run may have changed it, too, is tried again, after a pause that doubles: in the end, one of two runs has the
 * time to itself.
 *
 * @param endpoint where tests are received; nothing else may change meanwhile how it answers
 */
export async function checkOperational(probe: Probe, endpoint?: TestEndpoint): Promise<void> {
  let last: Finding[] = [];
  let longestMs = pauseMs.least;
  const found = new Map<string, number>();
  /** The URLs that were registered here: each has a mark that no other has. */
  const ours = new Set<unknown>();
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    if (attempt > 1) await sleep(Math.min(longestMs * 2 ** attempt, pauseMs.longest) * Math.random());
    const before = await probe.send("getOperationalWebhook");
    if (before.status === 200) {
      // It was deleted here, and is there all the same.
      if (ours.has(asObject(before.json).url)) break;
      last = [];
      if (attempt === mostAttempts)
        probe.note(
          "Operational webhook: the account has one already, or another run does, and a run changes only what it has made.",
        );
      continue;
    }
    const { draft, findings } = probe.fork();
    const startedAt = performance.now();
    // Whatever else it answers, there may be one.
    if (draft.status(before, "unknown-is-404", 404)) await examineOwn(draft, endpoint, ours);
    longestMs = Math.max(longestMs, performance.now() - startedAt);
    last = findings;
    if (findings.length === 0) return;
    const which = JSON.stringify(findings.map(({ rule, subject, status }) => [rule, subject, status]));
    const times = (found.get(which) ?? 0) + 1;
    if (times === oftenEnough) break;
    found.set(which, times);
  }
  for (const one of last) probe.add(one);
}

/** Leaves nothing behind, however it ends. */
async function examineOwn(probe: Probe, endpoint: TestEndpoint | undefined, ours: Set<unknown>): Promise<void> {
  let own: JsonObject | undefined;
  const put = async (body: JsonObject) => {
    const answer = await probe.send("putOperationalWebhook", { body });
    if (answer.status === 200) own = asObject(answer.json);
    if (own?.url !== undefined) ours.add(own.url);
    return answer;
  };
  const remove = async () => {
    const answer = await probe.send("deleteOperationalWebhook");
    if (answer.status === 200) own = undefined;
    return answer;
  };
  try {
    await examine(probe, endpoint, put, remove);
  } finally {
    if (own) await removeOperational(probe, own).catch(() => {});
  }
}

/** Deletes it if it is still the one that was registered. @returns whether it is gone */
export async function removeOperational(
  { send }: { send(operation: "getOperationalWebhook" | "deleteOperationalWebhook"): Promise<RecordedExchange> },
  own: JsonObject,
): Promise<boolean> {
  const now = await send("getOperationalWebhook");
  if (now.status === 404) return true;
  const { url, createdAt } = asObject(now.json);
  if (now.status === 200 && (url !== own.url || createdAt !== own.createdAt)) return true;
  return (await send("deleteOperationalWebhook")).status === 200;
}

async function examine(
  probe: Probe,
  endpoint: TestEndpoint | undefined,
  put: (body: JsonObject) => Promise<RecordedExchange>,
  remove: () => Promise<RecordedExchange>,
): Promise<void> {
  if (!(await checkNone(probe, "unknown-is-404"))) return;
  await checkWithoutUrl(probe, put, remove);
  const url = endpoint ? withMark(endpoint.url, unused()) : `${probe.target.url}/${unused()}`;
  const keyless = await put({ url, format: "pagerduty" });
  probe.status(keyless, "operational-without-key", 400);
  const key = { "X-Routing-Key": "0123456789abcdef0123456789abcdef" };
  const keyed = await put({ url, format: "pagerduty", headers: key });
  if (probe.status(keyed, "status-expected", 200)) probe.status(await remove(), "status-expected", 200);
  const ownHeader = unused();
  const registering = await put({ url, headers: { "X-Operations": ownHeader } });
  if (!probe.status(registering, "status-expected", 200)) return;
  const registered = asObject(registering.json);
  const asAsked = registered.url === url && sameJson(registered.headerNames ?? null, ["X-Operations"]);
  probe.check(registering, "created-as-asked", asAsked, "url and headerNames as they were given");
  probe.check(registering, "defaults", registered.format === "signed", "the format signed");
  probe.check(registering, "starts-active", registered.status === "active", "the status active");
  await checkRead(probe, registered);
  const secret = await probe.succeed("getOperationalSecret");
  const received = secret && endpoint && { endpoint, url };
  const first = await sendTest(probe, received, [String(secret?.secret)], ownHeader);
  const rotated = await checkSecret(probe, put);
  // One that does not arrive is not waited for again.
  const secrets = [secret?.secret, rotated].filter((one) => one !== undefined).map(String);
  await sendTest(probe, first && received, secrets, undefined, first);
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
  const deleted = await remove();
  if (!probe.status(deleted, "status-expected", 200)) return;
  const last = asObject(deleted.json);
  const isLast = last.url === url && last.status === "inactive" && last.statusReason === "requested";
  probe.check(deleted, "delete-answers-the-record", isLast, "the record as it was, inactive");
  await checkNone(probe, "deleted-is-gone");
}

/** Nothing is changed unless there is none. @returns whether there is none */
async function checkNone(probe: Probe, rule: "unknown-is-404" | "deleted-is-gone"): Promise<boolean> {
  const [read, ...others] = ofOne;
  if (!probe.status(await probe.send(read), rule, 404)) return false;
  for (const operation of others) probe.status(await probe.send(operation), rule, 404);
  return true;
}

/** Where nothing is sent, how to send it is refused. */
async function checkWithoutUrl(
  probe: Probe,
  put: (body: JsonObject) => Promise<RecordedExchange>,
  remove: () => Promise<RecordedExchange>,
): Promise<void> {
  const formed = await put({ format: "slack" });
  probe.status(formed, "operational-without-url", 400);
  const headed = await put({ headers: { "X-Operations": "1" } });
  probe.status(headed, "operational-without-url", 400);
  if (!probe.status(await put({}), "status-expected", 200)) return;
  const tested = await probe.send("testOperationalWebhook");
  probe.status(tested, "operational-without-url", 400);
  probe.status(await remove(), "status-expected", 200);
}

async function checkRead(probe: Probe, registered: JsonObject): Promise<void> {
  const read = await probe.send("getOperationalWebhook");
  if (read.status === 200)
    probe.check(read, "reads-as-written", sameJson(read.json, registered), "what registering returned");
}

/** The URL with something by which its requests are recognised. What routes by path goes on to. */
function withMark(url: string, mark: string): string {
  const [whole = ""] = url.split("#");
  return `${whole}${whole.includes("?") ? "&" : "?"}kit=${mark}`;
}

/**
 * Sends a test, and examines what arrives.
 *
 * @param received where, and by which URL the webhook knows that; undefined if nothing is received
 * @param secrets each of which signs it: of two, the former and the new one
 * @param ownHeader the webhook's X-Operations
 * @param before another test
 */
async function sendTest(
  probe: Probe,
  received: { endpoint: TestEndpoint; url: string } | undefined,
  secrets: readonly string[],
  ownHeader: string | undefined,
  before?: ReceivedDelivery,
): Promise<ReceivedDelivery | undefined> {
  const result = await probe.send("testOperationalWebhook");
  if (!probe.status(result, "status-expected", 200) || !received) return undefined;
  const { endpoint, url } = received;
  const { messageId, delivered, responseStatus } = asObject(result.json);
  const expected = "delivered: true, and the responseStatus 204";
  if (!probe.check(result, "test-result", delivered === true && responseStatus === 204, expected)) return undefined;
  const report = (rule: Rule, what: string, came: string) => probe.add(eventFinding(rule, by, what, came));
  const mark = url.slice(url.lastIndexOf("kit="));
  const idIn = ({ headers }: ReceivedDelivery) => headers[notificationHeader.id];
  const arrived = () => {
    const ours = endpoint.receiver.deliveries.filter((one) => one.path.includes(mark) && one !== before);
    // Events of what happens to the account arrive here, too.
    const isTest = ({ body }: ReceivedDelivery) => asObject(jsonOrUndefined(body)).type === "test";
    return ours.find((one) => idIn(one) === messageId) ?? ours.find(isTest);
  };
  const until = performance.now() + probe.patience.forNotification();
  while (!arrived() && performance.now() < until) await sleep(20);
  const delivery = arrived();
  if (!delivery) {
    report("callback-reachable", `an operational event at ${url}`, JSON.stringify(result.json));
    return undefined;
  }
  endpoint.receiver.hasEvent = true;
  const faults = await Promise.all(secrets.map((secret) => examineTestEvent(delivery, { secret, messageId }, by)));
  const isUnsigned = ({ rule }: Finding) => rule === "callback-signed";
  const unsigned = faults.map((own) => own.some(isUnsigned));
  const isByOneOnly = unsigned.includes(true) && unsigned.includes(false);
  if (isByOneOnly) {
    const missing = unsigned[0] ? "the secret before it" : "the new secret";
    report("rotation-signs-with-both", `a signature by ${missing}`, "none by it");
  }
  for (const finding of faults[0] ?? []) if (!(isByOneOnly && isUnsigned(finding))) probe.add(finding);
  const { "x-operations": header } = delivery.headers;
  if (header !== ownHeader)
    report("callback-own-headers", `X-Operations: ${ownHeader ?? "none"}`, `${header ?? "none"}`);
  if (before && idIn(before) === idIn(delivery))
    report("callback-message-id", "a messageId of its own for each test", String(idIn(delivery)));
  return delivery;
}

/** @returns the new secret, if there is one */
async function checkSecret(
  probe: Probe,
  put: (body: JsonObject) => Promise<RecordedExchange>,
): Promise<string | undefined> {
  const secret = await probe.succeed("getOperationalSecret");
  const { url, createdAt } = asObject((await probe.send("getOperationalWebhook")).json);
  const replaced = await put({ url: url ?? null });
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
  if (!probe.status(rotated, "status-expected", 200)) return undefined;
  const { previousSecretExpiresAt, secret: next } = asObject(rotated.json);
  const isADay = Math.abs(Number(previousSecretExpiresAt) - Date.now() - dayMs) < 600_000;
  probe.check(rotated, "rotation-shows-previous-secret", isADay, "previousSecretExpiresAt in 24 hours, in ms");
  probe.check(rotated, "rotation-makes-another-secret", next !== secret?.secret, "another secret");
  return String(next);
}

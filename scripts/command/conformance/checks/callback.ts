/** The callback: tests are sent to a receiver of ours, and each is examined; then the secret is rotated. */
import { NotificationError, verifyNotification } from "../../../../client/receiver/index.ts";
import { notificationHeader } from "../../../../generated/notification-header.ts";
import { asArray, asObject, type JsonObject, sameJson } from "../../../document/json.ts";
import { callbackFinding, type Expected, examineDelivery } from "../delivery.ts";
import type { RecordedExchange } from "../exchange.ts";
import { idOf, newWebhook, type Probe } from "../probe.ts";
import { type EndpointAnswer, type ReceivedDelivery, type Receiver, startReceiver } from "../receiver.ts";
import { checkCallbackOptions } from "./callback-options.ts";
import { by, elsewhere, examineTest, sendTest, type TestEndpoint } from "./sent-test.ts";

/** Longer than a time that is rounded down to seconds can show. */
const pauseMs = 150;
/** How much of an endpoint's answer the contract keeps. */
const shownBytes = 1_024;

/** Sends tests, of which each decides how the receiver answers. @returns whether notifications reach the receiver */
export async function checkCallback(probe: Probe, endpoint: TestEndpoint): Promise<boolean> {
  try {
    return await sendTests(probe, endpoint);
  } finally {
    endpoint.receiver.answer = () => ({ status: 204 });
  }
}

async function sendTests(probe: Probe, { receiver, url }: TestEndpoint): Promise<boolean> {
  const created = await probe.send("createWebhook", { body: newWebhook(probe.target, { url }) });
  if (created.status === 400) return unreachable(probe, url, String(asObject(created.json).message));
  if (!probe.status(created, "status-expected", 201)) return false;
  const id = idOf(asObject(created.json));
  const path = { id };
  const secret = await probe.succeed("getWebhookSecret", { path });
  if (!secret) return false;
  const { chainId } = probe.target;
  const expected = { secret: String(secret.secret), webhookId: id, chainId, includeLogs: false, sequence: 0 };

  const first = await sendTest(probe, receiver, id);
  if (!first.delivery) return unreachable(probe, url, JSON.stringify(first.result.json ?? null));
  await examineTest(probe, first, expected);
  delivered(probe, first.result);

  await probe.succeed("updateWebhook", { path, body: { includeLogs: true, status: "inactive" } });
  // Of an inactive webhook, too.
  const paused = await sendTest(probe, receiver, id);
  await examineTest(probe, paused, { ...expected, includeLogs: true });
  const [one, other] = [first, paused].map(({ result }) => asObject(result.json).messageId);
  probe.check(paused.result, "callback-message-id", one !== other, "a messageId of its own for each test");

  await checkRotation(probe, receiver, { ...expected, includeLogs: true });
  await checkOutcomes(probe, receiver, id);
  await checkMoved(probe, receiver, { id, url });
  await probe.succeed("deleteWebhook", { path });
  await checkCallbackOptions(probe, { receiver, url });
  // Elsewhere, what stands between may answer.
  if (url.startsWith(receiver.url)) await checkNobody(probe, new URL(url).hostname);
  checkOnce(probe, receiver);
  return true;
}

function unreachable(probe: Probe, url: string, came: string): boolean {
  const hint = `a notification at ${url}; give --callback-url where the server refuses private or plain http addresses or runs elsewhere, or --no-callback`;
  probe.add(callbackFinding("callback-reachable", by, hint, came));
  return false;
}

function delivered(probe: Probe, result: RecordedExchange): void {
  const { delivered, responseStatus, responseBody, errorClass } = asObject(result.json);
  const right = delivered === true && responseStatus === 204;
  const silent = responseBody === undefined && errorClass === undefined;
  const expected = "delivered: true, responseStatus: 204, and neither a responseBody nor an errorClass";
  probe.check(result, "test-result", right && silent, expected);
  checkTimes(probe, result);
}

function checkTimes(probe: Probe, result: RecordedExchange): void {
  const { durationMs, sentAt } = asObject(result.json);
  const aDayMs = 24 * 3_600_000;
  const plausible = Number(durationMs) < aDayMs && Math.abs(Number(sentAt) - Date.now()) < aDayMs;
  probe.check(result, "test-result", plausible, "durationMs, and sentAt in ms since the epoch");
}

async function checkRotation(probe: Probe, receiver: Receiver, expected: Expected): Promise<void> {
  const { webhookId: id } = expected;
  const rotated = await probe.succeed("rotateWebhookSecret", { path: { id } });
  if (!rotated) return;
  const { delivery } = await sendTest(probe, receiver, id);
  // Two signatures have a form of their own; whose they are is examined below.
  for (const finding of delivery ? await examineDelivery(delivery, expected, by) : [])
    if (finding.expected.startsWith("header ")) probe.add(finding);
  // An unsigned one was reported before.
  if (!delivery?.headers[notificationHeader.signature] || !(await signedByEither(delivery, rotated, expected))) return;
  const secrets = { "the new secret": String(rotated.secret), "the secret before it": expected.secret };
  for (const [name, secret] of Object.entries(secrets))
    if (!(await isSigned(delivery, secret)))
      probe.add(callbackFinding("rotation-signs-with-both", by, `a signature by ${name}`, "none by it"));
}

async function signedByEither(delivery: ReceivedDelivery, rotated: JsonObject, { secret }: Expected): Promise<boolean> {
  return (await isSigned(delivery, String(rotated.secret))) || (await isSigned(delivery, secret));
}

async function isSigned({ headers, body }: ReceivedDelivery, secret: string): Promise<boolean> {
  try {
    await verifyNotification(body, headers, secret);
    return true;
  } catch (error) {
    // What else is wrong with it has rules of its own.
    return !(error instanceof NotificationError && error.code === "invalid_signature");
  }
}

/** How testWebhook reports what endpoints answer. None of it changes the webhook, nor is any test listed. */
async function checkOutcomes(probe: Probe, receiver: Receiver, id: string): Promise<void> {
  const path = { id };
  const before = await probe.send("getWebhook", { path });
  await checkRefused(probe, receiver, id);
  await checkRedirect(probe, receiver, id);
  const ends = async (answer: EndpointAnswer, expected: JsonObject) => {
    const { result } = await sendTest(probe, receiver, id, answer);
    if (result.status !== 200) return;
    const came = asObject(result.json);
    const names = ["delivered", "responseStatus", "responseBody", "errorClass"];
    const said = (of: JsonObject) => names.map((name) => `${name}: ${JSON.stringify(of[name])}`).join(", ");
    const right = names.every((name) => sameJson(came[name], expected[name]));
    probe.check(result, "test-result", right, said(expected), said(came).slice(0, 400));
  };
  const refused = { delivered: false, errorClass: "bad_status" };
  await ends({ status: 410 }, { ...refused, responseStatus: 410 });
  await ends({ status: 404, body: "no" }, { ...refused, responseStatus: 404, responseBody: "no" });
  await ends({ status: 299, body: "fine" }, { delivered: true, responseStatus: 299, responseBody: "fine" });
  const cut = (body: string, responseBody: string) =>
    ends({ status: 200, body }, { delivered: true, responseStatus: 200, responseBody });
  await cut("x".repeat(2 * shownBytes), "x".repeat(shownBytes));
  // A character of two bytes ends where the bytes end.
  await cut("\u00fc".repeat(shownBytes), "\u00fc".repeat(shownBytes / 2));

  const { result: closed } = await sendTest(probe, receiver, id, "close");
  if (closed.status === 200) {
    const { delivered, responseStatus, errorClass } = asObject(closed.json);
    // What stands between may answer in the endpoint's place.
    const answered = responseStatus !== undefined && errorClass === "bad_status";
    const right = delivered === false && (answered || errorClass === "connection_reset");
    const expected = 'delivered: false, errorClass: "connection_reset" and no responseStatus: nothing answered';
    probe.check(closed, "test-result", right, expected);
    checkTimes(probe, closed);
  }
  const after = await probe.send("getWebhook", { path });
  if (before.status === 200 && after.status === 200)
    probe.check(after, "test-changes-nothing", sameJson(after.json, before.json), "the record as before the tests");
  const list = await probe.send("listNotifications", { path });
  const listed = asArray(asObject(list.json).notifications).length;
  if (list.status === 200)
    probe.check(list, "test-is-not-listed", listed === 0, "no test listed", `${listed} notifications`);
}

/** The URL that the webhook has now, whole but for its fragment. */
async function checkMoved(probe: Probe, receiver: Receiver, { id, url }: { id: string; url: string }): Promise<void> {
  const rest = "/moved/a%20b?one=1&two=%26";
  await probe.succeed("updateWebhook", {
    path: { id },
    body: { url: `${url.replace(/[?#].*$/, "")}${rest}#fragment` },
  });
  const { delivery } = await sendTest(probe, receiver, id);
  const right = delivery === undefined || delivery.path.endsWith(rest);
  if (!right) probe.add(callbackFinding("callback-url", by, `a POST to …${rest}, the webhook's url`, delivery.path));
}

/** Where nobody listens: a server that was started has ended, so its port is free. */
async function checkNobody(probe: Probe, hostname: string): Promise<void> {
  const former = await startReceiver({ host: hostname.replace(/^\[|\]$/g, ""), port: 0 });
  await former.close();
  const record = await probe.succeed("createWebhook", { body: newWebhook(probe.target, { url: former.url }) });
  if (!record) return;
  const path = { id: idOf(record) };
  const result = await probe.send("testWebhook", { path });
  const { delivered, errorClass, responseStatus } = asObject(result.json);
  // What stands between may take the connection and close it.
  const right =
    delivered === false && /^connection_re(fused|set)$/.test(String(errorClass)) && responseStatus === undefined;
  if (probe.status(result, "status-expected", 200))
    probe.check(result, "test-result", right, 'delivered: false, errorClass: "connection_refused", no responseStatus');
  await probe.succeed("deleteWebhook", { path });
}

/** A test is not retried, and has an identifier of its own. */
function checkOnce(probe: Probe, { deliveries }: Receiver): void {
  // A notification may arrive again.
  const isTest = ({ path, headers }: ReceivedDelivery) =>
    path !== elsewhere && headers[notificationHeader.sequence] === "0";
  const ids = deliveries.filter(isTest).map(({ headers }) => headers[notificationHeader.id]);
  const again = ids.find((id, index) => id !== undefined && ids.indexOf(id) !== index);
  if (again !== undefined)
    probe.add(callbackFinding("test-sent-once", by, "one POST for each test", `two of ${again}`));
}

async function checkRefused(probe: Probe, receiver: Receiver, id: string): Promise<void> {
  const refused = await sendTest(probe, receiver, id, { status: 500, body: "busy", pauseMs });
  const outcome = asObject(refused.result.json);
  const right =
    outcome.delivered === false &&
    outcome.responseStatus === 500 &&
    outcome.errorClass === "bad_status" &&
    outcome.responseBody === "busy";
  const as = 'delivered: false, responseStatus: 500, errorClass: "bad_status", responseBody: "busy"';
  if (refused.result.status !== 200 || !probe.check(refused.result, "test-result", right, as)) return;
  // Timers are a little early, and a time may be rounded down.
  const measured = Number(outcome.durationMs) >= pauseMs - 10;
  const expected = `durationMs of at least ${pauseMs}, which the endpoint took`;
  probe.check(refused.result, "test-result", measured, expected, `${outcome.durationMs}`);
}

async function checkRedirect(probe: Probe, receiver: Receiver, id: string): Promise<void> {
  const before = receiver.deliveries.length;
  const moved = await sendTest(probe, receiver, id, { status: 302, headers: { location: elsewhere } });
  const wentThere = receiver.deliveries.slice(before).some(({ path }) => path === elsewhere);
  if (wentThere)
    probe.add(
      callbackFinding("callback-no-redirect", by, "no request to the Location of a 302", `one to ${elsewhere}`),
    );
  const accepted = asObject(moved.result.json).delivered !== false;
  if (moved.result.status === 200 && !wentThere)
    probe.check(moved.result, "test-result", !accepted, "delivered: false for a redirect");
}

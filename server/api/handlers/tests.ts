/** Sends a test. The API only records the request; a delivery process sends the test and records the outcome. */
import { setTimeout as pause } from "node:timers/promises";
import { webhookNotFound } from "../../base/errors.ts";
import { unavailable } from "../../contract/errors.ts";
import { exampleEventText } from "../../contract/example-event.ts";
import { assertHasUrl } from "../../contract/webhook-input.ts";
import { defaultPeriods } from "../../settings/periods.ts";
import { announceWork } from "../../store/delivery/announcements.ts";
import { canSend, readEndpoints } from "../../store/delivery/endpoint-states.ts";
import {
  forgetTest,
  readTest,
  requestTest,
  type TestResult,
  testPatienceSeconds,
} from "../../store/delivery/test-sends.ts";
import type { Pool } from "../../store/pool.ts";
import { getWebhook } from "../../store/webhooks/webhooks.ts";
import type { HandlerContext, ServiceHandlers } from "./context.ts";

/** The pause grows to a tenth of the wait so far, within these bounds: many requests may wait for endpoints that hang. */
const pollMs = { least: 25, most: 250 };
/** The wait for a delivery process and for the record of the exchange, besides the exchange itself. */
const courtesyMs = testPatienceSeconds * 1_000 + 500;

/** How long an answer of testWebhook may take in ms, which no other operation's does. @param timeoutMs of an attempt */
export const longestTestMs = (timeoutMs: number) => timeoutMs + courtesyMs + pollMs.most;

export function testHandlers(context: HandlerContext): Pick<ServiceHandlers, "testWebhook"> {
  const { pool } = context;
  const send = testSender(context);
  return {
    async testWebhook({ caller, path: { id } }) {
      const webhook = await getWebhook(pool, caller.accountId, id);
      assertHasUrl(webhook, "A test");
      return { status: 200, body: await send(id, await exampleEventText(webhook)) };
    },
  };
}

/** @returns what sends a test to a webhook with a URL, and waits for the outcome */
export function testSender({
  pool,
  keyring,
  periods = defaultPeriods,
}: HandlerContext): (webhookId: string, eventText: string) => Promise<TestResult> {
  const patienceMs = periods.timeoutMs + courtesyMs;
  return async (webhookId, eventText) => {
    // Without the secrets and headers nothing can be sent, which is better reported now.
    const [endpoint] = await readEndpoints(pool, [webhookId], keyring);
    if (endpoint?.unreadable && !canSend(endpoint)) throw endpoint.unreadable;
    const messageId = await requestTest(pool, webhookId, eventText);
    if (messageId === undefined) throw webhookNotFound(webhookId);
    await announceWork(pool, "tests");
    return resultOf(pool, { webhookId, messageId, patienceMs });
  };
}

async function resultOf(
  pool: Pool,
  { webhookId, messageId, patienceMs }: { webhookId: string; messageId: string; patienceMs: number },
): Promise<TestResult> {
  const startedAt = performance.now();
  for (;;) {
    const beforeMs = performance.now() - startedAt;
    await pause(Math.min(pollMs.most, Math.max(pollMs.least, beforeMs / 10)));
    const state = await readTest(pool, messageId);
    if (state === "gone") throw webhookNotFound(webhookId);
    if (typeof state !== "string") {
      await forgetTest(pool, messageId);
      return state;
    }
    const waitedMs = performance.now() - startedAt;
    // A process that claims it at the last moment has made it "taken" before it can be forgotten as waiting.
    if (
      state === "waiting" &&
      waitedMs > testPatienceSeconds * 1_000 + pollMs.most &&
      (await forgetTest(pool, messageId))
    )
      throw unavailable("No delivery process took the test, and nothing was sent");
    if (waitedMs > patienceMs) {
      await forgetTest(pool, messageId);
      throw unavailable("The delivery process that took the test has not reported its outcome");
    }
  }
}

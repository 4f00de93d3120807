/** What a test can make the mock do: send notifications, fail requests, say what was sent, and forget everything. */
import { setTimeout as pause } from "node:timers/promises";
import type { Contract, LocatedOperation } from "../../../../server/contract/contract.ts";
import { HttpError } from "../../../../server/contract/errors.ts";
import { exampleEventText } from "../../../../server/contract/example-event.ts";
import { retractionText } from "../../../../server/matching/event.ts";
import { scenariosOf } from "../../notifications/scenarios.ts";
import type { MockAccount } from "../state/account.ts";
import type { Kept, MockWebhook } from "../state/records.ts";
import type { MockControl, Sent } from "../types.ts";
import { createFaults, type Faults } from "./faults.ts";
import { readFail, readSend } from "./input.ts";

const patienceMs = 15_000;
/** At most this many groups of failing requests wait. */
const faultsAtMost = 100;

/** @param operations those of the contract */
export function createControl(
  account: MockAccount,
  operations: ReadonlyMap<string, LocatedOperation>,
  contract: Contract,
): MockControl & { faults: Faults } {
  const { webhooks, outbox, log } = account;
  const faults = createFaults();
  const examples = scenariosOf(contract).map(({ name }) => name);

  function addressee(id: string | undefined): MockWebhook {
    if (id !== undefined) return webhooks.get(id);
    const [newest] = webhooks.own().sort((a, b) => b.record.createdAt - a.record.createdAt);
    if (!newest) throw new HttpError(404, "There is no webhook; create one first.");
    return newest;
  }

  /** Recorded together, so that their sequences follow one another. */
  async function record(
    webhook: MockWebhook,
    { count, example, retracted }: ReturnType<typeof readSend>,
  ): Promise<Kept[]> {
    const eventText = await exampleEventText(webhook.record, example);
    const texts = retracted ? [eventText, retractionText(eventText)] : [eventText];
    return Array.from({ length: count }, () => texts.map((text) => outbox.add(webhook, text))).flat();
  }

  return {
    faults,
    async send(options) {
      const wanted = readSend(options, examples);
      const webhook = addressee(wanted.webhookId);
      const { id: webhookId } = webhook.record;
      const results: Sent[] = [];
      const sendAll = async () => {
        if (wanted.wronglySigned) return forgeAll();
        const posts = inPosts(await record(webhook, wanted), webhook);
        if (wanted.outOfOrder) posts.reverse();
        const unanswered = posts.map((kept) =>
          kept.map(({ messageId, sequence }) => ({ webhookId, messageId, sequence })),
        );
        results.push(...unanswered.flat());
        for (const [at, kept] of posts.entries()) {
          const attempts = await Promise.all(kept.map((one) => outbox.attempt(one, "schedule")));
          for (const [index, attempt] of attempts.entries())
            if (attempt) Object.assign(unanswered[at]?.[index] ?? {}, { answer: answerOf(attempt) });
          if (wanted.duplicated && attempts.every(Boolean)) await outbox.duplicate(kept);
        }
      };
      const forgeAll = async () => {
        const eventText = await exampleEventText(webhook.record, wanted.example);
        for (const texts of inPosts(Array<string>(wanted.count).fill(eventText), webhook))
          for (const { messageId, sequence, ...entry } of await outbox.forge(webhook, texts))
            results.push({ webhookId, messageId, sequence, answer: answerOf(entry) });
      };
      await Promise.race([sendAll(), pause(patienceMs, undefined, { ref: false })]);
      return results.map((result) => ({ ...result }));
    },
    fail(options) {
      const fault = readFail(options, (id) => Object.keys(operations.get(id)?.responses ?? {}));
      if (faults.list().length >= faultsAtMost)
        throw new HttpError(400, `At most ${faultsAtMost} kinds of failing requests can wait; reset the mock.`);
      faults.add(fault);
    },
    sent: log.list,
    reset() {
      faults.reset();
      account.reset();
    },
  };
}

/** What goes into each POST: one by one, or for a webhook with batches as many as these may have. */
function inPosts<Item>(items: readonly Item[], { record }: MockWebhook): Item[][] {
  const size = record.metadata.batch?.maxItems ?? 1;
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

function answerOf(attempt: NonNullable<Sent["answer"]>): NonNullable<Sent["answer"]> {
  const { sentAt, durationMs, responseStatus, responseBody, errorClass } = attempt;
  return {
    sentAt,
    durationMs,
    ...(responseStatus !== undefined && { responseStatus }),
    ...(responseBody !== undefined && { responseBody }),
    ...(errorClass && { errorClass }),
  };
}

/** What a program has of its mock. The lists are copies. */
export function ofProgram(
  account: MockAccount,
  control: MockControl,
): { webhooks(): MockWebhook["record"][]; control: MockControl } {
  return {
    webhooks: () => account.webhooks.list().map(({ record }) => structuredClone(record)),
    control: {
      send: (given) => control.send(given),
      fail: (given) => control.fail(given),
      sent: () => structuredClone(control.sent()),
      reset: () => control.reset(),
    },
  };
}

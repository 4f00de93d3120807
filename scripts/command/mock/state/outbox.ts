/** Sends the mock's notifications as the service does: signed, in order, retried by its schedule. It keeps them with every attempt. */
import { randomUUID } from "node:crypto";
import type { components } from "../../../../generated/types.ts";
import { parseRetryAfter } from "../../../../server/base/retry-after.ts";
import { pauseAfter } from "../../../../server/delivery/send/attempt.ts";
import { messageIdOf } from "../../../../server/matching/message-id.ts";
import { dayMs, defaultPeriods } from "../../../../server/settings/periods.ts";
import type { SentEntry } from "../types.ts";
import { takeNext } from "./next-post.ts";
import type { Kept, MockWebhook } from "./records.ts";
import type { MockSender, MockTarget, SentMessage } from "./sender.ts";

type Attempt = components["schemas"]["Attempt"];
type Event = components["schemas"]["AddressActivityEvent"];
type Trigger = Attempt["trigger"];

const failingLimitMs = defaultPeriods.inactiveAfterDays * dayMs;

export type Outbox = {
  /** Records a notification, which is not sent yet. */
  add(webhook: MockWebhook, eventText: string): Kept;
  /** Makes one more attempt when its turn comes. @returns it; undefined where it must wait, since the webhook is inactive or deleted, or has no URL */
  attempt(kept: Kept, trigger: Trigger): Promise<Attempt | undefined>;
  /** Sends what waited for a webhook to become active. */
  wake(webhook: MockWebhook): void;
  /** Forgets what is due for a deleted webhook. */
  drop(webhook: MockWebhook): void;
  test(webhook: MockTarget, eventText: string): Promise<components["schemas"]["TestResult"]>;
  /** Sends a copy of the last attempt, as a service does that died before it recorded the answer. @param kept all of one POST */
  duplicate(kept: readonly Kept[]): Promise<void>;
  /** Sends what somebody else could have sent: with the webhook's next sequence, and a signature by another secret. */
  forge(webhook: MockWebhook, eventTexts: readonly string[]): Promise<SentEntry[]>;
  /** Forgets everything. */
  reset(): void;
  close(): Promise<void>;
};

/** How many notifications are kept, of all webhooks together. Beyond, the oldest are forgotten. */
const keptAtMost = 10_000;

/** A POST that has ended, when, and one random number for the pauses after it. */
type Ended = SentMessage & { endedAt: number; random: number };

/** @param options.retryPauseMs the pause before each retry, in place of the schedule's */
export function createOutbox(options: { sender: MockSender; retryPauseMs?: number | undefined }): Outbox {
  const { sender } = options;
  let all: Kept[] = [];

  function forget(kept: Kept): void {
    if (kept.retry) clearTimeout(kept.retry.timer);
    kept.retry = undefined;
    kept.wanted = undefined;
    settle(kept, undefined);
  }

  function keepFew(): void {
    if (all.length <= keptAtMost) return;
    const oldest = all.shift();
    if (!oldest) return;
    forget(oldest);
    const { notifications, waiting } = oldest.webhook;
    notifications.delete(oldest.messageId);
    oldest.webhook.waiting = waiting.filter((kept) => kept !== oldest);
  }

  function pump(webhook: MockWebhook): void {
    for (;;) {
      const next = takeNext(webhook, () => pump(webhook));
      if (next.length === 0) return;
      void send(webhook, next).finally(() => pump(webhook));
    }
  }

  /** @param all of one kind, so that what makes their attempts is the same */
  async function send(webhook: MockWebhook, all: readonly Kept[]): Promise<void> {
    const trigger = all[0]?.wanted ?? "schedule";
    for (const kept of all) {
      kept.wanted = undefined;
      if (trigger === "schedule") forgetRetry(kept);
      kept.isInFlight = true;
    }
    webhook.inFlight += 1;
    const attempts = all.map((kept) => kept.attempts.length + 1);
    const sent = await sender.send(webhook, all, { kind: "notification", attempts, trigger });
    webhook.inFlight -= 1;
    for (const kept of all) kept.isInFlight = false;
    const post = { endedAt: Date.now(), random: Math.random() };
    for (const kept of all) conclude(kept, trigger, sent && { ...sent, ...post });
  }

  function conclude(kept: Kept, trigger: Trigger, sent: Ended | undefined): void {
    const { webhook } = kept;
    if (!sent || webhook.isDeleted) {
      settle(kept, undefined);
      return;
    }
    const { outcome } = sent;
    const attempt: Attempt = { number: kept.attempts.length + 1, trigger, ...outcome };
    kept.attempts.push(attempt);
    if (trigger === "schedule") kept.scheduled += 1;
    noteHealth(webhook, attempt);
    if (attempt.errorClass && trigger === "schedule" && !isDelivered(kept)) scheduleRetry(kept, attempt, sent);
    if (!attempt.errorClass && kept.retry) forgetRetry(kept);
    settle(kept, attempt);
  }

  function forgetRetry(kept: Kept): void {
    if (kept.retry) clearTimeout(kept.retry.timer);
    kept.retry = undefined;
  }

  /** What failed in one POST is due at one moment. */
  function scheduleRetry(kept: Kept, { responseStatus }: Attempt, { retryAfter, endedAt, random }: Ended): void {
    const retryAfterMs = [429, 503].includes(responseStatus ?? 0) ? parseRetryAfter(retryAfter, endedAt) : undefined;
    const pausesMs = defaultPeriods.retryPausesMs;
    const pause = pauseAfter(kept.scheduled, { pausesMs, retryAfterMs, random });
    if (pause === undefined) {
      passOver(kept);
      return;
    }
    const pauseMs = options.retryPauseMs ?? pause;
    const at = endedAt + Math.round(pauseMs);
    kept.retry = { at, timer: setTimeout(() => retryDue(kept.webhook, at), pauseMs).unref() };
  }

  /** All that is due then, since the timers of several need not end together. */
  function retryDue({ notifications }: MockWebhook, at: number): void {
    for (const kept of notifications.values()) {
      if (kept.retry?.at !== at) continue;
      clearTimeout(kept.retry.timer);
      void outbox.attempt(kept, "schedule");
    }
  }

  const outbox: Outbox = {
    add(webhook, eventText) {
      const { transaction, removed = false } = JSON.parse(eventText) as Event;
      const { blockNumber, blockHash, txHash } = transaction;
      const before = [...webhook.notifications.values()].filter(
        (kept) => kept.transaction.txHash === txHash && kept.transaction.blockHash === blockHash,
      );
      const identity = { webhookId: webhook.record.id, blockHash, transactionHash: txHash };
      let occurrence = before.length;
      // Of those before, some may have been forgotten.
      while (webhook.notifications.has(messageIdOf({ ...identity, occurrence }))) occurrence += 1;
      webhook.sequence += 1;
      const kept: Kept = {
        webhook,
        messageId: messageIdOf({ ...identity, occurrence }),
        sequence: webhook.sequence,
        eventText,
        recordedAt: Date.now(),
        transaction: { blockNumber, blockHash, txHash },
        removed,
        attempts: [],
        scheduled: 0,
        retry: undefined,
        wanted: undefined,
        isInFlight: false,
        onAttempt: [],
      };
      webhook.notifications.set(kept.messageId, kept);
      all.push(kept);
      keepFew();
      return kept;
    },
    attempt(kept, trigger) {
      const { webhook } = kept;
      // Without a URL it is only read.
      if (webhook.isDeleted || webhook.record.url === undefined) return Promise.resolve(undefined);
      // One that waits for its first attempt gets only that one.
      const isFirstComing = kept.attempts.length === 0 && (kept.isInFlight || kept.wanted !== undefined);
      if (!isFirstComing) {
        if (kept.wanted === undefined) webhook.waiting.push(kept);
        kept.wanted = kept.wanted === "schedule" ? "schedule" : trigger;
      }
      if (webhook.record.status === "inactive") return Promise.resolve(undefined);
      const made = new Promise<Attempt | undefined>((resolve) => kept.onAttempt.push(resolve));
      // What is due at the same moment goes into one batch.
      if (webhook.record.metadata.batch) setImmediate(pump, webhook);
      else pump(webhook);
      return made;
    },
    wake: pump,
    drop(webhook) {
      for (const kept of webhook.notifications.values()) forget(kept);
      clearTimeout(webhook.gathering);
      webhook.waiting = [];
      all = all.filter((kept) => kept.webhook !== webhook);
    },
    async test(webhook, eventText) {
      const message = { messageId: randomUUID(), sequence: 0, eventText };
      const sent = await sender.send(webhook, [message], { kind: "test" });
      const { errorClass, ...outcome } = sent?.outcome ?? { sentAt: Date.now(), durationMs: 0, errorClass: "timeout" };
      return { messageId: message.messageId, delivered: !errorClass, ...outcome, ...(errorClass && { errorClass }) };
    },
    async duplicate(kept) {
      const [first] = kept;
      const attempts = kept.map((one) => one.attempts.length);
      if (first) await sender.send(first.webhook, kept, { kind: "duplicate", attempts });
    },
    async forge(webhook, eventTexts) {
      if (webhook.isDeleted) return [];
      const messages = eventTexts.map((eventText, index) => {
        return { messageId: randomUUID(), sequence: webhook.sequence + 1 + index, eventText };
      });
      return (await sender.send(webhook, messages, { kind: "forged" }))?.entries ?? [];
    },
    reset() {
      for (const kept of all) forget(kept);
      all = [];
      sender.abort();
    },
    async close() {
      outbox.reset();
      await sender.close();
    },
  };
  return outbox;
}

/** An ordered webhook gives it up, and its record says so. */
function passOver({ webhook: { record }, sequence }: Kept): void {
  if (!record.metadata.ordered) return;
  const { count, lastSequence } = record.passedOver ?? { count: 0, lastSequence: 0 };
  record.passedOver = { count: count + 1, lastSequence: Math.max(lastSequence, sequence), at: Date.now() };
}

function settle(kept: Kept, attempt: Attempt | undefined): void {
  for (const call of kept.onAttempt.splice(0)) call(attempt);
}

export const isDelivered = ({ attempts }: Kept): boolean => attempts.some(({ errorClass }) => !errorClass);

/** What an attempt says of the endpoint. */
function noteHealth({ record }: MockWebhook, { errorClass, responseStatus, sentAt }: Attempt): void {
  if (!errorClass) delete record.failingSince;
  else record.failingSince ??= sentAt;
  if (record.status === "inactive") return;
  const isFailing = record.failingSince !== undefined && Date.now() - record.failingSince > failingLimitMs;
  const statusReason = responseStatus === 410 ? "endpoint_gone" : isFailing ? "endpoint_failing" : undefined;
  if (statusReason) Object.assign(record, { status: "inactive", statusReason, statusSince: Date.now() });
}

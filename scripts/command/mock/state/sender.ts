/** Posts one message of the mock, or a batch, with the service's own code, and keeps a list of what was sent and what came back. */

import { settingsOf } from "../../../../server/delivery/endpoint/endpoint.ts";
import { createDialer } from "../../../../server/delivery/send/dialer.ts";
import type { Exchange, Outcome } from "../../../../server/delivery/send/exchange.ts";
import { createPost } from "../../../../server/delivery/send/post.ts";
import { defaultPeriods } from "../../../../server/settings/periods.ts";
import type { TargetPolicy, TargetReach } from "../../../../server/targets/targets.ts";
import type { SentEntry, SentOutcome } from "../types.ts";
import { type MockSecret, type MockWebhook, newMockSecret, newSharedSecret, secretsOf } from "./records.ts";

/** The newest POSTs, the oldest of them first. */
export type SentLog = {
  add(entry: SentEntry): void;
  list(): { sent: SentEntry[]; forgotten: number };
  reset(): void;
};

/** How many are listed. */
const listedAtMost = 1_000;

/** @param say called with a line for each */
export function createSentLog(say: (line: string) => void): SentLog {
  let sent: SentEntry[] = [];
  let forgotten = 0;
  return {
    add(entry) {
      sent.push(entry);
      if (sent.length > listedAtMost) forgotten += sent.splice(0, sent.length - listedAtMost).length;
      const { url, kind, sequence, responseStatus, errorClass } = entry;
      const allowedBy = errorClass === "blocked_address" ? "; --targets allows more" : "";
      say(`POST ${url} ${responseStatus ?? errorClass} (${kind} #${sequence}${allowedBy})`);
    },
    list: () => ({ sent: [...sent], forgotten }),
    reset() {
      sent = [];
      forgotten = 0;
    },
  };
}

type Message = { messageId: string; sequence: number; eventText: string };
export type SentMessage = { outcome: SentOutcome; retryAfter: string | undefined; entries: SentEntry[] };
/** What a POST is, and which attempt of each of its messages. */
type SentAs = Pick<SentEntry, "kind" | "trigger"> & { attempts?: readonly number[] };

export type MockSender = {
  /** @returns undefined for one that was aborted */
  send(webhook: MockWebhook, messages: readonly Message[], as: SentAs): Promise<SentMessage | undefined>;
  abort(): void;
  close(): Promise<void>;
};

const { timeoutMs } = defaultPeriods;

/** What the mock may call. */
export function policyOf(targets: TargetReach): TargetPolicy {
  return { allowPrivateTargets: true, ...(targets !== "any" && { within: targets }) };
}

type SenderOptions = {
  log: SentLog;
  targets: TargetReach;
  /** What signs the notifications in another form, too. */
  shared: MockSecret;
};

export function createMockSender({ log, targets, shared }: SenderOptions): MockSender {
  const policy = policyOf(targets);
  const dialer = createDialer(policy);
  const post = createPost({ dialer, policy, timeoutMs, now: Date.now });
  const inFlight = new Set<Exchange>();
  const sender: MockSender = {
    async send(webhook, messages, { attempts, ...as }) {
      const { id: webhookId, url, compatibility } = webhook.record;
      const isForged = as.kind === "forged";
      const keyOf = (secret: Buffer) => ({ secret, expiresAt: null });
      const own = isForged ? [newMockSecret()] : secretsOf(webhook);
      const secrets = own.map((secret) => keyOf(Buffer.from(secret.slice("whsec_".length), "base64")));
      const alsoSigning = isForged ? [newSharedSecret()] : secretsOf(shared);
      const sharedSecrets = alsoSigning.map((secret) => keyOf(Buffer.from(secret, "hex")));
      const settings = settingsOf({ url, active: true, secrets, sharedSecrets });
      const sentAt = Date.now();
      const ended = await new Promise<Outcome | undefined>((resolve) => {
        const { batch } = webhook.record.metadata;
        const addressee = { webhookId, batch, compatibility, ...settings };
        const exchange = post(addressee, messages, (outcome) => {
          // It may end before `post` returns, and is added to the set afterwards.
          queueMicrotask(() => inFlight.delete(exchange));
          resolve(outcome);
        });
        inFlight.add(exchange);
      });
      if (!ended) return undefined;
      const outcome = toOutcome(sentAt, ended);
      const entries = messages.map(({ messageId, sequence }, index): SentEntry => {
        const attempt = attempts?.[index];
        return { ...as, ...(attempt && { attempt }), webhookId, url, messageId, sequence, ...outcome };
      });
      for (const entry of entries) log.add(entry);
      return { outcome, retryAfter: ended.retryAfter, entries };
    },
    abort() {
      for (const exchange of inFlight) exchange.abort();
    },
    async close() {
      sender.abort();
      await dialer.destroy();
    },
  };
  return sender;
}

function toOutcome(sentAt: number, { durationMs, status, body, errorClass }: Outcome): SentOutcome {
  return {
    sentAt,
    durationMs,
    ...(status !== undefined && { responseStatus: status }),
    ...(body !== undefined && { responseBody: body }),
    ...(errorClass && { errorClass }),
  };
}

/** Sends one message of the mock, or a batch, and keeps a list of what was sent and what came back. What makes the POST is passed in. */
import type { components } from "../../../../generated/types.ts";
import type { Outcome } from "../../../../server/delivery/send/exchange.ts";
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

/** @param say called with a line for each @param allowedBy what would allow a POST that was not made */
export function createSentLog(say: (line: string) => void, allowedBy: string): SentLog {
  let sent: SentEntry[] = [];
  let forgotten = 0;
  return {
    add(entry) {
      sent.push(entry);
      if (sent.length > listedAtMost) forgotten += sent.splice(0, sent.length - listedAtMost).length;
      const { url, kind, sequence, responseStatus, errorClass } = entry;
      const hint = errorClass === "blocked_address" ? `; ${allowedBy}` : "";
      say(`POST ${url} ${responseStatus ?? errorClass} (${kind} #${sequence}${hint})`);
    },
    list: () => ({ sent: [...sent], forgotten }),
    reset() {
      sent = [];
      forgotten = 0;
    },
  };
}

/** What a POST has, or each part of a batch. */
export type Message = { messageId: string; sequence: number; eventText: string };
export type SentMessage = { outcome: SentOutcome; retryAfter: string | undefined; entries: SentEntry[] };
/** What a POST is, and which attempt of each of its messages. */
type SentAs = Pick<SentEntry, "kind" | "trigger"> & { attempts?: readonly number[] };

/**
 * What a POST has of the webhook's owner: headers, and what signs it. That is each of the webhook's secrets, and each of the account's where the
 * webhook has a `compatibility`.
 */
export type Signing = Readonly<Record<"secrets" | "sharedSecrets", readonly string[]>> & Pick<MockWebhook, "headers">;

/** What is sent to: a webhook, or the operational one. */
export type MockTarget = MockSecret &
  Pick<MockWebhook, "headers"> & {
    record: Pick<MockWebhook["record"], "id" | "url" | "compatibility"> & {
      metadata: Pick<MockWebhook["record"]["metadata"], "batch">;
      /** The form of the operational webhook's events. */
      operational?: components["schemas"]["OperationalFormat"];
    };
  };

/** The record of a webhook that has a URL. */
export type SendableRecord = MockTarget["record"] & { url: string };

/** Makes the POSTs: in Node over connections of its own, in a page by what it was given. */
export type Transport = {
  /** @returns undefined for one that was aborted */
  post(webhook: SendableRecord, messages: readonly Message[], signing: Signing): Promise<Outcome | undefined>;
  /** Ends all that are in flight. */
  abort(): void;
  close(): Promise<void>;
};

export type MockSender = Omit<Transport, "post"> & {
  /** @returns undefined for one that was aborted, and where the webhook has no URL */
  send(webhook: MockTarget, messages: readonly Message[], as: SentAs): Promise<SentMessage | undefined>;
};

/** @param shared what signs the notifications in another form, too */
export function createMockSender(log: SentLog, { post, abort, close }: Transport, shared: MockSecret): MockSender {
  return {
    async send(webhook, messages, { attempts, ...as }) {
      const { headers } = webhook;
      const { id: webhookId, url } = webhook.record;
      if (url === undefined) return undefined;
      const sentAt = Date.now();
      const ended = await post(
        { ...webhook.record, url },
        messages,
        as.kind === "forged"
          ? { secrets: [newMockSecret()], sharedSecrets: [newSharedSecret()], headers }
          : { secrets: secretsOf(webhook), sharedSecrets: secretsOf(shared), headers },
      );
      if (!ended) return undefined;
      const outcome = toOutcome(sentAt, ended);
      const entries = messages.map(({ messageId, sequence }, index): SentEntry => {
        const attempt = attempts?.[index];
        return { ...as, ...(attempt && { attempt }), webhookId, url, messageId, sequence, ...outcome };
      });
      for (const entry of entries) log.add(entry);
      return { outcome, retryAfter: ended.retryAfter, entries };
    },
    abort,
    close,
  };
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

/** Webhooks with options, each with a path of its own at one receiver: what arrives there, in which POSTs, and how it is answered. */

import type { AddressActivityNotification } from "../../client/receiver/index.ts";
import type { WebhookOptions } from "../../server/matching/new-webhook.ts";
import type { Outbox, OutboxWebhook } from "../support/outbox.ts";
import type { Delivered, Receiver } from "../support/receiver.ts";

/** An answer: a status, or what decides about each POST. */
export type Answer = number | ((delivered: Delivered) => number | { status: number; headers: Record<string, string> });

export type Hook = OutboxWebhook & {
  path: string;
  /** The POSTs that arrived. */
  posts(): Delivered[];
  /** Waits for POSTs. */
  arrived(count: number): Promise<Delivered[]>;
  /** How to answer from now on. */
  answer: Answer;
};

/** @returns a function that creates webhooks. The receiver then answers for them */
export function hooksAt(
  outbox: () => Outbox,
  receiver: () => Receiver,
): (options: WebhookOptions, answer?: Answer) => Promise<Hook> {
  const hooks = new Map<string, Hook>();
  return async (options, answer = 204) => {
    const path = `/${crypto.randomUUID()}`;
    const webhook = await outbox().addWebhook(receiver().url + path, undefined, undefined, options);
    const isOurs = (delivered: Delivered) => delivered.path === path;
    const hook: Hook = {
      ...webhook,
      path,
      posts: () => receiver().deliveries.filter(isOurs),
      arrived: (count) => receiver().waitFor(count, isOurs),
      answer,
    };
    hooks.set(path, hook);
    receiver().answer = (delivered, response) => {
      const how = hooks.get(delivered.path)?.answer ?? 204;
      const given = typeof how === "number" ? how : how(delivered);
      if (typeof given === "number") response.writeHead(given).end();
      else response.writeHead(given.status, given.headers).end();
    };
    return hook;
  };
}

/** The notifications of a POST. */
export function notificationsIn({ rawBody }: Delivered): AddressActivityNotification[] {
  return [JSON.parse(rawBody) as AddressActivityNotification | AddressActivityNotification[]].flat();
}

/** Which sequences the POSTs brought, by the messageIds of a webhook's notifications in the order of their sequence. */
export function sequencesIn(posts: readonly Delivered[], messageIds: readonly string[]): number[][] {
  return posts.map((post) => notificationsIn(post).map(({ messageId }) => messageIds.indexOf(messageId) + 1));
}

export type RetryRow = { sequence: number; attempts: number; dueAt: Date | null };

export async function retriesOf({ pool }: Outbox, { id }: OutboxWebhook): Promise<RetryRow[]> {
  const { rows } = await pool.query<RetryRow>(
    `SELECT sequence, attempts, due_at AS "dueAt" FROM retries WHERE webhook_id = $1 ORDER BY sequence`,
    [id],
  );
  return rows;
}

/** Makes a webhook's retries due. @param sequences all by default */
export async function makeDue({ pool }: Outbox, { id }: OutboxWebhook, sequences?: readonly number[]): Promise<void> {
  await pool.query(
    `UPDATE retries SET due_at = now() WHERE webhook_id = $1 AND due_at IS NOT NULL AND ($2::bigint[] IS NULL OR sequence = ANY($2))`,
    [id, sequences ?? null],
  );
}

export const numbersTo = (count: number, from = 1) =>
  Array.from({ length: count - from + 1 }, (_, index) => from + index);

/** What operations answer: pages, the answer before to a repeated request, and the error for what does not exist. */
import { isDeepStrictEqual } from "node:util";
import { HttpError, type Output } from "chain-webhooks-tools/server";
import type { Stored } from "./store.ts";

export const served = {
  chains: [{ chainId: "43114", name: "Avalanche C-Chain", traces: true, finality: "latest" as const }],
  allowPrivateTargets: true,
};

export const ok = <Body>(body: Body) => ({ status: 200 as const, body });

export function missing(what: string): never {
  throw new HttpError(404, `There is no such ${what}.`);
}

/** A secret as AvaCloud has it. */
export function inHex<Shown extends { secret: string }>({ secret, ...rest }: Shown): Shown {
  return { ...rest, secret: Buffer.from(secret.slice("whsec_".length), "base64").toString("hex") } as Shown;
}

const token = /^(\d{16}|0x[0-9a-f]{40})$/;

/**
 * @param keyOf rises along the list, so that the next page begins at the right place even if the last item of this one is deleted
 * @returns a page, and the token for the next one, which is the key of its last item
 */
export function page<Name extends string, T>(
  name: Name,
  all: T[],
  keyOf: (one: T) => string,
  { pageToken, pageSize }: { pageToken?: string; pageSize: number },
): Record<Name, T[]> & { nextPageToken?: string } {
  if (pageToken !== undefined && !token.test(pageToken))
    throw new HttpError(400, "pageToken must be the nextPageToken of the page before.");
  const rest = all.filter((one) => pageToken === undefined || keyOf(one) > pageToken);
  const items = rest.slice(0, pageSize);
  const last = rest.length > pageSize ? items.at(-1) : undefined;
  const next = last === undefined ? {} : { nextPageToken: keyOf(last) };
  return { [name]: items, ...next } as Record<Name, T[]> & { nextPageToken?: string };
}

/** A record with its share of the 10,000 addresses that a page has. */
export function inPageOf(pageSize: number, record: Stored["record"]): Stored["record"] {
  const addresses = record.metadata.addresses.slice(0, Math.floor(10_000 / pageSize));
  return { ...record, metadata: { ...record.metadata, addresses } };
}

type Answer = Output<"createWebhook">;

/** Answers, or repeats the answer to the same key. A real server forgets it after 24 hours. @param exists whether the webhook of the first answer still exists */
export function answersOnce(exists: (id: string) => boolean) {
  const answered = new Map<string, { body: unknown; answer: Promise<Answer> }>();
  return async (key: string | undefined, body: unknown, answer: () => Promise<Answer>): Promise<Answer> => {
    if (key === undefined) return answer();
    const before = answered.get(key);
    if (before && !isDeepStrictEqual(before.body, body))
      throw new HttpError(409, "The header Idempotency-Key must not have been used with another body.");
    if (before && !exists((await before.answer).body.id))
      throw new HttpError(409, "The header Idempotency-Key must not be that of a webhook that was deleted.");
    if (before) return before.answer;
    const first = answer();
    answered.set(key, { body, answer: first });
    // A failed request may be sent again under the same key.
    first.catch(() => answered.delete(key));
    return first;
  };
}

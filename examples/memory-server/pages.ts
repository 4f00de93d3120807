/** Lists of webhooks: their pages, and what leaves them. */
import { HttpError } from "chain-webhooks/server";
import { type Stored, update } from "./store.ts";

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

/** The webhooks of a status, or of any, the newest first. */
export function listed(webhooks: ReadonlyMap<string, Stored>, status?: Stored["record"]["status"]): Stored[] {
  return [...webhooks.values()].reverse().filter(({ record }) => record.status === (status ?? record.status));
}

/** @returns its last record */
export function remove(webhooks: Map<string, Stored>, stored: Stored): Stored["record"] {
  webhooks.delete(stored.record.id);
  return update(stored, { status: "inactive" });
}

/** A record with its share of the 10,000 addresses that a page has. */
export function inPageOf(pageSize: number, record: Stored["record"]): Stored["record"] {
  const addresses = record.metadata.addresses.slice(0, Math.floor(10_000 / pageSize));
  return { ...record, metadata: { ...record.metadata, addresses } };
}

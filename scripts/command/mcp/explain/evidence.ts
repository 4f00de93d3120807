/** What the API says of a webhook and a transaction: the notifications of it, and the addresses that both have. */
import type { components } from "../../../../generated/types.ts";
import type { Api } from "../api.ts";

type Schemas = components["schemas"];
export type Webhook = Schemas["Webhook"];
export type NotificationRecord = Schemas["NotificationRecord"];

/** 10,000 notifications, at 200 a page. */
const maxPages = 50;
/** 20,000 addresses, at 1,000 a page. */
const maxAddressPages = 20;

/** The notifications of a transaction. */
export type Found = {
  records: NotificationRecord[];
  /** The sequence up to which was searched; undefined when all were. */
  searchedTo: number | undefined;
};

/** Goes through a webhook's notifications, since the API has no query by transaction. */
export async function notificationsOf(
  api: Api,
  { id, txHash, afterSequence }: { id: string; txHash: string; afterSequence: number },
  signal: AbortSignal,
): Promise<Found> {
  const records: NotificationRecord[] = [];
  let after = afterSequence;
  for (let page = 0; page < maxPages; page += 1) {
    const query = { afterSequence: after, pageSize: 200 };
    const { notifications, nextPageToken } = await api.read("listNotifications", { path: { id }, query }, signal);
    records.push(...notifications.filter((record) => record.txHash === txHash));
    const last = notifications.at(-1);
    // A server that ignores afterSequence would have us read the same page for ever.
    if (!nextPageToken || !last || last.sequence <= after) return { records, searchedTo: undefined };
    after = last.sequence;
  }
  return { records, searchedTo: after };
}

/** Which of some addresses a webhook watches. */
export type Watched = { addresses: string[]; complete: boolean };

/** @param addresses in lower case */
export async function watchedAmong(
  api: Api,
  { id, metadata, addressCount }: Webhook,
  addresses: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Watched> {
  const among = (listed: readonly string[]) => listed.filter((address) => addresses.has(address));
  if (addressCount <= metadata.addresses.length) return { addresses: among(metadata.addresses), complete: true };
  const watched: string[] = [];
  let pageToken: string | undefined;
  for (let page = 0; page < maxAddressPages; page += 1) {
    const query = { pageSize: 1000, ...(pageToken && { pageToken }) };
    const answer = await api.read("listWebhookAddresses", { path: { id }, query }, signal);
    watched.push(...among(answer.addresses));
    pageToken = answer.nextPageToken;
    if (!pageToken) return { addresses: watched, complete: true };
  }
  return { addresses: watched, complete: false };
}

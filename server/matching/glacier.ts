/**
 * A notification in Glacier's form, for webhooks with that compatibility: what AvaCloud's SDK parses, as canonical JSON (RFC 8785), which its
 * signature is over. It is made from the stored text of the event where that is sent or shown, so storing and matching know nothing of it, and
 * the text is the same whenever it is made. An event may have thousands of logs, and megabytes, so it is made in parts.
 */
import type { components } from "../../generated/types.ts";
import { atOnce, notificationText, partCharacters } from "./event.ts";
import type { WebhookOptions } from "./new-webhook.ts";

type Schemas = components["schemas"];
type Transaction = Schemas["Transaction"];
/** A notification whose event is the text that is stored. */
type Stored = { webhookId: string; messageId: string; eventText: string };

/** The exact body of a notification. */
export function glacierText(notification: Stored): string {
  return atOnce(glacierTextInParts(notification));
}

/** The same, with a pause after each part, so that others are served meanwhile. */
export function* glacierTextInParts({ webhookId, messageId, eventText }: Stored): Generator<undefined, string> {
  return objectText({
    event: yield* eventInParts(eventText),
    eventType: '"address_activity"',
    messageId: JSON.stringify(messageId),
    webhookId: JSON.stringify(webhookId),
  });
}

/** A notification as the API shows it: in the usual form, and for a webhook with that compatibility also in Glacier's. */
export function payloadsOf(
  notification: Stored,
  compatibility: WebhookOptions["compatibility"],
): Pick<Schemas["NotificationDetail"], "payload" | "glacierPayload"> {
  const payload = JSON.parse(notificationText(notification));
  return { payload, ...(compatibility && { glacierPayload: JSON.parse(glacierText(notification)) }) };
}

/** The body that is sent of a notification alone. */
export const sentText = (notification: Stored, compatibility: WebhookOptions["compatibility"]): string =>
  compatibility ? glacierText(notification) : notificationText(notification);

/** The lists of a transaction, in the order in which they are stored, and the first field of their items. */
const lists = [
  { name: "internalTransactions", first: "from", item: (frame: Schemas["InternalTransaction"]) => frame },
  {
    name: "erc20Transfers",
    first: "transactionHash",
    item: ({ erc20Token, ...transfer }: Schemas["Erc20Transfer"]): Schemas["GlacierErc20Transfer"] => ({
      ...transfer,
      erc20Token: tokenOf(erc20Token, transfer.value),
    }),
  },
  {
    name: "erc721Transfers",
    first: "transactionHash",
    item: ({ erc721Token, ...transfer }: Schemas["Erc721Transfer"]): Schemas["GlacierErc721Transfer"] => ({
      ...transfer,
      erc721Token: tokenOf(erc721Token, transfer.value),
    }),
  },
  {
    name: "erc1155Transfers",
    first: "transactionHash",
    item: ({ erc1155Token, ...transfer }: Schemas["Erc1155Transfer"]): Schemas["GlacierErc1155Transfer"] => ({
      ...transfer,
      erc1155Token: tokenOf(erc1155Token, transfer.value),
    }),
  },
  { name: "nativeTransfers", first: "transactionHash", item: (transfer: Schemas["NativeTransfer"]) => transfer },
] as const;

function tokenOf(token: Schemas["TransferredToken"], value: string): Schemas["GlacierToken"] {
  const { address, name, symbol, decimals, valueWithDecimals } = token;
  return {
    address,
    name: name ?? "",
    symbol: symbol ?? "",
    decimals: decimals ?? 0,
    valueWithDecimals: valueWithDecimals ?? value,
  };
}

function logOf(log: Schemas["Log"]): Schemas["GlacierLog"] {
  const { address, topic0, topic1, topic2, topic3, data, transactionIndex, logIndex, removed } = log;
  return {
    address,
    topic0: topic0 ?? "",
    ...(topic1 !== null && { topic1 }),
    ...(topic2 !== null && { topic2 }),
    ...(topic3 !== null && { topic3 }),
    ...{ data, transactionIndex, logIndex, removed },
  };
}

/**
 * Finds the parts of a stored event by the names of their fields. A quote within a text is escaped there, so a name with its quotes can only be
 * that of a field.
 */
function* eventInParts(eventText: string): Generator<undefined, string> {
  const opening = '"transaction":{';
  const retracted = ',"removed":true}';
  const isRetraction = eventText.endsWith(retracted);
  const end = eventText.length - (isRetraction ? retracted.length : 1);
  const start = eventText.indexOf(opening);
  const logs = eventText.indexOf(',"logs":[', start);
  const transaction = eventText.slice(start + opening.length, (logs < 0 ? end : logs) - 1);
  // What the event says of its finality comes first.
  const finality = fieldsOf(JSON.parse(`${eventText.slice(0, start).replace(/,$/, "")}}`));
  return objectText({
    ...finality,
    transaction: yield* transactionInParts(transaction),
    ...(logs >= 0 && { logs: yield* listInParts(eventText.slice(logs + 9, end - 1), "address", logOf) }),
    ...(isRetraction && { removed: "true" }),
  });
}

/** @param text the fields of a stored transaction */
function* transactionInParts(text: string): Generator<undefined, string> {
  const starts = lists.map(({ name }) => text.indexOf(`,"${name}":[`));
  const ends = [...starts.filter((start) => start >= 0), text.length];
  const own = JSON.parse(`{${text.slice(0, ends[0])}}`) as Transaction;
  const none = { erc20Transfers: [], erc721Transfers: [], erc1155Transfers: [], nativeTransfers: [] };
  const fields = { ...fieldsOf({ txStatus: "1", ...own }), ...fieldsOf(none) };
  for (const [index, { name, first, item }] of lists.entries()) {
    const start = starts[index] ?? -1;
    if (start < 0) continue;
    const end = ends.find((after) => after > start) ?? text.length;
    fields[name] = yield* listInParts(
      text.slice(start + name.length + 5, end - 1),
      first,
      item as (of: object) => object,
    );
  }
  return objectText(fields);
}

/** @param text the items of a list, each of which begins with the field `first` */
function* listInParts<Item extends object>(
  text: string,
  first: string,
  convert: (item: Item) => object,
): Generator<undefined, string> {
  const separator = `},{"${first}":`;
  const parts: string[] = [];
  let items: string[] = [];
  let pausedAt = 0;
  for (let from = 0; from < text.length; ) {
    const found = text.indexOf(separator, from);
    const end = found < 0 ? text.length : found + 1;
    items.push(canonical(convert(JSON.parse(text.slice(from, end)))));
    // Behind the item is a comma, or the end of the list.
    from = end + 1;
    if (from - pausedAt < partCharacters && from < text.length) continue;
    pausedAt = from;
    parts.push(items.join(","));
    items = [];
    yield;
  }
  return `[${parts.join(",")}]`;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  return typeof value === "object" && value !== null ? objectText(fieldsOf(value)) : JSON.stringify(value);
}

function fieldsOf(object: object): Record<string, string> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, canonical(value)]));
}

/** The names of our fields are ASCII, which any sorting orders as RFC 8785 does. */
function objectText(fields: Readonly<Record<string, string>>): string {
  const names = Object.keys(fields).sort();
  return `{${names.map((name) => `"${name}":${fields[name]}`).join(",")}}`;
}

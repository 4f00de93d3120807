/** A webhook that is about to be created, after the contract's enforcement has read it and before the store has written it. */
import { glacierHeader, notificationHeader } from "../../generated/notification-header.ts";
import type { components } from "../../generated/types.ts";

type Schemas = components["schemas"];
type MetadataInput = Schemas["WebhookMetadataInput"];

/** What a webhook can have besides the fields that every webhook has: only what was asked for, as its record shows it. */
export type WebhookOptions = Pick<MetadataInput, "includeTransfers" | "abi" | "conditions" | "anyAddress" | "ordered"> &
  Pick<Schemas["WebhookMetadata"], "createdBy" | "batch"> &
  Pick<Schemas["Webhook"], "finality" | "compatibility">;

/** A webhook to create: every field is set. Addresses and signatures are 0x-prefixed, in lower case, each once. */
export type NewWebhook = Required<
  Omit<
    Schemas["WebhookCreate"],
    | ("metadata" | "finality" | "compatibility" | "fromBlock" | "historyMode" | "url" | "delivery" | "maxPerSecond")
    | "headers"
  >
> & {
  /** Absent for one that is only read by its feed. */
  url?: string;
  /** How many POSTs begin in a second at most. Absent for no limit. */
  maxPerSecond?: number;
  /** The names of its own headers, as they were given. Absent for none. Their values are apart (`readHeaders`), so that no record shows them. */
  headerNames?: string[];
  addresses: readonly string[];
  eventSignatures: readonly string[];
  /** Absent if it has none. */
  options?: WebhookOptions;
};

/** A header of a webhook's own, which its notifications have besides the service's. */
export type WebhookHeader = readonly [name: string, value: string];

/** The header, in lower case, that has PagerDuty's integration key. PagerDuty takes it in the body, so it is written there. */
export const routingKeyHeader = "x-routing-key";

/** What the service sends itself, what frames a request, and what would ask for an answer that the service does not read. */
const reservedNames: ReadonlySet<string> = new Set([
  ...[...Object.values(notificationHeader), ...Object.values(glacierHeader), "user-agent", "host", "date"],
  ...["connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "http2-settings", "expect"],
  ...["accept-encoding", "traceparent", "tracestate", "baggage"],
]);
const reservedPrefixes = ["webhook-", "content-", "proxy-"];

/** Whether no webhook may have a header of this name. */
export function isReservedHeader(name: string): boolean {
  const key = name.toLowerCase();
  return reservedNames.has(key) || reservedPrefixes.some((prefix) => key.startsWith(prefix));
}

/** As in the contract. */
const [headerName, headerValue] = [/^[!#-'*+.0-9A-Z^-z|~-]{1,64}$/, /^[!-~]([ -~]*[!-~])?$/];

/** Whether a header changes nothing of what the service sends, and ends where it seems to. */
export const isSendableHeader = ([name, value]: WebhookHeader): boolean =>
  headerName.test(name) && headerValue.test(value) && !isReservedHeader(name);

/**
 * The logs that can match webhooks that match by nothing else: those with one of the signatures in which one of the addresses takes part. All in
 * lower case.
 */
export type LogInterest = readonly {
  signatures: readonly string[];
  /** Undefined for any address. */
  addresses: readonly string[] | undefined;
}[];

/** Whether such a webhook can match by a log only. One with a factory watches more with each block, and one with call frames is notified of those. */
export function matchesByLogsOnly({
  eventSignatures,
  includeInternalTxs,
  options,
}: Pick<NewWebhook, "eventSignatures" | "includeInternalTxs" | "options">): boolean {
  return eventSignatures.length > 0 && !includeInternalTxs && options?.createdBy === undefined;
}

/** What the rule needs of a webhook. A caller's type may have more. */
export type WebhookFilter = {
  /** A UUID in lower case. */
  id: string;
  /** Whose part of the block's effort it is; absent where only the caller waits. */
  accountId?: number;
  /** In lower case. If empty, every participant matches. */
  eventSignatures: ReadonlySet<string>;
  includeInternalTxs: boolean;
  /** Unused here; it decides on the payload. */
  includeLogs: boolean;
  /** Absent if it has none. */
  options?: WebhookOptions;
};

/** How many comparisons conditions have. */
export function comparisonsIn({ all = [], any = [], not }: NonNullable<WebhookOptions["conditions"]>): number {
  const inner = [...all, ...any, ...(not ? [not] : [])];
  return inner.length === 0 ? 1 : inner.reduce((sum, one) => sum + comparisonsIn(one), 0);
}

/** The options as matching needs them. An ABI says which values conditions compare; otherwise it is only what logs are decoded by. */
export function matchedOptions({ abi, ...others }: WebhookOptions): WebhookOptions {
  return abi && others.conditions && comparesArguments(others.conditions) ? { ...others, abi } : others;
}

function comparesArguments({ field, all = [], any = [], not }: NonNullable<WebhookOptions["conditions"]>): boolean {
  return field?.startsWith("args.") || [...all, ...any, ...(not ? [not] : [])].some(comparesArguments);
}

/** The events by which a webhook's logs are decoded. Glacier's form has no place for that. */
export function decodingAbi({ abi, compatibility }: WebhookOptions = {}): WebhookOptions["abi"] {
  return compatibility ? undefined : abi;
}

/** Where a record shows the options: finality and compatibility at the top level, the others in `metadata`. */
export function shownOptions({ finality, compatibility, ...metadata }: WebhookOptions): {
  top: Pick<Schemas["Webhook"], "finality" | "compatibility">;
  metadata: Partial<Schemas["WebhookMetadata"]>;
} {
  return { top: { ...(finality !== undefined && { finality }), ...(compatibility && { compatibility }) }, metadata };
}

/**
 * Conditions stated once more, as plainly as they read: each candidate by itself, each value compared as what it is. It shares with the real
 * ones what says which transfers a block has, and how a log is decoded; both are tested elsewhere.
 */
import { compileAbi, decodeLog } from "../../server/matching/abi.ts";
import type { Condition } from "../../server/matching/conditions.ts";
import { nativeTransfersAt, type Transfer, tokenTransfers } from "../../server/matching/transfers.ts";
import type { BlockBundle, WireLog } from "../../server/matching/wire.ts";
import type { WebhookOptions } from "../../server/new-webhook.ts";
import { type NaiveWebhook, naiveMatches } from "./naive-rule.ts";

export type ConditionalWebhook = NaiveWebhook & { options: Pick<WebhookOptions, "conditions" | "abi"> };

/** Which webhook is notified of which transaction, as `naiveMatches` says it. */
export function naiveConditionalMatches(bundle: BlockBundle, webhooks: ConditionalWebhook[]): string[] {
  const byId = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
  return naiveMatches(bundle, webhooks).filter((match) => {
    const [index = "", id = ""] = match.split(":");
    const webhook = byId.get(id);
    const conditions = webhook?.options.conditions;
    if (!webhook || !conditions) return true;
    const candidates = fieldsOf(conditions).every((field) => field.startsWith("transaction."))
      ? [{}]
      : candidatesOf(bundle, Number(index), webhook);
    return candidates.some((candidate) => holds(conditions, { bundle, index: Number(index), webhook, ...candidate }));
  });
}

function fieldsOf({ all = [], any = [], not, field }: Condition): string[] {
  return [...all, ...any, ...(not ? [not] : [])].flatMap(fieldsOf).concat(field ?? []);
}

type Candidate = { log?: WireLog; transfer?: Transfer };

function candidatesOf(bundle: BlockBundle, index: number, webhook: ConditionalWebhook): Candidate[] {
  const receipt = bundle.receipts[index];
  if (!receipt) throw new Error("incomplete bundle");
  // A recorded transaction has 10,001 logs.
  const transfers = new Map<number | null, Transfer[]>();
  for (const transfer of tokenTransfers(receipt))
    transfers.set(transfer.logIndex, [...(transfers.get(transfer.logIndex) ?? []), transfer]);
  const logs = receipt.status === "0x0" ? [] : receipt.logs;
  const pairs = logs.flatMap((log, logIndex): Candidate[] => {
    const own = transfers.get(logIndex) ?? [];
    return own.length > 0 ? own.map((transfer) => ({ log, transfer })) : [{ log }];
  });
  const withInternal = webhook.includeInternalTxs && bundle.traces !== undefined;
  const native = nativeTransfersAt(bundle, index, withInternal).map((transfer): Candidate => ({ transfer }));
  return [...pairs, ...native].filter(({ log, transfer }) => {
    const topics = log?.topics.map((topic) => topic.toLowerCase()) ?? [];
    if (webhook.eventSignatures.length > 0 && !webhook.eventSignatures.includes(topics[0] ?? "")) return false;
    const parties = [log?.address.toLowerCase(), transfer?.from, transfer?.to];
    for (const topic of topics.slice(1))
      if (topic.startsWith("0x000000000000000000000000")) parties.push(`0x${topic.slice(26)}`);
    return webhook.addresses.some((address) => parties.includes(address));
  });
}

type Context = Candidate & { bundle: BlockBundle; index: number; webhook: ConditionalWebhook };

function holds({ all, any, not, field = "", op = "eq", value = "" }: Condition, context: Context): boolean {
  if (all) return all.every((one) => holds(one, context));
  if (any) return any.some((one) => holds(one, context));
  if (not) return !holds(not, context);
  const own = valuesOf(field, context);
  const wanted = [value].flat();
  if (own.length === 0) return false;
  if (op === "ne") return !own.some((one) => isEqual(one, wanted[0] ?? ""));
  if (op === "eq" || op === "in") return own.some((one) => wanted.some((other) => isEqual(one, other)));
  const [left, right] = [BigInt(own[0] ?? ""), BigInt(wanted[0] ?? "")];
  if (op === "gt") return left > right;
  if (op === "gte") return left >= right;
  return op === "lt" ? left < right : left <= right;
}

const number = /^(-?\d+|0x[0-9a-f]+)$/i;

/** Hex is never read as a number from a log. No number is written as 07, which a text may be. */
function isEqual(own: string, wanted: string): boolean {
  if (own.startsWith("0x") || wanted === "07") return own.toLowerCase() === wanted.toLowerCase();
  return number.test(own) && number.test(wanted) ? BigInt(own) === BigInt(wanted) : own === wanted;
}

/** None if the candidate lacks it; the direction may have two. */
function valuesOf(field: string, { bundle, index, webhook, log, transfer }: Context): string[] {
  const [transaction, receipt] = [bundle.block.transactions[index], bundle.receipts[index]];
  if (!transaction || !receipt) throw new Error("incomplete bundle");
  const zero = `0x${"0".repeat(40)}`;
  const own = (value: unknown) => (value === undefined || value === null ? [] : [String(value)]);
  const watched = (address: string | undefined) => address !== undefined && webhook.addresses.includes(address);
  switch (field) {
    case "transaction.value":
      return own(BigInt(transaction.value ?? 0));
    case "transaction.status":
      return own(receipt.status && Number(receipt.status));
    case "transaction.from":
      return own(transaction.from ?? zero);
    case "transaction.to":
      return own(transaction.to ?? zero);
    case "transaction.method":
      return (transaction.input?.length ?? 0) < 10 || !transaction.to ? [] : own(transaction.input?.slice(0, 10));
    case "transfer.direction":
      return [...(watched(transfer?.to) ? ["in"] : []), ...(watched(transfer?.from) ? ["out"] : [])];
    default:
      if (field.startsWith("transfer.")) return own(transfer?.[field.slice("transfer.".length) as keyof Transfer]);
      return own(log && webhook.options.abi && argument(webhook.options.abi, log, field));
  }
}

const decodedOf = new WeakMap<WireLog, Map<unknown, ReturnType<typeof decodeLog>>>();

function argument(abi: NonNullable<WebhookOptions["abi"]>, log: WireLog, field: string): unknown {
  const decoded = decodedOf.get(log) ?? new Map<unknown, ReturnType<typeof decodeLog>>();
  decodedOf.set(log, decoded);
  if (!decoded.has(abi)) decoded.set(abi, decodeLog(compileAbi(abi), log));
  let value: unknown = decoded.get(abi)?.decoded?.args;
  for (const name of field.split(".").slice(1)) value = (value as Record<string, unknown> | undefined)?.[name];
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>).hash : value;
}

/** Sorts notifications by what they say: a handler or a narrower type for each kind, and numbers as `bigint` for whoever wants them. */
import { decimalFields, freeFields } from "../../generated/decimal-fields.ts";
import type { components } from "../../generated/types.ts";
import type { NotificationAttempt, ReceiverOptions } from "./receive.ts";
import type { AddressActivityNotification } from "./verify.ts";

type Schemas = components["schemas"];

/** A transfer of a token or of the native coin; `type` tells which. */
export type Transfer =
  | Schemas["Erc20Transfer"]
  | Schemas["Erc721Transfer"]
  | Schemas["Erc1155Transfer"]
  | Schemas["NativeTransfer"];

/** A log that an event of the webhook's `abi` fits. */
export type DecodedLog = Schemas["Log"] & { decoded: Schemas["DecodedLog"] };

/** What a notification does: it says what happened, takes that back, or says that it is final. */
export type NotificationKind = "activity" | "retraction" | "finalized";

/** Where a transfer or a log comes from. */
export type NotificationContext = NotificationAttempt & {
  notification: AddressActivityNotification;
  kind: NotificationKind;
};

type Handler = (notification: AddressActivityNotification, attempt: NotificationAttempt) => unknown;

/** A handler for each kind. Those for parts of a notification come after the one for the whole. */
export type KindHandlers = {
  /** Something happened. */
  activity?: Handler;
  /** What was notified before has left the chain: the same event with `removed: true`. */
  retraction?: Handler;
  /** What happened is final: webhooks with the finality `finalized` or `both`. Without this handler, `activity` gets these, too. */
  finalized?: Handler;
  /** Each transfer of a notification with `includeTransfers`, whatever its kind. */
  transfer?: (transfer: Transfer, context: NotificationContext) => unknown;
  /** Each decoded log by its event's name, whatever the notification's kind. */
  events?: Readonly<Record<string, (log: DecodedLog, context: NotificationContext) => unknown>>;
};

/**
 * Makes an `onNotification` from handlers by kind. Each is awaited before the next; when one throws, the service sends the notification
 * again, and all of them are called again.
 *
 * @example
 * createExpressReceiver({
 *   secret,
 *   onNotification: byKind({
 *     transfer: ({ type, from, to, value }, { kind }) => book(type, from, to, value, kind),
 *     events: { Swap: ({ decoded }) => record(decoded.args) },
 *     retraction: ({ event }) => undo(event.transaction.txHash),
 *   }),
 * });
 */
export function byKind(handlers: KindHandlers): ReceiverOptions["onNotification"] {
  const { activity, retraction, finalized = activity, transfer, events = {} } = handlers;
  const handlerOf = { activity, retraction, finalized };
  return async (notification, attempt) => {
    const kind = kindOf(notification);
    await handlerOf[kind]?.(notification, attempt);
    const context = { ...attempt, notification, kind } as const;
    if (transfer) for (const one of transfersOf(notification)) await transfer(one, context);
    for (const log of notification.event.logs ?? [])
      if (isDecoded(log) && Object.hasOwn(events, log.decoded.name)) await events[log.decoded.name]?.(log, context);
  };
}

/** What a notification does. A retraction of something final is a retraction. */
export function kindOf({ event }: AddressActivityNotification): NotificationKind {
  return event.removed ? "retraction" : event.finalized ? "finalized" : "activity";
}

/** A notification with transfers. All four lists are there, and at least one of them has an item. */
export type TransferNotification = AddressActivityNotification & {
  event: {
    transaction: Required<
      Pick<Schemas["Transaction"], "nativeTransfers" | "erc20Transfers" | "erc721Transfers" | "erc1155Transfers">
    >;
  };
};

/**
 * Whether tokens or the native coin were transferred: for webhooks with `includeTransfers`. It is also true of the retraction that takes transfers back,
 * and, with the finality `both`, of the second notification that says that they are final.
 * @example if (kindOf(notification) === "activity" && isTransfer(notification)) for (const { type, value } of transfersOf(notification)) book(type, value);
 */
export function isTransfer(notification: AddressActivityNotification): notification is TransferNotification {
  const { nativeTransfers, erc20Transfers, erc721Transfers, erc1155Transfers } = notification.event.transaction;
  return (
    [nativeTransfers, erc20Transfers, erc721Transfers, erc1155Transfers].every(Array.isArray) &&
    transfersOf(notification).length > 0
  );
}

/** Whether what was notified before has left the chain. */
export function isRetraction(
  notification: AddressActivityNotification,
): notification is AddressActivityNotification & { event: { removed: true } } {
  return kindOf(notification) === "retraction";
}

/** Whether it says that something is final: for webhooks with the finality `finalized` or `both`. */
export function isFinalized(
  notification: AddressActivityNotification,
): notification is AddressActivityNotification & { event: { finalized: true } } {
  return kindOf(notification) === "finalized";
}

/** Whether an event of the webhook's `abi` fits a log. */
export function isDecoded(log: Schemas["Log"]): log is DecodedLog {
  return log.decoded !== undefined;
}

/** All transfers of a notification with `includeTransfers`, in one list. The `type` of each tells which fields it has. */
export function transfersOf({ event: { transaction } }: AddressActivityNotification): Transfer[] {
  const { nativeTransfers = [], erc20Transfers = [], erc721Transfers = [], erc1155Transfers = [] } = transaction;
  return [...nativeTransfers, ...erc20Transfers, ...erc721Transfers, ...erc1155Transfers];
}

/** The same with `bigint` where the contract has a whole number as a string. */
export type WithBigInts<Value> = Value extends readonly (infer Item)[]
  ? WithBigInts<Item>[]
  : Value extends object
    ? {
        [Field in keyof Value]: Field extends (typeof decimalFields)[number]
          ? bigint
          : Field extends (typeof freeFields)[number]
            ? Value[Field]
            : WithBigInts<Value[Field]>;
      }
    : Value;

const decimals: ReadonlySet<string> = new Set(decimalFields);
const free: ReadonlySet<string> = new Set(freeFields);

/**
 * A copy of a notification, or of a part of it, with its amounts, gas, block number and nonce as `bigint`. The arguments of decoded logs stay as
 * they are. `JSON.stringify` takes no `bigint`: store the notification itself.
 * @example const { value } = withBigInts(notification).event.transaction; // 1000000000000000000n
 */
export function withBigInts<Value>(value: Value): WithBigInts<Value> {
  const converted = (field: string, one: unknown): unknown => {
    if (decimals.has(field) && typeof one === "string" && /^\d+$/.test(one)) return BigInt(one);
    return free.has(field) ? one : withBigInts(one);
  };
  const copy = Array.isArray(value)
    ? value.map((one: unknown) => withBigInts(one))
    : typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([field, one]) => [field, converted(field, one)]))
      : value;
  return copy as WithBigInts<Value>;
}

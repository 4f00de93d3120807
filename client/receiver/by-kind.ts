/** Sorts notifications by what they say, so that each kind gets a handler of its own. */
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
    const { event } = notification;
    const kind = event.removed ? "retraction" : event.finalized ? "finalized" : "activity";
    await handlerOf[kind]?.(notification, attempt);
    const context = { ...attempt, notification, kind } as const;
    if (transfer) for (const one of transfersOf(event.transaction)) await transfer(one, context);
    for (const log of event.logs ?? [])
      if (isDecoded(log) && Object.hasOwn(events, log.decoded.name)) await events[log.decoded.name]?.(log, context);
  };
}

const isDecoded = (log: Schemas["Log"]): log is DecodedLog => log.decoded !== undefined;

function transfersOf(transaction: Schemas["Transaction"]): Transfer[] {
  const { nativeTransfers = [], erc20Transfers = [], erc721Transfers = [], erc1155Transfers = [] } = transaction;
  return [...nativeTransfers, ...erc20Transfers, ...erc721Transfers, ...erc1155Transfers];
}

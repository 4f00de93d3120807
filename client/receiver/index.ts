/** For the endpoint that a webhook notifies: verifies notifications, and receives them in the servers that people run. */
export {
  byKind,
  type DecodedLog,
  isDecoded,
  isFinalized,
  isRetraction,
  isTransfer,
  type KindHandlers,
  kindOf,
  type NotificationContext,
  type NotificationKind,
  type Transfer,
  type TransferNotification,
  transfersOf,
  type WithBigInts,
  withBigInts,
} from "./by-kind.ts";
export { NotificationError, type NotificationErrorCode } from "./errors.ts";
export { createFetchReceiver } from "./fetch.ts";
export {
  createFastifyReceiver,
  createKoaReceiver,
  createLambdaReceiver,
  type FastifyScope,
  type KoaContext,
  type LambdaAnswer,
  type LambdaEvent,
} from "./frameworks.ts";
export type { NotificationHeaders } from "./headers.ts";
export { createExpressReceiver, createNodeReceiver, type IncomingRequest, type OutgoingResponse } from "./node.ts";
export type { NotificationAttempt, ReceiverOptions } from "./receive.ts";
export { type NotificationToSign, signNotification } from "./signature.ts";
export {
  type AddressActivityNotification,
  type OperationalEvent,
  type VerifyOptions,
  verifyNotification,
  verifyNotifications,
  verifyOperationalEvent,
} from "./verify.ts";

/** For programs that must count every notification once: a consumer, and the stores in whose transactions it works. */
export {
  type Consumer,
  type ConsumerMetric,
  type ConsumerOptions,
  type ConsumerState,
  createConsumer,
  type HandlerContext,
} from "./consumer.ts";
export { ConsumerError, type ConsumerErrorCode } from "./errors.ts";
export {
  type PostgresPool,
  type PostgresStoreOptions,
  type PostgresTransaction,
  postgresStore,
} from "./postgres.ts";
export { type SqliteDatabase, sqliteStore } from "./sqlite.ts";
export {
  type Advance,
  type ConsumerStore,
  memoryStore,
  type SkippedRange,
  type StoredPosition,
} from "./store.ts";

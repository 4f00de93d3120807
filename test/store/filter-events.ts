/** What can happen to those who watch a chain and to those who record it, in whatever order. */
import fc from "fast-check";

/** How many addresses there are to watch. */
export const addressCount = 24;
const webhookCount = 4;

/** `process` and `webhook` are numbers. */
export type Event =
  | { do: "create" | "add" | "remove"; webhook: number; addresses: number[] }
  | { do: "delete" | "pause" | "resume"; webhook: number }
  /** A block is recorded; or fails before the cursor moves, or after. */
  | { do: "record" | "fail" | "failToCommit"; process: number }
  /** Blocks leave the chain, and others come. */
  | { do: "reorganize"; process: number; depth: number }
  /** A version of the service that knows of no filter records a block. */
  | { do: "recordWithout" }
  /** The tables are maintained. */
  | { do: "maintain" }
  | { do: "restart"; process: number }
  | { do: "untilInUse"; process: number }
  | { do: "backUp" | "restore" };

const process = fc.nat(1);
const webhook = fc.nat(webhookCount - 1);
const addresses = fc.uniqueArray(fc.nat(addressCount - 1), { minLength: 1, maxLength: 6 });
const event = <T extends Event>(weight: number, record: { [Key in keyof T]: fc.Arbitrary<T[Key]> }) => ({
  weight,
  arbitrary: fc.record(record) as unknown as fc.Arbitrary<Event>,
});

/** Things that may happen at once. */
export const concurrent: fc.Arbitrary<Event> = fc.oneof(
  event(3, { do: fc.constant("create" as const), webhook, addresses }),
  event(6, { do: fc.constantFrom("add" as const, "remove" as const), webhook, addresses }),
  event(2, { do: fc.constantFrom("delete" as const, "pause" as const, "resume" as const), webhook }),
  event(9, { do: fc.constant("record" as const), process }),
  event(1, { do: fc.constantFrom("fail" as const, "failToCommit" as const), process }),
  event(2, { do: fc.constant("reorganize" as const), process, depth: fc.integer({ min: 1, max: 3 }) }),
  event(1, { do: fc.constant("recordWithout" as const) }),
  event(1, { do: fc.constant("maintain" as const) }),
  event(1, { do: fc.constant("restart" as const), process }),
);
/** Things that happen alone. */
export const alone: fc.Arbitrary<Event> = fc.oneof(
  event(8, { do: fc.constant("untilInUse" as const), process }),
  event(1, { do: fc.constantFrom("backUp" as const, "restore" as const) }),
);

/** What the mock keeps of each webhook and each notification. */
import type { Stored } from "../../../../examples/memory-server/store.ts";
import type { components } from "../../../../generated/types.ts";

type Attempt = components["schemas"]["Attempt"];
type Event = components["schemas"]["AddressActivityEvent"];

/** A webhook, and what belongs to it. */
export type MockWebhook = Stored & {
  /** By messageId, in the order of their sequence. */
  notifications: Map<string, Kept>;
  /** The last one used. */
  sequence: number;
  /** Wait for an attempt, the first one first. */
  waiting: Kept[];
  inFlight: number;
  /** Ends the wait of its next batch for more. */
  gathering: NodeJS.Timeout | undefined;
  isDeleted: boolean;
  /** Whether it is one of the contract's, as it is there. */
  isExample: boolean;
};

/** A notification on record. */
export type Kept = {
  readonly webhook: MockWebhook;
  readonly messageId: string;
  readonly sequence: number;
  readonly eventText: string;
  readonly recordedAt: number;
  readonly transaction: Pick<Event["transaction"], "blockNumber" | "blockHash" | "txHash">;
  readonly removed: boolean;
  readonly attempts: Attempt[];
  /** How many of them the schedule made. */
  scheduled: number;
  retry: { at: number; timer: NodeJS.Timeout } | undefined;
  /** What makes the attempt that it waits for. */
  wanted: Attempt["trigger"] | undefined;
  isInFlight: boolean;
  /** Called with the next attempt, or undefined when there will be none now. */
  onAttempt: ((attempt: Attempt | undefined) => void)[];
};

/** What a program that starts the mock sees of it. These types lead to none of the service's. */
import type { OperationId } from "../../../generated/operations.ts";
import type { components } from "../../../generated/types.ts";

type Attempt = components["schemas"]["Attempt"];

/** Takes a notification, and answers as its endpoint would. */
export type Deliver = (notification: Request) => Response | Promise<Response>;

/** A notification to send now. */
export type SendOptions = {
  /** To which webhook; the newest by default. */
  webhookId?: string;
  /** Which example, such as `native-transfer`; by default the one that fits the webhook's settings. */
  example?: string;
  /** How many; 1 by default, 100 at most. One after the other, or for a webhook with `metadata.batch` in batches. */
  count?: number;
  /** Each is followed by its retraction. */
  retracted?: boolean;
  /** Each POST is sent twice, with the same messageId and sequence. */
  duplicated?: boolean;
  /** The last POST first. */
  outOfOrder?: boolean;
  /** Signed with another secret. What nobody could have sent is not on record. */
  wronglySigned?: boolean;
};

/** Requests to make fail. */
export type FailOptions = {
  /** A status that the contract has for them. Requests of operations without it are not counted. */
  status?: number;
  /** How long the answer waits; a minute at most. */
  delayMs?: number;
  /** Cuts the connection in place of an answer. What a browser then repeats by itself is cut, too, and counted once. */
  reset?: boolean;
  /** The answer's `Retry-After`, in seconds. Only with a status. */
  retryAfter?: number;
  /** Only requests of this operation. */
  operationId?: OperationId;
  /** How many requests; 1 by default. */
  count?: number;
};

/** When it was sent, and what came back. */
export type SentOutcome = Omit<Attempt, "number" | "trigger">;

/** One POST, in the list of what was sent. */
export type SentEntry = SentOutcome & {
  /** `duplicate` repeats an attempt, `forged` has a wrong signature, and neither is on record. A test has the sequence 0. */
  kind: "notification" | "duplicate" | "forged" | "test";
  webhookId: string;
  url: string;
  messageId: string;
  sequence: number;
  /** The number of the attempt. */
  attempt?: number;
  trigger?: Attempt["trigger"];
};

/** A notification that was sent, and the answer, if it has come. */
export type Sent = Pick<SentEntry, "webhookId" | "messageId" | "sequence"> & {
  /** Absent while the endpoint has not answered, and where the webhook is inactive. */
  answer?: SentOutcome;
};

/** What a test can make the mock do. */
export type MockControl = {
  /**
   * Sends a notification now.
   *
   * @returns all of them in the order in which they were sent. It waits for their answers, but for 15 seconds at most
   * @throws for an option that is wrong, and for a webhook that does not exist
   */
  send(options?: SendOptions): Promise<Sent[]>;
  /** Makes the next requests fail that are valid otherwise. @throws for an option that is wrong */
  fail(options: FailOptions): void;
  /** The newest thousand POSTs, the oldest first, and how many older ones were forgotten. */
  sent(): { sent: SentEntry[]; forgotten: number };
  /** Forgets all webhooks, notifications and faults. The contract's examples are back. Delayed answers follow. */
  reset(): void;
};

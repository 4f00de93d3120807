/** The matching rule, applied to a receipt that the agent got from a node: the service's own code decides. */
import { participantsByTransaction, type TransactionParticipants } from "../../../../server/matching/participants.ts";
import { matchBlock } from "../../../../server/matching/rule.ts";
import type { BlockBundle, WireReceipt } from "../../../../server/matching/wire.ts";
import type { JsonObject } from "../../../document/json.ts";

const hex = (digits: string) => ({ type: "string", pattern: `^0x[0-9a-fA-F]${digits}$` });
const optional = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: "null" }] });

/** What is read of a receipt. A node's answer has more, which is ignored. */
export const receiptSchema: JsonObject = {
  description:
    "The transaction's receipt, as a node returns it for eth_getTransactionReceipt. With it, the answer is certain.",
  type: "object",
  required: ["transactionHash", "blockNumber", "logs"],
  properties: {
    transactionHash: hex("{64}"),
    blockNumber: hex("{1,16}"),
    from: optional(hex("{40}")),
    to: optional(hex("{40}")),
    contractAddress: optional(hex("{40}")),
    status: optional(hex("{1,2}")),
    logs: {
      type: "array",
      items: {
        type: "object",
        required: ["address", "topics"],
        properties: { address: hex("{40}"), topics: { type: "array", maxItems: 4, items: hex("{64}") } },
      },
    },
  },
};

export type Receipt = Pick<WireReceipt, "transactionHash" | "from" | "to" | "contractAddress" | "status" | "logs"> & {
  blockNumber: string;
};

/** The participants of the transaction, without those of call frames, which a receipt does not have. */
export function participantsIn(receipt: Receipt): TransactionParticipants {
  const { transactionHash: hash, from, to } = receipt;
  const block = { hash, transactions: [{ hash, from, to }] };
  // Of a bundle, the rule reads no more than this.
  const [participants] = participantsByTransaction({ block, receipts: [receipt] } as unknown as BlockBundle);
  if (!participants) throw new Error("A transaction has participants.");
  return participants;
}

/** Whether a webhook that watches these addresses matches. @param watched in lower case */
export function isMatch(
  transaction: TransactionParticipants,
  watched: readonly string[],
  eventSignatures: readonly string[],
): boolean {
  const webhook = { id: "", eventSignatures: new Set(eventSignatures), includeInternalTxs: false, includeLogs: false };
  return matchBlock([transaction], new Map(watched.map((address) => [address, [webhook]]))).length > 0;
}

/** A preview in the contract's shape. */
import type { components } from "../../generated/types.ts";
import { notificationText } from "./event.ts";
import type { AnsweredTransaction, AskedBlock, BlockAnswer } from "./explanation.ts";

type Schemas = components["schemas"];

/** Nothing was created, and nothing is sent. */
const nobody = "00000000-0000-0000-0000-000000000000";

export function previewOf(
  chainId: string,
  { blockNumber, blockHash, transactionCount, matchCount, transactions }: AskedBlock & BlockAnswer,
): Schemas["Preview"] {
  return {
    ...{ chainId, blockNumber: String(blockNumber), blockHash, transactionCount, matchCount },
    transactions: transactions.map(previewed),
  };
}

function previewed({ eventText, fromBlock: _, ...rest }: AnsweredTransaction): Schemas["PreviewedTransaction"] {
  const payload = eventText && JSON.parse(notificationText({ webhookId: nobody, messageId: nobody, eventText }));
  // What matches only once a factory has named its contract is not notified.
  return { ...rest, matches: rest.reason === "matches", ...(payload && { payload }) };
}

/** A preview in the contract's shape. */
import type { components } from "../../generated/types.ts";
import type { AnsweredTransaction, AskedBlock, BlockAnswer } from "../explanation.ts";
import { notificationText } from "./event.ts";

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

function previewed({ eventText, fromBlock: _, reason, ...rest }: AnsweredTransaction): Schemas["PreviewedTransaction"] {
  const { txHash, transactionIndex, matches, ...because } = rest;
  const payload = eventText && JSON.parse(notificationText({ webhookId: nobody, messageId: nobody, eventText }));
  return { txHash, transactionIndex, matches, reason, ...because, ...(payload && { payload }) };
}

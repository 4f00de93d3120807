// Made from openapi/openapi.yaml by `npm run generate`. Do not edit.

/** The fields of a notification that hold whole numbers in decimal digits. */
export const decimalFields = [
  "blockNumber",
  "gas",
  "gasLimit",
  "gasPrice",
  "gasUsed",
  "maxFeePerGas",
  "maxPriorityFeePerGas",
  "nonce",
  "receiptCumulativeGasUsed",
  "receiptEffectiveGasPrice",
  "receiptGasUsed",
  "tokenId",
  "value",
] as const;

/** The fields whose content the contract leaves open. */
export const freeFields = ["args"] as const;

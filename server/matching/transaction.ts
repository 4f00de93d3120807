/** The payload's `transaction`, made of a transaction, its receipt and its block. */
import type { components } from "../../generated/types.ts";
import { createdContract, hasFailed, receiverOf, senderOf, transactionAt, zeroAddress } from "./bundle.ts";
import { decimal, integer, seconds } from "./quantities.ts";
import type { BlockBundle, WireReceipt } from "./wire.ts";

type Transaction = components["schemas"]["Transaction"];

/**
 * Without internal transactions. Fields are in the order of the contract.
 *
 * @throws if the transaction lacks its receipt
 */
export function payloadTransaction(bundle: BlockBundle, transactionIndex: number, chainId: string): Transaction {
  const { block } = bundle;
  const { transaction, receipt } = transactionAt(bundle, transactionIndex);
  const type = integer(transaction.type);
  const feeMarket = type >= 2;
  return {
    blockHash: block.hash.toLowerCase(),
    blockNumber: decimal(block.number),
    from: senderOf(transaction, receipt) ?? zeroAddress,
    to: receiverOf(transaction, receipt) ?? zeroAddress,
    gas: decimal(transaction.gas),
    gasPrice: decimal(transaction.gasPrice ?? receipt.effectiveGasPrice),
    maxFeePerGas: feeMarket ? decimal(transaction.maxFeePerGas) : "0",
    maxPriorityFeePerGas: feeMarket ? decimal(transaction.maxPriorityFeePerGas) : "0",
    txHash: transaction.hash.toLowerCase(),
    ...(receipt.status == null ? {} : { txStatus: hasFailed(receipt) ? "0" : "1" }),
    input: transaction.input?.toLowerCase() ?? "0x",
    nonce: decimal(transaction.nonce),
    transactionIndex,
    value: decimal(transaction.value),
    type,
    chainId,
    receiptCumulativeGasUsed: decimal(receipt.cumulativeGasUsed),
    receiptGasUsed: decimal(receipt.gasUsed),
    receiptEffectiveGasPrice: decimal(receipt.effectiveGasPrice ?? transaction.gasPrice),
    receiptRoot: (stateRoot(receipt) ?? block.receiptsRoot).toLowerCase(),
    contractAddress: createdContract(receipt) ?? zeroAddress,
    blockTimestamp: seconds(block.timestamp),
  };
}

/** Anything but 32 bytes, such as `0x` since Byzantium, is no root. */
function stateRoot({ root }: WireReceipt): string | undefined {
  return root?.length === 66 ? root : undefined;
}

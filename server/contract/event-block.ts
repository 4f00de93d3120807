/** A notification's event as the block that it came from, with its transaction alone: what the rule needs of one. */
import type { components } from "../../generated/types.ts";
import { zeroAddress } from "../matching/bundle.ts";
import type { BlockBundle, Hex, WireLog, WireReceipt } from "../matching/wire.ts";

type Event = components["schemas"]["AddressActivityEvent"];

const hex = (text: string) => text as Hex;
const quantity = (value: string | number): Hex => `0x${BigInt(value).toString(16)}`;

export function blockOfEvent({ transaction, logs = [] }: Event): BlockBundle {
  const { txHash, blockHash, blockNumber, blockTimestamp, receiptRoot, internalTransactions } = transaction;
  const [hash, block] = [hex(txHash), hex(blockHash)];
  const parties = { from: hex(transaction.from), to: transaction.to === zeroAddress ? null : hex(transaction.to) };
  const moved = { ...parties, value: quantity(transaction.value), input: hex(transaction.input) };
  const frame = { type: "CALL", ...parties };
  const receipt: WireReceipt = {
    ...({
      transactionHash: hash,
      blockHash: block,
      transactionIndex: "0x0",
      cumulativeGasUsed: "0x0",
      gasUsed: "0x0",
    } as const),
    contractAddress: hex(transaction.contractAddress),
    ...(transaction.txStatus !== undefined && { status: quantity(transaction.txStatus) }),
    logs: logs.map(
      ({ address, topic0, topic1, topic2, topic3, data, logIndex }): WireLog => ({
        address: hex(address),
        topics: [topic0, topic1, topic2, topic3].flatMap((topic) => (topic === null ? [] : [hex(topic)])),
        data: hex(data),
        logIndex: quantity(logIndex),
      }),
    ),
  };
  const calls = internalTransactions?.map(({ from, to, internalTxType: type, value }) => ({
    ...{ type, from: hex(from), to: hex(to), value: quantity(value) },
  }));
  return {
    block: {
      ...{ hash: block, parentHash: block, number: quantity(blockNumber), timestamp: quantity(blockTimestamp) },
      ...{ receiptsRoot: hex(receiptRoot), logsBloom: "0x", transactions: [{ hash, ...moved }] },
    },
    receipts: [receipt],
    ...(calls && { traces: [{ txHash: hash, result: { ...frame, calls } }] }),
  };
}

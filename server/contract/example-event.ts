/** The contract's example notifications, as a webhook with given settings would get them. */
import type { components } from "../../generated/types.ts";
import { compileAbi, decodeLog, newAllowance } from "../matching/abi.ts";
import { zeroAddress } from "../matching/bundle.ts";
import { wireLog } from "../matching/event.ts";
import { decodingAbi, type WebhookOptions } from "../matching/new-webhook.ts";
import { payloadTransfers, type TransferLists } from "../matching/transfers.ts";
import type { BlockBundle, Hex, WireLog, WireReceipt } from "../matching/wire.ts";
import { type Contract, loadContract } from "./contract.ts";

type AddressActivityEvent = components["schemas"]["AddressActivityEvent"];
type Webhook = Pick<
  components["schemas"]["Webhook"],
  "chainId" | "includeLogs" | "includeInternalTxs" | "finality" | "compatibility"
> & {
  metadata?: Pick<components["schemas"]["WebhookMetadata"], "abi" | "includeTransfers">;
};

/** The contract has its example notifications under the names of their files. */
type WithExamples = Contract & {
  components: { examples: Record<string, { value: { event: AddressActivityEvent } } | undefined> };
};

/**
 * The event of an example, as text.
 *
 * @param name such as `native-transfer`; by default the one that shows the most of what the webhook gets
 * @throws when the contract lacks the example
 */
export async function exampleEventText(webhook: Webhook, name = fittingExample(webhook)): Promise<string> {
  const { examples } = ((await loadContract()) as WithExamples).components;
  const event = examples[`notification.${name}`]?.value.event;
  if (!event) throw new Error(`The contract has no example notification.${name}.`);
  return eventTextFor(webhook, event);
}

/** An event that was made for another webhook, as text for this one, as far as it has what this one wants. */
export function eventTextFor(webhook: Webhook, event: AddressActivityEvent): string {
  const { chainId, includeLogs, includeInternalTxs, metadata, compatibility } = webhook;
  const allowance = newAllowance();
  // The record shows what the request had.
  const events = decodingAbi({ ...(metadata as WebhookOptions | undefined), ...(compatibility && { compatibility }) });
  const abi = events && compileAbi(events);
  const {
    internalTransactions = [],
    erc20Transfers,
    erc721Transfers,
    erc1155Transfers,
    nativeTransfers,
    ...transaction
  } = event.transaction;
  return JSON.stringify({
    ...(!event.removed && exampleFinality(webhook)),
    transaction: {
      ...{ ...transaction, chainId },
      ...(includeInternalTxs && { internalTransactions }),
      ...(metadata?.includeTransfers && transfersOf(event, includeInternalTxs)),
    },
    ...(includeLogs && {
      logs: (event.logs ?? []).map(({ decoded, undecoded: _, ...log }) => ({
        ...{ ...log, ...(decoded && !compatibility && { decoded }) },
        ...(abi && decodeLog(abi, wireLog({ ...log }), allowance)),
      })),
    }),
    ...(event.removed && { removed: true }),
  } satisfies AddressActivityEvent);
}

/** What an event says of finality, as soon as it is deep enough. */
function exampleFinality({ finality }: Webhook): Pick<AddressActivityEvent, "finalized" | "confirmations"> {
  if (finality === undefined) return {};
  if (typeof finality === "object") return { confirmations: Number(finality.confirmations) };
  return finality === "both" ? { confirmations: 0 } : { finalized: true, confirmations: 64 };
}

/** Those that the event has; else those that its logs and call frames show, without what the tokens say of themselves. */
function transfersOf(event: AddressActivityEvent, includeInternalTxs: boolean): TransferLists {
  const { erc20Transfers, erc721Transfers, erc1155Transfers, nativeTransfers, internalTransactions } =
    event.transaction;
  if (erc20Transfers && erc721Transfers && erc1155Transfers && nativeTransfers)
    return { erc20Transfers, erc721Transfers, erc1155Transfers, nativeTransfers };
  const withInternal = includeInternalTxs && internalTransactions !== undefined;
  return payloadTransfers(blockOfEvent(event), 0, { includeInternalTxs: withInternal, tokens: undefined });
}

function fittingExample({ includeLogs, includeInternalTxs, metadata }: Webhook): string {
  if (metadata?.includeTransfers) return "token-transfers";
  if (includeInternalTxs) return "internal-transactions";
  return includeLogs ? "non-fungible-transfer" : "native-transfer";
}

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

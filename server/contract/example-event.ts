/** The contract's example notifications, as a webhook with given settings would get them. */
import type { components } from "../../generated/types.ts";
import { type Contract, loadContract } from "./contract.ts";

type Transaction = components["schemas"]["Transaction"];
type AddressActivityEvent = components["schemas"]["AddressActivityEvent"];
type Webhook = Pick<components["schemas"]["Webhook"], "chainId" | "includeLogs" | "includeInternalTxs"> & {
  metadata?: { includeTransfers?: boolean };
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
  const { chainId, includeLogs, includeInternalTxs } = webhook;
  const { examples } = ((await loadContract()) as WithExamples).components;
  const event = examples[`notification.${name}`]?.value.event;
  if (!event) throw new Error(`The contract has no example notification.${name}.`);
  const { internalTransactions = [], ...others } = event.transaction;
  const { erc20Transfers = [], erc721Transfers = [], erc1155Transfers = [], nativeTransfers, ...transaction } = others;
  const ownTransfers = nativeTransfers ?? nativeTransfersOf(transaction);
  const transfers = { erc20Transfers, erc721Transfers, erc1155Transfers, nativeTransfers: ownTransfers };
  return JSON.stringify({
    transaction: {
      ...{ ...transaction, chainId },
      ...(includeInternalTxs && { internalTransactions }),
      ...(webhook.metadata?.includeTransfers && transfers),
    },
    ...(includeLogs && { logs: event.logs ?? [] }),
    ...(event.removed && { removed: true }),
  } satisfies AddressActivityEvent);
}

/** Only the examples made for transfers have them. */
function nativeTransfersOf(transaction: Transaction): NonNullable<Transaction["nativeTransfers"]> {
  const { txHash: transactionHash, from, to, value, blockTimestamp, txStatus } = transaction;
  if (value === "0" || txStatus === "0") return [];
  return [{ transactionHash, type: "NATIVE", from, to, value, blockTimestamp }];
}

function fittingExample({ includeLogs, includeInternalTxs, metadata }: Webhook): string {
  if (metadata?.includeTransfers) return "token-transfers";
  if (includeInternalTxs) return "internal-transactions";
  return includeLogs ? "non-fungible-transfer" : "native-transfer";
}

/** The payload's transfers: what moved, with what the tokens' contracts say of themselves. */
import type { components } from "../../generated/types.ts";
import { transactionAt } from "./bundle.ts";
import { seconds } from "./quantities.ts";
import { nativeTransfersAt, tokenTransfers } from "./transfers.ts";
import type { BlockBundle } from "./wire.ts";

type Transaction = components["schemas"]["Transaction"];
type TransferredToken = components["schemas"]["TransferredToken"];

/** What a token's contract says of itself, cleaned; null for what it did not answer. */
export type TokenMetadata = Pick<TransferredToken, "name" | "symbol" | "decimals">;
/** By the contract's address in lower case. */
export type TokenBook = ReadonlyMap<string, TokenMetadata>;

export type TransferLists = Required<
  Pick<Transaction, "erc20Transfers" | "erc721Transfers" | "erc1155Transfers" | "nativeTransfers">
>;

/**
 * The transfers of one transaction, in the order of the contract's fields.
 *
 * @param tokens those that are not in it get nulls
 * @throws if the bundle lacks the receipt, or the trace of internal transactions
 */
export function payloadTransfers(
  bundle: BlockBundle,
  transactionIndex: number,
  { includeInternalTxs, tokens }: { includeInternalTxs: boolean; tokens: TokenBook | undefined },
): TransferLists {
  const { transaction, receipt } = transactionAt(bundle, transactionIndex);
  const transactionHash = transaction.hash.toLowerCase();
  const blockTimestamp = seconds(bundle.block.timestamp);
  const lists: TransferLists = { erc20Transfers: [], erc721Transfers: [], erc1155Transfers: [], nativeTransfers: [] };
  for (const transfer of tokenTransfers(receipt)) {
    const { standard, from, to, contract } = transfer;
    const [address, logIndex] = [contract ?? "", transfer.logIndex ?? 0];
    const [value, tokenId] = [transfer.value.toString(), transfer.tokenId?.toString() ?? ""];
    const { name, symbol, decimals } = tokens?.get(address) ?? unknownToken;
    const moved = { from, to, value };
    const at = { blockTimestamp, logIndex };
    if (standard === "erc20") {
      const erc20Token = { address, name, symbol, decimals, valueWithDecimals: inWhole(transfer.value, decimals) };
      lists.erc20Transfers.push({ transactionHash, type: "ERC20", ...moved, ...at, erc20Token });
      continue;
    }
    const token = { address, name, symbol, decimals: null, valueWithDecimals: null };
    if (standard === "erc721")
      lists.erc721Transfers.push({ transactionHash, type: "ERC721", ...moved, tokenId, ...at, erc721Token: token });
    else
      lists.erc1155Transfers.push({ transactionHash, type: "ERC1155", ...moved, tokenId, ...at, erc1155Token: token });
  }
  for (const { from, to, value } of nativeTransfersAt(bundle, transactionIndex, includeInternalTxs))
    lists.nativeTransfers.push({ transactionHash, type: "NATIVE", from, to, value: value.toString(), blockTimestamp });
  return lists;
}

/** The contracts of the tokens that a transaction moved. */
export function tokensMoved(bundle: BlockBundle, transactionIndex: number): string[] {
  const { receipt } = transactionAt(bundle, transactionIndex);
  return [...new Set(tokenTransfers(receipt).flatMap(({ contract }) => contract ?? []))];
}

const unknownToken: TokenMetadata = { name: null, symbol: null, decimals: null };

/** A value in whole tokens, exactly, as a float is not. */
export function inWhole(value: bigint, decimals: number | null): string | null {
  if (decimals === null) return null;
  if (decimals === 0) return value.toString();
  const digits = value.toString().padStart(decimals + 1, "0");
  const fraction = digits.slice(-decimals).replace(/0+$/, "");
  return `${digits.slice(0, -decimals)}${fraction && "."}${fraction}`;
}

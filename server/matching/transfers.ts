/**
 * What moved in a transaction: tokens, known by their logs' shapes, and the native coin, by value and call frames, with what the tokens'
 * contracts say of themselves. A log or frame in no known shape is no transfer; it is never an error, since anybody can emit anything.
 */
import type { components } from "../../generated/types.ts";
import {
  createdContract,
  hasFailed,
  movesValue,
  receiverOf,
  senderOf,
  standingFrames,
  transactionAt,
  zeroAddress,
} from "./bundle.ts";
import { addressIn } from "./participants.ts";
import { amount, seconds } from "./quantities.ts";
import type { BlockBundle, WireLog, WireReceipt } from "./wire.ts";

/** One movement of a token or of the native coin. Addresses are in lower case. */
export type TransferMade = {
  standard: "native" | "erc20" | "erc721" | "erc1155";
  /** The token's; null for the native coin. */
  contract: string | null;
  from: string;
  to: string;
  /** In the smallest unit; 1 for an ERC-721 token. */
  value: bigint;
  /** Null for ERC-20 and the native coin. */
  tokenId: bigint | null;
  /** Within the transaction, from 0; null for the native coin. */
  logIndex: number | null;
};

/** A movement of the native coin. */
export type NativeTransfer = TransferMade & {
  /** Those of `from` and `to` that are somebody. Where the transaction or frame names nobody, there is the zero address. */
  parties: readonly string[];
};

/**
 * The transfers of one log: one for each id of an ERC-1155 batch, else at most one.
 *
 * @param log of a transaction that did not fail
 * @param logIndex within the transaction, from 0
 * @param idsLeft how many ids its batches may still have
 * @returns none if the log is in no known shape, or a batch of more ids
 */
export function transfersOfLog(log: WireLog, logIndex: number, idsLeft = mostIds): TransferMade[] {
  return shapes.get(log.topics[0]?.toLowerCase() ?? "")?.(log, logIndex, idsLeft) ?? none;
}

const none: TransferMade[] = [];

/** The token transfers of a transaction in the order of its logs. None if it failed. */
export function tokenTransfers(receipt: Pick<WireReceipt, "status" | "logs">): readonly TransferMade[] {
  if (hasFailed(receipt)) return none;
  const transfers: TransferMade[] = [];
  const wrapped: TransferMade[] = [];
  let batched = 0;
  for (const [logIndex, log] of receipt.logs.entries()) {
    const topic0 = log.topics[0]?.toLowerCase() ?? "";
    const ofLog = transfersOfLog(log, logIndex, mostIds - batched);
    if (topic0 === batch) batched += ofLog.length;
    for (const transfer of ofLog) transfers.push(transfer);
    if (wrapping.has(topic0)) wrapped.push(...ofLog);
  }
  if (wrapped.length === 0) return transfers;
  // Some wrapped coins, such as Fantom's, log both Transfer and Deposit. It is one transfer.
  const [coins, ofWrapping] = [new Set(wrapped.map(({ contract }) => contract)), new Set(wrapped)];
  const others = transfers.filter((transfer) => coins.has(transfer.contract) && !ofWrapping.has(transfer));
  if (others.length === 0) return transfers;
  const known = new Set(others.map(partsOf));
  return transfers.filter((transfer) => !ofWrapping.has(transfer) || !known.has(partsOf(transfer)));
}

const partsOf = ({ contract, from, to, value }: TransferMade) => `${contract} ${from} ${to} ${value}`;

/**
 * The transfers of the native coin: the transaction's own value first, then those of its call frames. None of value 0, and none if
 * the transaction failed.
 *
 * @param index from 0
 * @param withInternal whether to read the call frames
 * @throws if the bundle lacks the transaction's receipt, or its trace where one is wanted
 */
export function nativeTransfersAt(bundle: BlockBundle, index: number, withInternal: boolean): NativeTransfer[] {
  const { transaction, receipt } = transactionAt(bundle, index);
  const transfers: NativeTransfer[] = [];
  const add = (from: string | undefined, to: string | undefined, value: bigint) => {
    if (value === 0n) return;
    const parties = [from, to].filter((party) => party !== undefined);
    const moved = { standard: "native", contract: null, value, tokenId: null, logIndex: null } as const;
    transfers.push({ ...moved, from: from ?? zeroAddress, to: to ?? zeroAddress, parties });
  };
  if (hasFailed(receipt)) return transfers;
  const receiver = receiverOf(transaction, receipt) ?? createdContract(receipt);
  add(senderOf(transaction, receipt), receiver, amount(transaction.value));
  if (!withInternal) return transfers;
  for (const { type, from, to, value } of standingFrames(bundle, index).slice(1))
    if (movesValue(type)) add(from.toLowerCase(), to?.toLowerCase(), amount(value));
  return transfers;
}

const deposit = "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c";
const withdrawal = "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65";

/**
 * To move an id takes 5,000 gas, to say so in a batch 256: a block of 45 million can say 175,000, and they would be 70 MB of payload.
 * A batch that goes beyond this many in its transaction is no transfer.
 */
const mostIds = 10_000;
const batch = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb";

/** WETH9 logs no Transfer when it wraps and unwraps. */
const wrapping: ReadonlySet<string> = new Set([deposit, withdrawal]);

/** The known events by topic0. An empty list says that the log is in another shape. */
const shapes: ReadonlyMap<string, (log: WireLog, logIndex: number, idsLeft: number) => TransferMade[]> = new Map([
  ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef", transfer],
  ["0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62", transferSingle],
  [batch, transferBatch],
  [deposit, (log, logIndex) => wrapped(log, logIndex, (account) => [zeroAddress, account])],
  [withdrawal, (log, logIndex) => wrapped(log, logIndex, (account) => [account, zeroAddress])],
]);

/** `Transfer(address,address,uint256)`: of ERC-20 with two indexed arguments, of ERC-721 with three. */
function transfer({ address, topics, data }: WireLog, logIndex: number): TransferMade[] {
  const from = addressIn(topics[1] ?? "");
  const to = addressIn(topics[2] ?? "");
  if (from === undefined || to === undefined) return none;
  const contract = address.toLowerCase();
  if (topics.length === 3) {
    const value = wordAt(data, 0);
    return value === undefined ? none : [{ standard: "erc20", contract, from, to, value, tokenId: null, logIndex }];
  }
  const tokenId = topics.length === 4 ? wordIn(topics[3]) : undefined;
  return tokenId === undefined ? none : [{ standard: "erc721", contract, from, to, value: 1n, tokenId, logIndex }];
}

/** `TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)`. */
function transferSingle({ address, topics, data }: WireLog, logIndex: number): TransferMade[] {
  const from = addressIn(topics[2] ?? "");
  const to = addressIn(topics[3] ?? "");
  const [tokenId, value] = [wordAt(data, 0), wordAt(data, 1)];
  if (from === undefined || to === undefined || tokenId === undefined || value === undefined) return none;
  return [{ standard: "erc1155", contract: address.toLowerCase(), from, to, value, tokenId, logIndex }];
}

/** `TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)`. */
function transferBatch({ address, topics, data }: WireLog, logIndex: number, idsLeft: number): TransferMade[] {
  const from = addressIn(topics[2] ?? "");
  const to = addressIn(topics[3] ?? "");
  const [ids, values] = [wordsAt(data, 0, idsLeft), wordsAt(data, 1, idsLeft)];
  if (from === undefined || to === undefined || ids?.length !== values?.length) return none;
  const contract = address.toLowerCase();
  return (ids ?? []).flatMap((tokenId, index) => {
    const value = values?.[index];
    return value === undefined ? [] : [{ standard: "erc1155" as const, contract, from, to, value, tokenId, logIndex }];
  });
}

/**
 * `Deposit(address indexed account, uint256 value)` and `Withdrawal`, as WETH9 logs them. Nothing in a log tells a wrapped coin from a pool
 * that logs the same of a stake.
 */
function wrapped(
  { address, topics, data }: WireLog,
  logIndex: number,
  partiesOf: (account: string) => [from: string, to: string],
): TransferMade[] {
  const account = topics.length === 2 ? addressIn(topics[1] ?? "") : undefined;
  const value = data.length === wordDigits + 2 ? wordAt(data, 0) : undefined;
  if (account === undefined || value === undefined) return none;
  const [from, to] = partiesOf(account);
  return [{ standard: "erc20", contract: address.toLowerCase(), from, to, value, tokenId: null, logIndex }];
}

const wordDigits = 64;
const word = /^0x[0-9a-fA-F]{64}$/;

function wordIn(hex: string | undefined): bigint | undefined {
  return hex !== undefined && word.test(hex) ? BigInt(hex) : undefined;
}

/** The word at this position of the data; undefined if it ends before. */
function wordAt(data: string, position: number): bigint | undefined {
  // Most data is one word.
  if (position === 0 && data.length === wordDigits + 2) return wordIn(data);
  const start = 2 + position * wordDigits;
  return wordIn(`0x${data.slice(start, start + wordDigits)}`);
}

/** The array whose offset is in the word at this position; undefined if it is longer than `most`, or the data cannot hold it. */
function wordsAt(data: string, position: number, most: number): bigint[] | undefined {
  const words = Math.floor((data.length - 2) / wordDigits);
  const offset = wordAt(data, position);
  // What a compiler writes is a whole number of words.
  if (offset === undefined || offset % 32n !== 0n || offset / 32n >= BigInt(words)) return undefined;
  const start = Number(offset / 32n);
  const length = wordAt(data, start);
  if (length === undefined || length > BigInt(Math.min(most, words - start - 1))) return undefined;
  const array = Array.from({ length: Number(length) }, (_, index) => wordAt(data, start + 1 + index));
  return array.includes(undefined) ? undefined : array.filter((value) => value !== undefined);
}

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

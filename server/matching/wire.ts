/**
 * What a node's JSON-RPC answers, as far as the service reads it: hex strings, in whatever letter case. Chains vary, so what
 * only some of them give is optional, and null counts as absent.
 */

export type Hex = `0x${string}`;

/** An answer to `eth_getBlockByHash` or `eth_getBlockByNumber` with full transactions. */
export type WireBlock = {
  hash: Hex;
  number: Hex;
  parentHash: Hex;
  /** Seconds since the epoch. */
  timestamp: Hex;
  receiptsRoot: Hex;
  logsBloom: Hex;
  transactions: WireTransaction[];
  transactionsRoot?: Hex | null;
  stateRoot?: Hex | null;
  sha3Uncles?: Hex | null;
  miner?: Hex | null;
  difficulty?: Hex | null;
  gasLimit?: Hex | null;
  gasUsed?: Hex | null;
  extraData?: Hex | null;
  mixHash?: Hex | null;
  nonce?: Hex | null;
  baseFeePerGas?: Hex | null;
  withdrawalsRoot?: Hex | null;
  blobGasUsed?: Hex | null;
  excessBlobGas?: Hex | null;
  parentBeaconBlockRoot?: Hex | null;
  requestsHash?: Hex | null;
};

export type WireTransaction = {
  hash: Hex;
  from: Hex;
  /** Null when the transaction creates a contract. */
  to?: Hex | null;
  gas: Hex;
  gasPrice?: Hex | null;
  maxFeePerGas?: Hex | null;
  maxPriorityFeePerGas?: Hex | null;
  input: Hex;
  nonce: Hex;
  value: Hex;
  /** Absent from nodes older than typed transactions. */
  type?: Hex | null;
  blockHash?: Hex | null;
  transactionIndex?: Hex | null;
};

export type WireReceipt = {
  transactionHash: Hex;
  blockHash: Hex;
  transactionIndex: Hex;
  cumulativeGasUsed: Hex;
  gasUsed: Hex;
  effectiveGasPrice?: Hex | null;
  /** Some nodes give it for a creation that failed, too. */
  contractAddress?: Hex | null;
  /** Since Byzantium. */
  status?: Hex | null;
  /** The state root after the transaction; before Byzantium. */
  root?: Hex | null;
  type?: Hex | null;
  logsBloom?: Hex | null;
  logs: WireLog[];
};

export type WireLog = {
  address: Hex;
  /** None to four. */
  topics: Hex[];
  data: Hex;
  /** The position within the block. */
  logIndex: Hex;
  transactionHash?: Hex | null;
  transactionIndex?: Hex | null;
  blockHash?: Hex | null;
};

/** A frame as the `callTracer` gives it. */
export type WireCallFrame = {
  /** Such as `CALL`, `CREATE` or `DELEGATECALL`. */
  type: string;
  from: Hex;
  /** Absent when a creation failed. */
  to?: Hex | null;
  value?: Hex | null;
  gas?: Hex | null;
  gasUsed?: Hex | null;
  /** Present when the frame failed, which undoes it and everything below it. */
  error?: string | null;
  calls?: WireCallFrame[] | null;
};

/** One element of an answer to `debug_traceBlockByHash`: the top frame, or why the node could not trace the transaction. */
export type WireTrace = { txHash?: Hex; result?: WireCallFrame | null; error?: string | null };

/** A block and all that belongs to it; receipts and traces are parallel to the block's transactions. */
export type BlockBundle = {
  block: WireBlock;
  receipts: WireReceipt[];
  /** Absent when they were not fetched. */
  traces?: WireTrace[];
};

/**
 * A node's JSON-RPC results, as far as the service reads them: hex strings, in any letter case. A field that only some chains return is
 * optional, and null counts as absent.
 */

export type Hex = `0x${string}`;

/** The result of `eth_getBlockByHash` or `eth_getBlockByNumber` with full transactions. */
export type WireBlock = {
  hash: Hex;
  number: Hex;
  parentHash: Hex;
  /** Seconds since the epoch; on some chains milliseconds. */
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
  /** Every header of Avalanche's C-Chain has it. Some forks added fields after it. */
  extDataHash?: Hex | null;
  extDataGasUsed?: Hex | null;
  blockGasCost?: Hex | null;
  timestampMilliseconds?: Hex | null;
  minDelayExcess?: Hex | null;
  targetExponent?: Hex | null;
  minPriceExponent?: Hex | null;
  /** If present, execution runs behind the blocks: receipts root and bloom are those of the blocks that this one settles. */
  settledHeight?: Hex | null;
  settledGasUnix?: Hex | null;
  settledGasNumerator?: Hex | null;
  settledExcess?: Hex | null;
};

/** System transactions, which a chain makes itself, lack the fields of a signature. */
export type WireTransaction = {
  hash: Hex;
  from?: Hex | null;
  /** Null when the transaction creates a contract. */
  to?: Hex | null;
  gas?: Hex | null;
  gasPrice?: Hex | null;
  maxFeePerGas?: Hex | null;
  maxPriorityFeePerGas?: Hex | null;
  input?: Hex | null;
  nonce?: Hex | null;
  value?: Hex | null;
  /** Absent from nodes older than typed transactions. */
  type?: Hex | null;
  blockHash?: Hex | null;
  transactionIndex?: Hex | null;
  chainId?: Hex | null;
  v?: Hex | null;
  r?: Hex | null;
  s?: Hex | null;
  yParity?: Hex | null;
  accessList?: { address: Hex; storageKeys: Hex[] }[] | null;
  maxFeePerBlobGas?: Hex | null;
  blobVersionedHashes?: Hex[] | null;
  authorizationList?: WireAuthorization[] | null;
  /** Of the OP stack's deposits. */
  sourceHash?: Hex | null;
  mint?: Hex | null;
  isSystemTx?: boolean | null;
  /** Of Scroll's messages from its parent chain. */
  queueIndex?: Hex | null;
  /** Of Celo's transactions that pay their fee in a token. */
  feeCurrency?: Hex | null;
  /** Of Arbitrum's messages from its parent chain. */
  requestId?: Hex | null;
  ticketId?: Hex | null;
  refundTo?: Hex | null;
  maxRefund?: Hex | null;
  submissionFeeRefund?: Hex | null;
  l1BaseFee?: Hex | null;
  depositValue?: Hex | null;
  retryTo?: Hex | null;
  retryValue?: Hex | null;
  retryData?: Hex | null;
  beneficiary?: Hex | null;
  maxSubmissionFee?: Hex | null;
};

/** An account's authorization to run a contract's code as its own (EIP-7702). */
export type WireAuthorization = { chainId: Hex; address: Hex; nonce: Hex; yParity?: Hex; v?: Hex; r: Hex; s: Hex };

export type WireReceipt = {
  transactionHash: Hex;
  blockHash: Hex;
  transactionIndex: Hex;
  from?: Hex | null;
  to?: Hex | null;
  cumulativeGasUsed: Hex;
  gasUsed: Hex;
  effectiveGasPrice?: Hex | null;
  /** Some nodes also return it for a creation that failed. */
  contractAddress?: Hex | null;
  /** Since Byzantium. */
  status?: Hex | null;
  /** The state root after the transaction; before Byzantium. */
  root?: Hex | null;
  type?: Hex | null;
  logsBloom?: Hex | null;
  logs: WireLog[];
  /** Of the OP stack's deposits. */
  depositNonce?: Hex | null;
  depositReceiptVersion?: Hex | null;
  /** Of Celo's transactions that pay their fee in a token, in that token. */
  baseFee?: Hex | null;
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

/** A frame of the `callTracer`. */
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
  revertReason?: string | null;
  calls?: WireCallFrame[] | null;
};

/** One element of the result of `debug_traceBlockByHash`: the top frame, or why the node could not trace the transaction. */
export type WireTrace = { txHash?: Hex; result?: WireCallFrame | null; error?: string | null };

/** A block with its receipts and traces, which are parallel to its transactions. */
export type BlockBundle = {
  block: WireBlock;
  receipts: WireReceipt[];
  /** Absent when they were not fetched. */
  traces?: WireTrace[];
};

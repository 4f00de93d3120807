/**
 * A block with receipts and traces in the shape of each chain that people use. Headers and system transactions are recorded ones
 * where they are available, see test/data/README.md; the rest is made, with hashes and roots that hold.
 */

import { recordedBundle } from "../../scripts/local/recorded.ts";
import type { BlockBundle, Hex, WireBlock, WireTrace, WireTransaction } from "../../server/matching/wire.ts";
import { block, emptyRoot, type Made, noHash, traceOf, zero } from "./made-block.ts";
import { cip64, eip1559, legacy, payee, signer, unsigned } from "./made-transactions.ts";
import { arbitrumHeader, publicBlocks, scrollMessage, systemTransactions } from "./public-answers.ts";
import { rehashed } from "./sealed.ts";

export type ChainShape = { name: string; chainId: string; bundle: BlockBundle };

/** Headers of before Shanghai, with what seals a block of a chain that has validators of its own. */
const london: Partial<WireBlock> = {
  ...{
    difficulty: "0x2",
    extraData: `0x${"00".repeat(32)}${"5e".repeat(65)}`,
    mixHash: noHash,
    nonce: "0x0000000000000000",
  },
  ...{ withdrawalsRoot: null, blobGasUsed: null, excessBlobGas: null, parentBeaconBlockRoot: null, requestsHash: null },
};

/** @returns an OP stack's deposit */
function deposit(source: number, value: Hex): WireTransaction {
  const sourceHash: Hex = `0x${source.toString(16).padStart(64, "0")}`;
  const call = { from: signer, to: payee, value, gas: "0x186a0", input: "0x" } as const;
  const fields = [sourceHash, signer, payee, "0x", value, "0x0186a0", "0x", "0x"] as const;
  return unsigned("0x7e", fields, { sourceHash, ...call, mint: null, isSystemTx: false, nonce: "0x3" });
}

function opStack(users: readonly WireTransaction[]): BlockBundle {
  const l1 = publicBlocks().find(({ chainId }) => chainId === "10")?.block.transactions[0];
  if (!l1) throw new Error("there is no deposit");
  const receipt = { depositNonce: "0x3", depositReceiptVersion: "0x1" } as const;
  const [failed, unfunded] = [deposit(1, "0x05"), deposit(2, "0x06")];
  const stopped: WireTrace = { txHash: failed.hash, result: { type: "STOP", from: zero, gas: "0x0", gasUsed: "0x0" } };
  return block({ difficulty: "0x0", extraData: "0x00000000fa00000006" }, [
    { transaction: l1, receipt },
    { transaction: failed, receipt: { ...receipt, status: "0x0" }, trace: stopped },
    {
      transaction: unfunded,
      receipt: { ...receipt, status: "0x0" },
      trace: { txHash: unfunded.hash, error: "insufficient funds for gas * price + value" },
    },
    ...users.map((transaction) => ({
      transaction,
      ...(transaction.type === "0x7b" && { receipt: { baseFee: "0x5f5e100" as Hex } }),
    })),
  ]);
}

async function arbitrum(chainId: number): Promise<BlockBundle> {
  const internal = systemTransactions().find(({ transaction }) => transaction.type === "0x6a")?.transaction;
  if (!internal) throw new Error("there is no internal transaction");
  const retried = {
    ...{ chainId: "0xa4b1", nonce: "0x01", from: signer, maxFeePerGas: "0x05f5e100", gas: "0x0186a0", to: payee },
    ...{ value: "0x05", input: "0xabcd", ticketId: `0x${"71".repeat(32)}`, refundTo: payee, maxRefund: "0x01" },
    submissionFeeRefund: "0x02",
  } as const satisfies Partial<WireTransaction>;
  const retry = unsigned("0x68", Object.values(retried), retried);
  return block(arbitrumHeader(), [
    { transaction: internal },
    { transaction: retry, receipt: { status: "0x0" } },
    { transaction: await eip1559(chainId) },
  ]);
}

/** With a state-sync transaction that its header leaves out and its node did not trace. */
async function polygon(chainId: number): Promise<BlockBundle> {
  const made = block(
    london,
    [{ transaction: await eip1559(chainId) }, { transaction: await legacy(chainId) }],
    "polygon",
  );
  const place = { from: zero, to: zero, type: "0x0", transactionIndex: "0x2" } as const;
  const hash: Hex = `0x${"5a".repeat(32)}`;
  const log = { address: `0x${"10".repeat(20)}` as Hex, topics: [], data: "0x", logIndex: "0x4" } as const;
  made.block.transactions.push({
    ...place,
    hash,
    gas: "0x0",
    gasPrice: "0x0",
    input: "0x",
    nonce: "0x0",
    value: "0x0",
  });
  made.receipts.push({
    ...{
      ...place,
      transactionHash: hash,
      blockHash: noHash,
      status: "0x1",
      gasUsed: "0x0",
      logs: [{ ...log, topics: [] }],
    },
    cumulativeGasUsed: made.receipts.at(-1)?.cumulativeGasUsed ?? "0x0",
  });
  return rehashed(made, "polygon");
}

/** @param bloom what the header has in place of its bloom, as older nodes do */
export async function zkSync(chainId: number, bloom?: Hex): Promise<BlockBundle> {
  const receipt = { cumulativeGasUsed: "0x0" } as const;
  const bootloader: Hex = `0x${"8001".padStart(40, "0")}`;
  const traced = (transaction: WireTransaction): Made => {
    const { result } = traceOf(transaction);
    const top = { ...result, type: "Call", from: zero, to: bootloader, error: null, calls: result?.calls ?? [] };
    return { transaction, receipt, trace: { result: top } };
  };
  const priority = { hash: `0x${"ff".repeat(32)}`, type: "0xff", from: signer, to: payee, value: "0x0" } as const;
  const seals = { l1BatchNumber: "0x7a120", l1BatchTimestamp: null, sealFields: [], totalDifficulty: "0x0" };
  const transactions = [
    await legacy(chainId),
    await eip1559(chainId),
    { ...priority, gas: "0x5208", input: "0x", nonce: "0x1" } as const,
  ];
  const made = block({ ...london, ...seals, stateRoot: noHash, miner: zero }, transactions.map(traced), "zksync");
  const roots = { transactionsRoot: noHash, receiptsRoot: noHash, ...(bloom && { logsBloom: bloom }) };
  return { ...made, block: { ...made.block, ...roots } };
}

const bscHeader = {
  ...london,
  baseFeePerGas: "0x0",
  withdrawalsRoot: emptyRoot,
  blobGasUsed: "0x0",
  excessBlobGas: "0x0",
} as const;
const sealedBySystem = { parentBeaconBlockRoot: noHash, milliTimestamp: "0x1979a2b3c4d" };
const users = async (chainId: number) => [
  { transaction: await eip1559(chainId) },
  { transaction: await legacy(chainId) },
];
const cChainHeader = recordedBundle("avalanche/21").block;
const validators: Hex = `0x${"1000".padStart(40, "0")}`;

/** The twelve that follow with nothing but `chainId` and `rpcUrls`. */
export const chainShapes: readonly ChainShape[] = [
  { name: "Ethereum", chainId: "1", bundle: recordedBundle("mainnet-traced/19933122") },
  {
    name: "BSC",
    chainId: "56",
    bundle: block({ ...bscHeader, ...sealedBySystem }, [
      ...(await users(56)),
      { transaction: await legacy(56, { nonce: 9, gasPrice: 0n, to: validators }) },
    ]),
  },
  { name: "Polygon PoS", chainId: "137", bundle: await polygon(137) },
  { name: "Arbitrum One", chainId: "42161", bundle: await arbitrum(42161) },
  { name: "OP Mainnet", chainId: "10", bundle: opStack([await eip1559(10)]) },
  { name: "Base", chainId: "8453", bundle: opStack([await legacy(8453), await eip1559(8453)]) },
  {
    name: "Avalanche",
    chainId: "43114",
    bundle: block({ ...cChainHeader, ...london, difficulty: "0x1" }, await users(43114), "avalanche"),
  },
  { name: "Linea", chainId: "59144", bundle: block(london, await users(59144)) },
  { name: "zkSync Era", chainId: "324", bundle: await zkSync(324) },
  {
    name: "Scroll",
    chainId: "534352",
    bundle: block(london, [{ transaction: scrollMessage() }, ...(await users(534352))]),
  },
  {
    name: "Gnosis",
    chainId: "100",
    bundle: block({ requestsHash: null, baseFeePerGas: "0x7" }, await users(100)),
  },
  { name: "Celo", chainId: "42220", bundle: opStack([await cip64(42220), await eip1559(42220)]) },
];

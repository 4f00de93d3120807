/** Checks what a node answered before it is used. A block that fails is asked for again, never accepted. */
import { keccak256 } from "viem";
import type { BlockBundle } from "../matching/wire.ts";
import type { ChainConfig, CheckName } from "./config.ts";

/** A node's answer contradicts itself. */
export class CheckError extends Error {
  override readonly name = "CheckError";
  /** The check that failed. */
  readonly check: CheckName | "traces";

  constructor(check: CheckName | "traces", message: string) {
    super(message);
    this.check = check;
  }
}

/** @throws CheckError that names the first check that fails */
export function checkBundle(bundle: BlockBundle, checks: ChainConfig["checks"] = {}): void {
  const on = (check: CheckName) => checks[check] !== "off";
  if (on("receipts")) checkReceipts(bundle);
  if (on("logIndex")) checkLogIndex(bundle);
  if (on("bloom")) checkBloom(bundle);
  checkTraces(bundle);
}

function checkReceipts({ block, receipts }: BlockBundle): void {
  if (receipts.length !== block.transactions.length) {
    throw new CheckError(
      "receipts",
      `block ${block.hash} has ${block.transactions.length} transactions and ${receipts.length} receipts`,
    );
  }
  for (const [index, receipt] of receipts.entries()) {
    const { hash } = block.transactions[index] ?? {};
    if (!Array.isArray(receipt.logs))
      throw new CheckError("receipts", `receipt ${index} of block ${block.hash} has no list of logs`);
    if (!same(receipt.transactionHash, hash) || !same(receipt.blockHash, block.hash)) {
      throw new CheckError(
        "receipts",
        `receipt ${index} of block ${block.hash} belongs to transaction ${receipt.transactionHash} of block ${receipt.blockHash}`,
      );
    }
  }
}

function checkLogIndex({ block, receipts }: BlockBundle): void {
  let expected = 0;
  for (const log of receipts.flatMap((receipt) => receipt.logs)) {
    if (Number(log.logIndex) !== expected)
      throw new CheckError("logIndex", `block ${block.hash} has log ${log.logIndex} at place ${expected}`);
    expected += 1;
  }
}

/** The header's bloom against the one that the logs make (Yellow Paper, section 4.3.1): catches logs left out. */
function checkBloom({ block, receipts }: BlockBundle): void {
  const bloom = new Uint8Array(256);
  const seen = new Set<string>();
  for (const log of receipts.flatMap((receipt) => receipt.logs))
    for (const value of [log.address, ...log.topics]) seen.add(value.toLowerCase());
  for (const value of seen) {
    const hash = keccak256(value as `0x${string}`, "bytes");
    for (const at of [0, 2, 4]) {
      const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047;
      const byte = 255 - (bit >> 3);
      bloom[byte] = (bloom[byte] ?? 0) | (1 << (bit & 7));
    }
  }
  if (!same(`0x${Buffer.from(bloom).toString("hex")}`, block.logsBloom))
    throw new CheckError("bloom", `the bloom of block ${block.hash} is not that of its logs`);
}

/** One for each transaction, and none that the node gave up, as some do after a time. */
function checkTraces({ block, traces }: BlockBundle): void {
  if (!traces) return;
  if (traces.length !== block.transactions.length)
    throw new CheckError(
      "traces",
      `block ${block.hash} has ${block.transactions.length} transactions and ${traces.length} traces`,
    );
  for (const [index, { txHash, result, error }] of traces.entries()) {
    const { hash } = block.transactions[index] ?? {};
    if (!result) throw new CheckError("traces", `transaction ${hash} has no trace: ${error ?? "absent"}`);
    if (txHash !== undefined && !same(txHash, hash))
      throw new CheckError("traces", `trace ${index} of block ${block.hash} belongs to transaction ${txHash}`);
  }
}

function same(one: string | undefined, other: string | undefined): boolean {
  return one?.toLowerCase() === other?.toLowerCase();
}

/** Spoils copies of recorded blocks, and finds the check that refuses them. */
import { expect } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import { BlockRefusedError, checkBundle } from "../../../server/chain/check/accept.ts";
import type {
  BlockBundle,
  Hex,
  WireLog,
  WireReceipt,
  WireTrace,
  WireTransaction,
} from "../../../server/matching/wire.ts";
import { type CheckName, profileOf } from "../../../server/settings/chain-profiles.ts";

/** Changes a copy of a block as it likes. */
export type Spoil = (bundle: BlockBundle) => unknown;

/** The check that catches it, what it is, the block it is done to, and how. */
export type Corruption = [CheckName, string, string, Spoil];

export const origin = "https://node.example";
export const otherHash: Hex = `0x${"ab".repeat(32)}`;
export const otherAddress: Hex = `0x${"cd".repeat(20)}`;

/** @returns what the block is refused with, undefined where it passes */
export async function refusal(name: string, spoil: Spoil, chainId?: string): Promise<BlockRefusedError | undefined> {
  const bundle = structuredClone(recordedBundle(name));
  spoil(bundle);
  const profile = profileOf(chainId ?? (name.startsWith("avalanche") ? "43114" : "1"));
  try {
    checkBundle(bundle, profile, origin);
  } catch (error) {
    if (error instanceof BlockRefusedError) return error;
    throw error;
  }
  return undefined;
}

/** Asserts that the check refuses the block, and that the error says which block, of which node, and why. */
export async function assertCaught(...[check, , name, spoil]: Corruption): Promise<void> {
  const error = await refusal(name, spoil);
  expect(error?.check ?? "none").toBe(check);
  const { number, hash } = recordedBundle(name).block;
  expect(error).toMatchObject({ code: "block_refused", block: { number: Number(number), hash }, node: origin });
  const said = new RegExp(`^block ${Number(number)} \\(${hash}\\) of ${origin} \\S.* \\(check ${check}\\)`);
  expect(error?.message).toMatch(said);
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The block has nothing to spoil.");
  return value;
}

export const receiptAt = ({ receipts }: BlockBundle, index: number): WireReceipt => found(receipts[index]);
export const transactionAt = ({ block }: BlockBundle, index: number): WireTransaction =>
  found(block.transactions[index]);
export const traceAt = ({ traces }: BlockBundle, index: number): WireTrace => found(traces?.[index]);

/** The first receipt with at least this many logs. */
export const withLogs = ({ receipts }: BlockBundle, atLeast = 1): WireReceipt =>
  found(receipts.find(({ logs }) => logs.length >= atLeast));

export const firstLog = (bundle: BlockBundle): WireLog => found(withLogs(bundle).logs[0]);

/** The first transaction of a type. */
export const ofType = ({ block }: BlockBundle, type: number): WireTransaction =>
  found(block.transactions.find((transaction) => Number(transaction.type ?? 0) === type));

/** The first transaction with an access list that says something. */
export const withAccessList = ({ block }: BlockBundle): WireTransaction =>
  found(block.transactions.find(({ accessList }) => accessList?.length));

/** The first trace whose transaction came to this. */
export const traceWhere = ({ receipts, traces }: BlockBundle, status: Hex): WireTrace =>
  found(traces?.[receipts.findIndex((receipt) => receipt.status === status)]);

/** Counts the block's logs through, as a node does that has no others. */
export function renumber({ receipts }: BlockBundle): void {
  for (const [index, log] of receipts.flatMap(({ logs }) => logs).entries()) log.logIndex = `0x${index.toString(16)}`;
}

/** Takes a transaction out, with its receipt, so only the roots reveal it. */
export function withoutTransaction(bundle: BlockBundle, index: number): void {
  bundle.block.transactions.splice(index, 1);
  bundle.receipts.splice(index, 1);
  for (const [at, receipt] of bundle.receipts.entries()) receipt.transactionIndex = `0x${at.toString(16)}`;
  renumber(bundle);
}

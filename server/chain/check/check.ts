/** What a check is: a pure look at a block and all that belongs to it, before any of it is believed. */
import type { BlockBundle, Hex } from "../../matching/wire.ts";
import type { Kind } from "./kind.ts";

/** The checks, in the order in which they are made: the cheap and telling ones first. */
export const checkNames = [
  "parentHash",
  "receipts",
  "logIndex",
  "bloom",
  "transactionsRoot",
  "receiptsRoot",
  "headerHash",
  "traces",
  "traceGas",
] as const;
export type CheckName = (typeof checkNames)[number];

/** Which checks a chain's blocks must pass. */
export type Checks = Readonly<Record<CheckName, "on" | "off">>;

/** What a chain's blocks must be like. */
export type Rules = { checks: Checks; kind: Kind };

/**
 * What a check found: a contradiction, or that it can say nothing of this block. Nothing is found where the block passes.
 * Configuration cannot turn off what is `required`.
 */
export type Finding = { refused: string; required?: true } | { inapplicable: string };

export type Check = (bundle: BlockBundle, kind: Kind) => Finding | undefined;

/** @param reason goes on from the block's name, such as `has 3 transactions and 2 receipts` */
export const refuse = (reason: string): Finding => ({ refused: reason });

/** @param reason a clause of its own, the same for all blocks that are alike in this */
export const cannotTell = (reason: string): Finding => ({ inapplicable: reason });

/** Whether two hex texts are the same, whatever their letter case. */
export function same(one: string | null | undefined, other: string | null | undefined): boolean {
  return one === other || one?.toLowerCase() === other?.toLowerCase();
}

/** Bytes as JSON-RPC has them. */
export function hex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}

/** Makes transactions as nodes return them: signed, so that their hashes hold, and serialized by viem, which knows nothing of our code. */
import { concatHex, keccak256, type Signature, serializeTransaction, toHex, toRlp } from "viem";
import { privateKeyToAddress, sign } from "viem/accounts";
import { serializeTransaction as serializeCelo } from "viem/celo";
import type { Hex, WireTransaction } from "../../server/matching/wire.ts";

const privateKey: Hex = `0x${"11".repeat(32)}`;
export const signer = privateKeyToAddress(privateKey).toLowerCase() as Hex;
export const token: Hex = `0x${"70".repeat(20)}`;
export const payee: Hex = `0x${"9a".repeat(20)}`;

const common = { to: token, value: 5n, data: "0xa9059cbb", gas: 100_000n } as const;
const fees = { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };

/** One without a type, as wallets made them, and validators of BSC still do for nothing. */
export async function legacy(chainId: number, { nonce = 7, gasPrice = 1_000_000_000n, to = token as Hex } = {}) {
  const tx = { ...common, to, type: "legacy", chainId, nonce, gasPrice } as const;
  return signed(tx, (by) => serializeTransaction(tx, by), { type: "0x0", gasPrice: toHex(gasPrice) });
}

/** One with a tip (EIP-1559). */
export async function eip1559(chainId: number, { nonce = 8 } = {}) {
  const tx = { ...common, ...fees, type: "eip1559", chainId, nonce } as const;
  return signed(tx, (by) => serializeTransaction(tx, by), { type: "0x2", ...wireFees });
}

/** Celo's, which pays its fee in a token. */
export async function cip64(chainId: number, { nonce = 9, feeCurrency = token as Hex } = {}) {
  const tx = { ...common, ...fees, type: "cip64", chainId, nonce, feeCurrency } as const;
  return signed(tx, (by) => serializeCelo(tx, by), { type: "0x7b", feeCurrency, ...wireFees });
}

const wireFees = {
  maxFeePerGas: toHex(fees.maxFeePerGas),
  maxPriorityFeePerGas: toHex(fees.maxPriorityFeePerGas),
  accessList: [],
};

/** @param serialize writes the transaction with a signature, or without one to be signed */
async function signed(
  tx: { chainId: number; nonce: number; to: Hex },
  serialize: (signature?: Signature) => Hex,
  more: Partial<WireTransaction>,
): Promise<WireTransaction> {
  const signature = await sign({ hash: keccak256(serialize()), privateKey });
  const { chainId, nonce, to } = tx;
  const { r, s, yParity = 0 } = signature;
  return {
    hash: keccak256(serialize(signature)),
    ...{ from: signer, to, chainId: toHex(chainId), nonce: toHex(nonce), input: common.data },
    ...{ value: toHex(common.value), gas: toHex(common.gas), r: short(r), s: short(s) },
    ...(more.type === "0x0"
      ? { v: toHex(chainId * 2 + 35 + yParity) }
      : { v: toHex(yParity), yParity: toHex(yParity) }),
    ...more,
  };
}

/** Nodes return numbers without zeros in front. */
const short = (hex: Hex): Hex => toHex(BigInt(hex));

/** A transaction that a chain makes itself, with the hash of these fields in this order. */
export function unsigned(type: Hex, fields: readonly Hex[], wire: Partial<WireTransaction>): WireTransaction {
  const hash = keccak256(concatHex([type, toRlp([...fields])]));
  return { hash, ...{ type, gasPrice: "0x0", v: "0x0", r: "0x0", s: "0x0" }, ...wire };
}

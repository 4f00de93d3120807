/** Serializes transactions as they are hashed: a field list for each type, in the order of its specification. */
import type { Hex, WireAuthorization, WireTransaction } from "../../../matching/wire.ts";
import { optionalAddress, quantity, requiredField } from "./fields.ts";
import { type RlpField, rlp } from "./rlp.ts";

type Encoder = (transaction: WireTransaction) => RlpField[];

/** Signed transactions: EIP-2718 and later. Every node returns all of their fields. */
const ethereum: Readonly<Record<number, Encoder>> = {
  0: (tx) => [...read(tx, ["nonce", "gasPrice"]), ...call(tx), legacyV(tx), ...read(tx, ["r", "s"])],
  1: (tx) => [...read(tx, ["chainId", "nonce", "gasPrice"]), ...call(tx), accessList(tx), ...signature(tx)],
  2: (tx) => [...feeMarket(tx), accessList(tx), ...signature(tx)],
  3: (tx) => [
    ...feeMarket(tx),
    accessList(tx),
    ...read(tx, ["maxFeePerBlobGas"]),
    tx.blobVersionedHashes ?? [],
    ...signature(tx),
  ],
  4: (tx) => [...feeMarket(tx), accessList(tx), (tx.authorizationList ?? []).map(authorization), ...signature(tx)],
  // Celo's, which pays its fee in a token (CIP-64).
  123: (tx) => [...feeMarket(tx), accessList(tx), optionalAddress(tx.feeCurrency), ...signature(tx)],
};

/** Unsigned transactions that chains make themselves: the OP stack's deposit or Scroll's message, and Arbitrum's (`arb_types.go` of its geth). */
const system: Readonly<Record<number, Encoder>> = {
  126: (tx) => (tx.queueIndex == null ? deposit(tx) : message(tx)),
  100: (tx) => read(tx, ["chainId", "requestId", "from", "to", "value"]),
  101: (tx) => [...read(tx, ["chainId", "from", "nonce", "maxFeePerGas"]), ...call(tx)],
  102: (tx) => [...read(tx, ["chainId", "requestId", "from", "maxFeePerGas"]), ...call(tx)],
  104: (tx) => [
    ...read(tx, ["chainId", "nonce", "from", "maxFeePerGas"]),
    ...call(tx),
    ...read(tx, ["ticketId", "refundTo", "maxRefund", "submissionFeeRefund"]),
  ],
  105: (tx) => [
    ...read(tx, ["chainId", "requestId", "from", "l1BaseFee", "depositValue", "maxFeePerGas", "gas"]),
    optionalAddress(tx.retryTo),
    ...read(tx, ["retryValue", "beneficiary", "maxSubmissionFee", "refundTo", "retryData"]),
  ],
  106: (tx) => read(tx, ["chainId", "input"]),
};

/** 0 from nodes older than types. */
export function transactionType({ type }: { type?: WireTransaction["type"] }): number {
  return Number(type ?? 0);
}

/** `ethereum`: signed, and the same on every chain. `unknown`: we cannot serialize it. */
export function kindOf(type: number): "ethereum" | "system" | "unknown" {
  return ethereum[type] ? "ethereum" : system[type] ? "system" : "unknown";
}

/** @returns undefined for an unknown type @throws {ServiceError} `field_missing` */
export function serializeTransaction(transaction: WireTransaction): Uint8Array | undefined {
  const type = transactionType(transaction);
  const encoder = ethereum[type] ?? system[type];
  return encoder && rlp(encoder(transaction), type);
}

const bytesFields: ReadonlySet<string> = new Set([
  ...["from", "to", "input", "sourceHash", "requestId", "ticketId", "refundTo", "beneficiary", "retryData"],
]);

function read(transaction: WireTransaction, names: readonly (keyof WireTransaction)[]): RlpField[] {
  return names.map((name) => {
    const hex = requiredField(transaction, name, "a transaction");
    return bytesFields.has(name) ? hex : quantity(hex);
  });
}

/** Of the OP stack (its specification of deposits). */
function deposit(tx: WireTransaction): RlpField[] {
  return [
    ...read(tx, ["sourceHash", "from"]),
    optionalAddress(tx.to),
    quantity(tx.mint ?? "0x0"),
    ...read(tx, ["value", "gas"]),
    quantity(tx.isSystemTx ? "0x1" : "0x0"),
    ...read(tx, ["input"]),
  ];
}

/** Of Scroll, from its parent chain (`l1_message_tx.go` of its geth). Its sender is the transaction's. */
function message(tx: WireTransaction): RlpField[] {
  return [...read(tx, ["queueIndex", "gas"]), optionalAddress(tx.to), ...read(tx, ["value", "input", "from"])];
}

function call(tx: WireTransaction): RlpField[] {
  return [...read(tx, ["gas"]), optionalAddress(tx.to), ...read(tx, ["value", "input"])];
}

function feeMarket(tx: WireTransaction): RlpField[] {
  return [...read(tx, ["chainId", "nonce", "maxPriorityFeePerGas", "maxFeePerGas"]), ...call(tx)];
}

function signature(tx: WireTransaction): RlpField[] {
  return [parity(tx.yParity ?? requiredField(tx, "v", "a transaction")), ...read(tx, ["r", "s"])];
}

/** Some nodes return the parity here, too, instead of 27 or 28 or EIP-155's number. */
function legacyV(tx: WireTransaction): Hex {
  const v = requiredField(tx, "v", "a transaction");
  if (BigInt(v) > 1n) return quantity(v);
  const base = tx.chainId == null ? 27n : 35n + 2n * BigInt(tx.chainId);
  return quantity(`0x${(base + BigInt(v)).toString(16)}`);
}

/** Older nodes return the parity as `v` only, and some as an untyped transaction has it: 27 or 28, or as in EIP-155. */
function parity(v: Hex): Hex {
  const number = BigInt(v);
  return quantity(number < 27n ? v : `0x${(number + 1n) % 2n}`);
}

function accessList({ accessList }: WireTransaction): RlpField {
  return (accessList ?? []).map(({ address, storageKeys }) => [address, storageKeys]);
}

function authorization(of: WireAuthorization): RlpField {
  const field = (name: "chainId" | "address" | "nonce" | "r" | "s") =>
    requiredField(of, name, "an authorization of a transaction");
  const [chainId, nonce, r, s] = (["chainId", "nonce", "r", "s"] as const).map((name) => quantity(field(name)));
  return [chainId ?? "0x", field("address"), nonce ?? "0x", parity(of.yParity ?? of.v ?? "0x0"), r ?? "0x", s ?? "0x"];
}

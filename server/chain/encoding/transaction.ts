/** Transactions as they are hashed: a field list for each type, in the order of its specification. */
import type { WireAuthorization, WireTransaction } from "../../matching/wire.ts";
import { given, optionalAddress, quantity } from "./fields.ts";
import { type Field, rlp } from "./rlp.ts";

type Encoder = (transaction: WireTransaction) => Field[];

/** EIP-2718 and those that came after it. Every node gives all of their fields. */
const ethereum: Readonly<Record<number, Encoder>> = {
  0: (tx) => [...read(tx, ["nonce", "gasPrice"]), ...call(tx), ...read(tx, ["v", "r", "s"])],
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
};

/** What chains make themselves, unsigned: the OP stack's deposit, and Arbitrum's (`arb_types.go` of its geth). */
const system: Readonly<Record<number, Encoder>> = {
  126: (tx) => [
    ...read(tx, ["sourceHash", "from"]),
    optionalAddress(tx.to),
    quantity(tx.mint ?? "0x0"),
    ...read(tx, ["value", "gas"]),
    quantity(tx.isSystemTx ? "0x1" : "0x0"),
    ...read(tx, ["input"]),
  ],
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

/** A transaction's type; 0 where a node is older than types. */
export function typeOf({ type }: { type?: WireTransaction["type"] }): number {
  return Number(type ?? 0);
}

/** Whether this type's serialization is known, and whether it is signed and the same on every chain. */
export function kindOf(type: number): "ethereum" | "system" | "unknown" {
  return ethereum[type] ? "ethereum" : system[type] ? "system" : "unknown";
}

/** The transaction as it is hashed. @throws MissingFieldError; undefined for a type that is not known */
export function serializeTransaction(transaction: WireTransaction): Uint8Array | undefined {
  const type = typeOf(transaction);
  const encoder = ethereum[type] ?? system[type];
  return encoder && rlp(encoder(transaction), type);
}

const bytesFields: ReadonlySet<string> = new Set([
  ...["from", "to", "input", "sourceHash", "requestId", "ticketId", "refundTo", "beneficiary", "retryData"],
]);

function read(transaction: WireTransaction, names: readonly (keyof WireTransaction)[]): Field[] {
  return names.map((name) => {
    const hex = given(transaction, name, "a transaction");
    return bytesFields.has(name) ? hex : quantity(hex);
  });
}

function call(tx: WireTransaction): Field[] {
  return [...read(tx, ["gas"]), optionalAddress(tx.to), ...read(tx, ["value", "input"])];
}

function feeMarket(tx: WireTransaction): Field[] {
  return [...read(tx, ["chainId", "nonce", "maxPriorityFeePerGas", "maxFeePerGas"]), ...call(tx)];
}

/** Older nodes give the parity as `v` only. */
function signature(tx: WireTransaction): Field[] {
  return read(tx, [tx.yParity == null ? "v" : "yParity", "r", "s"]);
}

function accessList({ accessList }: WireTransaction): Field {
  return (accessList ?? []).map(({ address, storageKeys }) => [address, storageKeys]);
}

function authorization({ chainId, address, nonce, yParity, v, r, s }: WireAuthorization): Field {
  return [quantity(chainId), address, ...[nonce, yParity ?? v ?? "0x0", r, s].map(quantity)];
}

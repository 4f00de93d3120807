/** Receipts as the header's root commits to them. */
import type { WireReceipt } from "../../../matching/wire.ts";
import { given, quantity } from "./fields.ts";
import { type Field, rlp } from "./rlp.ts";
import { typeOf } from "./transaction.ts";

const depositType = 0x7e;
/** Celo's, which pays its fee in a token. */
const feeCurrencyType = 0x7b;

/** @param bloom that of the receipt's logs @throws MissingFieldError */
export function serializeReceipt(receipt: WireReceipt, bloom: Field): Uint8Array {
  const type = typeOf(receipt);
  const { root } = receipt;
  const outcome = root?.length === 66 ? root : quantity(given(receipt, "status", "a receipt"));
  const logs: Field = receipt.logs.map(({ address, topics, data }) => [address, topics, data]);
  const payload: Field[] = [outcome, quantity(given(receipt, "cumulativeGasUsed", "a receipt")), bloom, logs];
  // Since Canyon. Before it the nonce was there without the version, and was not committed to.
  const { depositNonce, depositReceiptVersion } = receipt;
  if (type === depositType && depositNonce != null && depositReceiptVersion != null)
    payload.push(quantity(depositNonce), quantity(depositReceiptVersion));
  // Since Celo is a rollup.
  if (type === feeCurrencyType && receipt.baseFee != null) payload.push(quantity(receipt.baseFee));
  return rlp(payload, type);
}

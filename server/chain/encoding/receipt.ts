/** Receipts as the header's root commits to them. */
import type { WireReceipt } from "../../matching/wire.ts";
import { data, type Field, fieldsOf, quantity, typed } from "./fields.ts";
import { typeOf } from "./transaction.ts";

const depositType = 0x7e;

/** @param bloom that of the receipt's logs @throws MissingFieldError */
export function serializeReceipt(receipt: WireReceipt, bloom: Uint8Array): Uint8Array {
  const type = typeOf(receipt);
  const fields = fieldsOf(receipt, `the receipt of ${receipt.transactionHash}`);
  const outcome = receipt.root && receipt.root.length === 66 ? data(receipt.root) : fields.quantity("status");
  const logs: Field = receipt.logs.map((log) => [data(log.address), log.topics.map(data), data(log.data)]);
  const payload = [outcome, fields.quantity("cumulativeGasUsed"), bloom, logs];
  // Since Canyon. Before it the nonce was there without the version, and was not committed to.
  const { depositNonce, depositReceiptVersion } = receipt;
  if (type === depositType && depositNonce != null && depositReceiptVersion != null)
    payload.push(quantity(depositNonce), quantity(depositReceiptVersion));
  return typed(type, payload);
}

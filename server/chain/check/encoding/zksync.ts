/**
 * The hash of a ZK stack chain's block. It is no hash of a header: it commits to number, time, parent and the transactions' hashes
 * (`_calculateL2BlockHash` of the system contract SystemContext), and to nothing that the transactions did.
 */
import type { WireBlock } from "../../../matching/wire.ts";
import { data, given, quantity } from "./fields.ts";
import { keccak } from "./keccak.ts";

const wordBytes = 32;

/** @param block its transactions whole, or only their hashes */
export function zkSyncHash(block: WireBlock): Uint8Array {
  const transactions: readonly (WireBlock["transactions"][number] | string)[] = block.transactions;
  let rolling: Uint8Array = new Uint8Array(wordBytes);
  for (const transaction of transactions) {
    const hash = typeof transaction === "string" ? transaction : transaction.hash;
    rolling = keccak(Buffer.concat([rolling, word(hash)]));
  }
  const [number, time, parent] = (["number", "timestamp", "parentHash"] as const).map((name) =>
    word(given(block, name, "the header")),
  ) as [Uint8Array, Uint8Array, Uint8Array];
  return keccak(Buffer.concat([number, time, parent, rolling]));
}

/** Before protocol version 13, in 2023, the hash was that of the number, as four bytes. */
export function zkSyncLegacyHash(block: WireBlock): Uint8Array {
  const number = Buffer.alloc(4);
  number.writeUInt32BE(Number(given(block, "number", "the header")) % 2 ** 32);
  return keccak(number);
}

/** As the EVM has it: 32 bytes, zeros in front. */
function word(hex: string): Uint8Array {
  const bytes = data(quantity(`0x${hex.slice(2)}`));
  const padded = new Uint8Array(wordBytes);
  padded.set(bytes, wordBytes - bytes.length);
  return padded;
}

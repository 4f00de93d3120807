/** The header's bloom, and each receipt's where it has one, against the logs': catches logs left out, even all of them. */
import { bloomsOf, union } from "../encoding/bloom.ts";
import { type Check, hex, refuse, same } from "./check.ts";
import { settledLater } from "./settled-later.ts";
import { committed } from "./state-sync.ts";

export const checkBloom: Check = (bundle) => {
  const { block, receipts } = bundle;
  const blooms = bloomsOf(receipts);
  const wrong = receipts.findIndex(
    ({ logsBloom }, index) => logsBloom != null && !same(logsBloom, hex(blooms[index] ?? new Uint8Array())),
  );
  if (wrong >= 0) return refuse(`has a receipt ${wrong} whose bloom is not that of its logs`);
  const later = settledLater(block);
  if (later) return later;
  const bloom = union(bloomsOf(committed(bundle).receipts));
  return same(block.logsBloom, hex(bloom)) ? undefined : refuse("has a bloom that is not that of its logs");
};

/** The header's bloom, and each receipt's where it has one, against the logs': catches logs left out, even all of them. */

import { type Check, cannotTell, hex, refuse, same } from "./check.ts";
import { committedBlooms } from "./committed-blooms.ts";
import { settledLater } from "./delayed-execution.ts";
import { bloomsOf, union } from "./encoding/bloom.ts";
import { data } from "./encoding/fields.ts";
import { committed, withoutStateSync } from "./state-sync.ts";

export const checkBloom: Check = (bundle, kind) => {
  const { block, receipts } = bundle;
  if (kind === "zksync" && isZero(block.logsBloom) && receipts.some(({ logs }) => logs.length > 0))
    return cannotTell("headers come without a bloom");
  const given = committedBlooms(bundle, kind);
  if (given && same(block.logsBloom, hex(union(given.map(data))))) return undefined;
  const blooms = bloomsOf(receipts);
  const wrong = receipts.findIndex(
    ({ logsBloom }, index) =>
      logsBloom != null &&
      !(kind === "zksync" && isZero(logsBloom)) &&
      !same(logsBloom, hex(blooms[index] ?? new Uint8Array())),
  );
  if (wrong >= 0) return refuse(`has a receipt ${wrong} whose bloom is not that of its logs`);
  const later = settledLater(block, kind);
  if (later) return later;
  const readings = new Set([committed(bundle, kind), withoutStateSync(bundle, kind)]);
  for (const { receipts } of readings) if (same(block.logsBloom, hex(union(bloomsOf(receipts))))) return undefined;
  return refuse("has a bloom that is not that of its logs");
};

const isZero = (bloom: string | null | undefined) => /^0x0+$/.test(bloom ?? "");

/** The gas of each trace against its transaction and receipt. Apart from the other checks, since what counts as gas varies. */
import { type Check, refuse } from "./check.ts";
import { settledLater } from "./delayed-execution.ts";

export const checkTraceGas: Check = ({ block, receipts, traces }, kind) => {
  if (!traces) return undefined;
  // Such chains charge for a part of the gas limit that was not used, which a trace does not show.
  const later = settledLater(block, kind);
  if (later) return later;
  for (const [index, { result }] of traces.entries()) {
    const limit = block.transactions[index]?.gas;
    const charged = receipts[index]?.gasUsed;
    if (limit == null || charged == null || result?.gas == null || result.gasUsed == null) continue;
    const [gas, used] = [BigInt(result.gas), BigInt(result.gasUsed)];
    // Some tracers leave out what a transaction costs before its first instruction, and older ones refunds too.
    const short = gas < BigInt(limit) && used <= gas;
    if (gas > BigInt(limit) || (used !== BigInt(charged) && !short))
      return refuse(
        `has a trace ${index} that used ${used} of ${gas} gas, and a receipt of ${BigInt(charged)} of ${BigInt(limit)}`,
      );
  }
  return undefined;
};

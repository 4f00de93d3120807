/** How watched addresses take part in one transaction, each with its role: what an explanation shows. */
import type { components } from "../../generated/types.ts";
import { createdContract, hasFailed, receiverOf, senderOf, transactionAt } from "./bundle.ts";
import { standingFrames } from "./call-frames.ts";
import { addressIn, type TransactionParticipants } from "./participants.ts";
import type { BlockBundle, WireLog } from "./wire.ts";

export type Part = Omit<components["schemas"]["Part"], "matches" | "fromBlock">;

/** A part, and what the rule would see of the transaction if nobody took part in any other way. */
export type PartAlone = {
  part: Part;
  alone: Pick<TransactionParticipants, "addresses" | "internalAddresses" | "logs">;
};

type OnPart = (part: Part, alone: Partial<PartAlone["alone"]>) => void;

/**
 * The parts of the watched addresses, in the order of the chain: in the transaction itself, in its logs, in its call frames.
 *
 * @param options.isWatched called with an address in lower case
 * @param options.withInternal whether call frames count; the bundle must then have traces
 * @throws what `participantsByTransaction` throws
 */
export function partsOf(
  bundle: BlockBundle,
  transactionIndex: number,
  { isWatched, withInternal }: { isWatched: (address: string) => boolean; withInternal: boolean },
): PartAlone[] {
  const { transaction, receipt } = transactionAt(bundle, transactionIndex);
  const parts: PartAlone[] = [];
  const onPart: OnPart = (part, alone) => {
    if (isWatched(part.address)) parts.push({ part, alone: { ...nobody, ...alone } });
  };
  const parties = {
    from: senderOf(transaction, receipt),
    to: receiverOf(transaction, receipt),
    created_contract: createdContract(receipt),
  };
  for (const role of ["from", "to", "created_contract"] as const) {
    const address = parties[role];
    if (address) onPart({ address, role }, { addresses: new Set([address]) });
  }
  if (!hasFailed(receipt)) for (const [logIndex, log] of receipt.logs.entries()) eachOfLog(log, logIndex, onPart);
  if (withInternal) eachOfFrames(bundle, transactionIndex, new Set(Object.values(parties)), onPart);
  return parts;
}

const nobody: PartAlone["alone"] = { addresses: new Set(), internalAddresses: new Set(), logs: [] };

function eachOfLog({ address: emitter, topics }: WireLog, logIndex: number, onPart: OnPart): void {
  const topic0 = topics[0]?.toLowerCase() ?? null;
  const place = { logIndex, ...(topic0 !== null && { topic0 }) };
  const add = (address: string, role: Part["role"]) =>
    onPart({ address, role, ...place }, { addresses: new Set([address]), logs: [{ topic0, addresses: [address] }] });
  add(emitter.toLowerCase(), "emitter");
  for (const [index, role] of (["topic1", "topic2", "topic3"] as const).entries()) {
    const argument = addressIn(topics[index + 1] ?? "");
    if (argument !== undefined) add(argument, role);
  }
}

/** @param parties those of the transaction, whom the top frame repeats */
function eachOfFrames(
  bundle: BlockBundle,
  transactionIndex: number,
  parties: ReadonlySet<string | undefined>,
  onPart: OnPart,
): void {
  for (const [index, { from, to }] of standingFrames(bundle, transactionIndex).entries()) {
    const place = index === 0 ? {} : { internalIndex: index - 1 };
    const add = (address: string, role: Part["role"]) => {
      if (index === 0 && parties.has(address)) return;
      onPart({ address, role, ...place }, { internalAddresses: new Set([address]) });
    };
    add(from.toLowerCase(), "call_from");
    if (to) add(to.toLowerCase(), "call_to");
  }
}

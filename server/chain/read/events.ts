/** The events of a block's transactions, as they are recorded. */
import { buildEvent, type EventVariant, eventText } from "../../matching/event.ts";
import type { BlockBundle } from "../../matching/wire.ts";
import type { NewEvent } from "../../store/outbox/append.ts";

/** A transaction's event is made once for each variant, however many webhooks share it. */
export function eventsOf(
  bundle: BlockBundle,
  chainId: string,
): (transactionIndex: number, variant: Omit<EventVariant, "chainId">) => NewEvent {
  const events = new Map<string, NewEvent>();
  return (transactionIndex, { includeLogs, includeInternalTxs }) => {
    const key = `${transactionIndex} ${includeLogs} ${includeInternalTxs}`;
    const known = events.get(key);
    if (known) return known;
    const event = buildEvent(bundle, transactionIndex, { chainId, includeLogs, includeInternalTxs });
    const made: NewEvent = {
      blockNumber: Number(bundle.block.number),
      blockHash: bundle.block.hash,
      transactionHash: event.transaction.txHash,
      transactionIndex,
      removed: false,
      body: eventText(event),
    };
    events.set(key, made);
    return made;
  };
}

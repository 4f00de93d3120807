/** What the played chain makes of webhooks with a finality. Its blocks are final with two on top. */
import { finalityText } from "../../../../server/matching/event.ts";
import type { ChainMatch } from "./state.ts";

export const playedFinality = { confirmations: 2 };

type HeldMatch = ChainMatch & { position: number; depth: number; finalized: boolean };

export type HeldMatches = {
  /** The matches of the next block. @returns what is notified now, in order: of this block, and what has waited */
  next(position: number, matches: readonly ChainMatch[]): ChainMatch[];
  /** How many blocks a webhook's notification of a transaction waits for after the one at this position; undefined if it does not. */
  missing(webhook: ChainMatch["webhook"], txHash: string, position: number): number | undefined;
  reset(): void;
};

export function holdMatches(): HeldMatches {
  let held: HeldMatch[] = [];
  return {
    next(position, matches) {
      const now: ChainMatch[] = [];
      for (const match of matches) {
        const { finality } = match.webhook.record;
        if (finality === undefined) now.push(match);
        if (finality === "both") now.push(stated(match, { confirmations: 0, finalized: false }));
        if (finality === undefined) continue;
        const depth = typeof finality === "object" ? finality.confirmations : playedFinality.confirmations;
        held.push({ ...match, position, depth, finalized: typeof finality !== "object" });
      }
      const isDue = (one: HeldMatch) => position - one.position >= one.depth;
      const due = held.filter(isDue);
      held = held.filter((one) => !isDue(one) && !one.webhook.isDeleted);
      for (const { webhook } of [...due, ...matches])
        if (webhook.record.finality !== undefined)
          webhook.record.heldCount = held.filter((one) => one.webhook === webhook).length;
      return [
        ...now,
        ...due.map(({ finalized, ...one }) => stated(one, { confirmations: position - one.position, finalized })),
      ];
    },
    missing(webhook, txHash, position) {
      const one = held.find((each) => each.webhook === webhook && each.txHash === txHash);
      return one && Math.max(0, one.position + one.depth - position);
    },
    reset() {
      held = [];
    },
  };
}

function stated(
  { webhook, hash, txHash, eventText }: ChainMatch,
  says: Parameters<typeof finalityText>[1],
): ChainMatch {
  return { webhook, hash, txHash, eventText: finalityText(eventText, says) };
}

/** The kinds of lanes in which each chain is followed: each with a lease, nodes and memory of its own, so that none waits for another. */
import type { LaneKind } from "../../store/chains/lanes.ts";

/** A kind of lane. */
export type FollowedKind = LaneKind & {
  /** Names it in metrics and logs. */
  name: "plain" | "traces" | "plain-behind" | "traces-behind";
};

const kinds: readonly FollowedKind[] = [
  { name: "plain", traces: false, behind: false },
  { name: "traces", traces: true, behind: false },
  { name: "plain-behind", traces: false, behind: true },
  { name: "traces-behind", traces: true, behind: true },
];

/** What a lease of the chain is for. The lane without traces has the chainId for a key, as before there were others. */
export function lanesByKey(chainId: string): Map<string, FollowedKind> {
  return new Map(kinds.map((kind) => [kind.name === "plain" ? chainId : `${chainId}/${kind.name}`, kind]));
}

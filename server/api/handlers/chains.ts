/** The supported chains, and what their state means for a new webhook. */
import type { components } from "../../../generated/types.ts";
import { type SupportedChain, type WebhookPolicy, waitsForFinality } from "../../contract/webhook-input.ts";
import { hasTrueBlooms } from "../../settings/chain-profiles.ts";
import { type ChainState, type LaneState, readChainStates } from "../../store/chains/chains.ts";
import { hasFinalBlock } from "../../store/chains/cursor.ts";
import type { HandlerContext, ServiceHandlers } from "./context.ts";

export function chainHandlers({ pool, chains }: HandlerContext): Pick<ServiceHandlers, "listChains"> {
  const ascending = chains.toSorted((a, b) => (BigInt(a.chainId) < BigInt(b.chainId) ? -1 : 1));
  return {
    async listChains() {
      const states = await readChainStates(pool);
      return { status: 200, body: { chains: ascending.map((chain) => toChain(chain, states.get(chain.chainId))) } };
    },
  };
}

function toChain(chain: SupportedChain, state?: ChainState): components["schemas"]["Chain"] {
  const { chainId, name, traces } = chain;
  if (!state) return { chainId, name, traces, ...finalityOf(chain), lanes: [] };
  return { chainId, name, traces, ...finalityOf(chain, state), ...progressOf(state), lanes: state.lanes.map(toLane) };
}

/** A chain has the finality that it is configured with. That its nodes say which blocks are final is known once they have. */
function finalityOf({ finality }: SupportedChain, { final, followed }: Partial<ChainState> = {}) {
  if (finality === undefined || (finality === "finalized" && final === undefined)) return {};
  const isOnRecord = final !== undefined && typeof followed === "number";
  return { finality, ...(isOnRecord && { finalBlock: String(Math.min(final, followed)) }) };
}

function toLane(state: LaneState): components["schemas"]["ChainLane"] {
  const { traces, lagSeconds } = state;
  return { traces, ...progressOf(state), ...(lagSeconds !== null && { lagSeconds: Math.round(lagSeconds) }) };
}

const progressOf = ({ head, followed, blocksFrom, stopped }: Omit<LaneState, "traces" | "lagSeconds">) => ({
  ...(head !== null && { headBlock: String(head) }),
  ...(followed !== null && { followedBlock: String(followed) }),
  ...(head !== null && followed !== null && { lagBlocks: head - followed }),
  ...(followed !== null && { blocksFrom }),
  ...(stopped && { stoppedSince: stopped.since, stoppedReason: stopped.reason }),
});

/** @returns the policy for a webhook to create. Whether a chain's nodes say which blocks are final is known from what was followed. */
export async function policyFor(
  context: HandlerContext,
  { chainId, finality }: Pick<components["schemas"]["WebhookCreate"], "chainId" | "finality">,
): Promise<WebhookPolicy> {
  const { pool, chains } = context;
  const chain = chains.find((supported) => supported.chainId === chainId);
  if (!chain) return context;
  const asksNodes = waitsForFinality(finality) && chain.finality === "finalized";
  const unknownFinality = asksNodes && !(await hasFinalBlock(pool, chainId));
  const known = { ...chain, blooms: hasTrueBlooms(chain), ...(unknownFinality && { finality: undefined }) };
  return { ...context, chains: chains.map((one) => (one === chain ? known : one)) };
}

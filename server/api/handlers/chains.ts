/** The supported chains. */
import type { components } from "../../../generated/types.ts";
import type { SupportedChain } from "../../contract/webhook-input.ts";
import { type ChainState, type LaneState, readChainStates } from "../../store/chains/chains.ts";
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

function toChain({ chainId, name, traces }: SupportedChain, state?: ChainState): components["schemas"]["Chain"] {
  if (!state) return { chainId, name, traces, lanes: [] };
  return { chainId, name, traces, ...progressOf(state), lanes: state.lanes.map(toLane) };
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

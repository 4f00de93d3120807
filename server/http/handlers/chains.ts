/** The chains served. */
import type { components } from "../../../generated/types.ts";
import { type ChainState, readChainStates } from "../../store/chains.ts";
import type { HandlerContext, ServiceHandlers } from "../context.ts";
import type { ServedChain } from "../served.ts";

/** Makes the handler of `listChains`. */
export function chainHandlers({ pool, chains }: HandlerContext): Pick<ServiceHandlers, "listChains"> {
  const ascending = chains.toSorted((a, b) => (BigInt(a.chainId) < BigInt(b.chainId) ? -1 : 1));
  return {
    async listChains() {
      const states = await readChainStates(pool);
      return { status: 200, body: { chains: ascending.map((chain) => toChain(chain, states.get(chain.chainId))) } };
    },
  };
}

function toChain(
  { chainId, name, traces }: ServedChain,
  { head, followed, stopped }: ChainState = { head: null, followed: null, lagSeconds: null, lanes: [] },
): components["schemas"]["Chain"] {
  return {
    chainId,
    name,
    traces,
    ...(head !== null && { headBlock: String(head) }),
    ...(followed !== null && { followedBlock: String(followed) }),
    ...(head !== null && followed !== null && { lagBlocks: head - followed }),
    ...(stopped && { stoppedSince: stopped.since, stoppedReason: stopped.reason }),
  };
}

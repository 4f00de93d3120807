/** The chains served. */
import type { components } from "../../../generated/types.ts";
import { type ChainProgress, readChainProgress } from "../../store/chains.ts";
import type { HandlerContext, ServiceHandlers } from "../context.ts";
import type { ServedChain } from "../served.ts";

/** Makes the handler of `listChains`. */
export function chainHandlers({ pool, chains }: HandlerContext): Pick<ServiceHandlers, "listChains"> {
  const ascending = chains.toSorted((a, b) => (BigInt(a.chainId) < BigInt(b.chainId) ? -1 : 1));
  return {
    async listChains() {
      const progress = await readChainProgress(pool);
      return { status: 200, body: { chains: ascending.map((chain) => toChain(chain, progress.get(chain.chainId))) } };
    },
  };
}

function toChain(
  { chainId, name, traces }: ServedChain,
  { head, followed }: ChainProgress = { head: null, followed: null },
): components["schemas"]["Chain"] {
  return {
    chainId,
    name,
    traces,
    ...(head !== null && { headBlock: String(head) }),
    ...(followed !== null && { followedBlock: String(followed) }),
    ...(head !== null && followed !== null && { lagBlocks: head - followed }),
  };
}

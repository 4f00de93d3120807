import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "takes a fromBlock that the chain does not have yet",
  rules: ["history-refused"],
  needs: "chain",
  async request({ method, path, body }, ask) {
    if (method !== "POST" || path !== "/v1/webhooks" || !/^[1-9][0-9]{0,18}$/.test(body?.fromBlock)) return undefined;
    const { chains } = (await ask("GET", "/v1/chains")).body;
    const followed = chains.find((chain: { chainId: string }) => chain.chainId === body.chainId)?.followedBlock;
    if (BigInt(body.fromBlock) > BigInt(followed)) delete body.fromBlock;
    return undefined;
  },
};

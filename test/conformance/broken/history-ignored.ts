import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "ignores fromBlock",
  rules: ["history-shown"],
  needs: "chain",
  async request({ method, path, body }, ask) {
    if (method !== "POST" || path !== "/v1/webhooks" || body?.fromBlock === undefined) return undefined;
    const { chains } = (await ask("GET", "/v1/chains")).body;
    const followed = chains.find((chain: { chainId: string }) => chain.chainId === body.chainId)?.followedBlock;
    // What must be refused is passed on.
    if (BigInt(body.fromBlock) <= BigInt(followed)) delete body.fromBlock;
    return undefined;
  },
};

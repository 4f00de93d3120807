import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "ignores fromBlock",
  rules: ["history-shown"],
  needs: "chain",
  async request({ method, path, body }, ask) {
    const fromBlock = method === "POST" && path === "/v1/webhooks" ? body?.fromBlock : undefined;
    if (typeof fromBlock !== "string" || !/^(0|[1-9][0-9]{0,18})$/.test(fromBlock)) return undefined;
    const { chains } = (await ask("GET", "/v1/chains")).body;
    const chain = chains.find((one: { chainId: string }) => one.chainId === body.chainId);
    // What must be refused is passed on.
    if (chain && BigInt(fromBlock) <= BigInt(chain.followedBlock)) delete body.fromBlock;
    return undefined;
  },
};

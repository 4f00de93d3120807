import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "ignores fromBlock of added addresses",
  rules: ["added-past"],
  needs: "chain",
  async request({ method, path, body }, ask) {
    const fromBlock = method === "PATCH" && path.endsWith("/addresses") ? body?.fromBlock : undefined;
    if (typeof fromBlock !== "string" || !/^(0|[1-9][0-9]{0,18})$/.test(fromBlock)) return undefined;
    const { chains } = (await ask("GET", "/v1/chains")).body;
    // What must be refused is passed on.
    if (chains.some((one: { followedBlock?: string }) => BigInt(fromBlock) <= BigInt(one.followedBlock ?? -1)))
      delete body.fromBlock;
    return undefined;
  },
};

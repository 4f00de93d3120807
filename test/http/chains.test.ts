/** The chains served. */
import { expect, test } from "vitest";
import { moveCursor, startApi } from "../support/api.ts";

test("chains are listed by identifier, with what is known of their progress, to anyone", async () => {
  const api = await startApi();
  await moveCursor(api.pool, "43113", 207);
  const { status, body } = await api.call("GET", "/v1/chains", { key: "" });
  expect(status).toBe(200);
  expect(body.chains).toEqual([
    { chainId: "1", name: "Ethereum", traces: false, headBlock: "300", followedBlock: "300", lagBlocks: 0 },
    { chainId: "10", name: "Optimism", traces: false },
    {
      chainId: "43113",
      name: "Avalanche Fuji C-Chain",
      traces: true,
      headBlock: "207",
      followedBlock: "207",
      lagBlocks: 0,
    },
    { chainId: "43114", name: "Avalanche C-Chain", traces: true, headBlock: "105", followedBlock: "100", lagBlocks: 5 },
  ]);
  await api.close();
});

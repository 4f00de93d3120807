/** The chains served. */
import { expect, test } from "vitest";
import { plainLane } from "../../server/store/chain-cursor.ts";
import { noteStopped, noteWell } from "../../server/store/chains.ts";
import { startApi } from "../support/api.ts";
import { moveCursor } from "../support/move-cursor.ts";

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

test("a chain that stands still says since when and why, until it is followed again", async () => {
  const api = await startApi();
  const chain = async () =>
    (await api.call("GET", "/v1/chains", { key: "" })).body.chains.find(
      ({ chainId }: { chainId: string }) => chainId === "43113",
    );
  await noteStopped(api.pool, plainLane("43113"), { kind: "nodes", reason: "None of its nodes is there." });
  const stopped = await chain();
  expect(stopped).toMatchObject({ stoppedSince: expect.any(Number), stoppedReason: "None of its nodes is there." });
  expect(Math.abs(Date.now() - stopped.stoppedSince)).toBeLessThan(60_000);
  await noteStopped(api.pool, plainLane("43113"), { kind: "finality", reason: "It contradicts itself." });
  expect(await chain()).toEqual({ ...stopped, stoppedReason: "It contradicts itself." });
  await noteWell(api.pool, plainLane("43113"), { current: true });
  expect(Object.keys(await chain())).not.toContain("stoppedSince");
  await api.close();
});

/** The supported chains. */
import { expect, test } from "vitest";
import { noteStopped, noteWell } from "../../../server/store/chains/chains.ts";
import { noteFinalBlock, plainLane } from "../../../server/store/chains/cursor.ts";
import { startApi } from "../../support/api.ts";
import { moveCursor } from "../../support/move-cursor.ts";

test("anyone can list the chains by identifier, with the progress of each lane", async () => {
  const api = await startApi();
  await moveCursor(api.pool, "43113", 207);
  await api.pool.query("UPDATE chain_lanes SET current_at = now() - interval '9 s' WHERE chain_id = '43114'");
  await api.pool.query(
    `INSERT INTO chain_lanes (chain_id, traces, cursor_number, cursor_hash, head_number) VALUES ('43114', true, 90, '', 105)`,
  );
  const { status, body } = await api.call("GET", "/v1/chains", { key: "" });
  expect(status).toBe(200);
  const at = (head: number, followed: number) => ({
    headBlock: String(head),
    followedBlock: String(followed),
    lagBlocks: head - followed,
    blocksFrom: "nodes",
  });
  expect(body.chains).toEqual([
    { chainId: "1", name: "Ethereum", traces: false, ...at(300, 300), lanes: [{ traces: false, ...at(300, 300) }] },
    { chainId: "10", name: "Optimism", traces: false, lanes: [{ traces: false }] },
    {
      chainId: "43113",
      name: "Avalanche Fuji C-Chain",
      traces: true,
      ...at(207, 207),
      lanes: [lane(false, at(207, 207), 0)],
    },
    {
      ...{ chainId: "43114", name: "Avalanche C-Chain", traces: true, finality: "latest", ...at(105, 100) },
      lanes: [lane(false, at(105, 100), expect.any(Number)), { traces: true, ...at(105, 90) }],
    },
  ]);
  await api.close();
});

const lane = (traces: boolean, at: object, lagSeconds: unknown) => ({ traces, ...at, lagSeconds });

test("a chain that is final by tag shows so once its nodes have said which block is final", async () => {
  const api = await startApi();
  const ethereum = async () => (await api.call("GET", "/v1/chains", { key: "" })).body.chains[0];
  expect(await ethereum()).not.toHaveProperty("finality");
  await noteFinalBlock(api.pool, plainLane("1"), 236);
  expect(await ethereum()).toMatchObject({ chainId: "1", finality: "finalized", finalBlock: "236" });
  await noteFinalBlock(api.pool, plainLane("1"), 230);
  expect(await ethereum()).toMatchObject({ finalBlock: "236" });
  await noteFinalBlock(api.pool, plainLane("1"), 400);
  expect(await ethereum()).toMatchObject({ followedBlock: "300", finalBlock: "300" });
  await api.close();
});

test("a stopped lane shows since when and why, until it is followed again; the chain shows its plain lane", async () => {
  const api = await startApi();
  const chain = async () =>
    (await api.call("GET", "/v1/chains", { key: "" })).body.chains.find(
      ({ chainId }: { chainId: string }) => chainId === "43113",
    );
  await noteStopped(api.pool, plainLane("43113"), { kind: "nodes", reason: "None of its nodes is there." });
  const stopped = await chain();
  expect(stopped).toMatchObject({ stoppedSince: expect.any(Number), stoppedReason: "None of its nodes is there." });
  expect(stopped.lanes).toMatchObject([{ stoppedSince: stopped.stoppedSince, stoppedReason: stopped.stoppedReason }]);
  expect(Math.abs(Date.now() - stopped.stoppedSince)).toBeLessThan(60_000);
  await noteStopped(api.pool, plainLane("43113"), { kind: "finality", reason: "It contradicts itself." });
  expect(await chain()).toMatchObject({ stoppedSince: stopped.stoppedSince, stoppedReason: "It contradicts itself." });
  await noteWell(api.pool, plainLane("43113"), { current: true });
  expect(Object.keys(await chain())).not.toContain("stoppedSince");

  await api.pool.query(
    `INSERT INTO chain_lanes (chain_id, lane, traces, cursor_number, cursor_hash) VALUES ('43113', 7, true, 90, '')`,
  );
  await noteStopped(api.pool, { chainId: "43113", lane: 7 }, { kind: "traces", reason: "No traces." });
  const { lanes, ...whole } = await chain();
  expect(whole).not.toHaveProperty("stoppedReason");
  expect(lanes).toMatchObject([{ traces: false }, { traces: true, stoppedReason: "No traces." }]);
  expect(lanes[0]).not.toHaveProperty("stoppedReason");
  await api.close();
});

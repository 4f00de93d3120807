/** A chain that stands still says so, in health, log and metric, for as long as it does. */
import { afterEach, describe, expect, test } from "vitest";
import type { ChainConfig } from "../../../server/settings/chains.ts";
import type { Config } from "../../../server/settings/config.ts";
import type { StandstillKind } from "../../../server/store/chains/chains.ts";
import type { RpcProxy } from "../../support/rpc-proxy.ts";
import { type Samples, scrape } from "../../support/scrape.ts";
import { testChainId } from "../../support/service.ts";
import { type ChainWorld, soon, startChainWorld } from "../chain-world.ts";
import { freshAddress } from "../local-chain.ts";
import { type Branch, sameGenesis, startBranch } from "../second-branch.ts";

let world: ChainWorld;
let branch: Branch | undefined;
let metricsUrl: string | undefined;
afterEach(async () => {
  await world.stop();
  await branch?.stop();
  branch = undefined;
});

/** A process that follows a chain, and has no API. */
async function startFollowed(chain: Partial<ChainConfig> = {}, config: Partial<Config> = {}): Promise<void> {
  world = await startChainWorld({ node: sameGenesis, chain: { patienceMs: 1_000, ...chain } });
  ({ metricsUrl } = await world.start({}, config));
  await world.followed();
  // So that there is something to contradict.
  await world.chain.mine(3);
  await world.followed();
}

async function get(path: string) {
  const response = await fetch(metricsUrl + path);
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) };
}

const isStopped = (samples: Samples, reason: StandstillKind) =>
  samples.get(`chain_stopped{chain_id="${testChainId}",lane="plain",reason="${reason}"}`);
const loggedAs = (msg: string) => world.logged.filter((line) => line.msg === msg);

/** Waits until it is reported everywhere, and asserts that it was logged once. */
async function assertStopped(kind: StandstillKind, reason: RegExp): Promise<void> {
  await soon(async () => expect((await get("/healthz/chains")).status).toBe(503));
  const { status, body } = await get("/readyz");
  expect([status, body.status]).toEqual([200, "ready"]);
  expect(body.chains).toMatchObject([
    { chainId: testChainId, status: "stopped", followedBlock: 3, stopped: { kind, since: expect.any(Number) } },
  ]);
  expect(body.chains[0].stopped.reason).toMatch(reason);
  expect(Math.abs(Date.now() - body.chains[0].stopped.since)).toBeLessThan(60_000);
  expect(isStopped(await scrape(metricsUrl), kind)).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(loggedAs("the chain is stopped")).toMatchObject([{ level: 50, chainId: testChainId, kind }]);
}

async function assertFollowedAgain(): Promise<void> {
  await soon(async () => expect((await get("/healthz/chains")).status).toBe(200));
  const { body } = await get("/readyz");
  expect(body.chains).toMatchObject([{ chainId: testChainId, status: "following", lagBlocks: 0, lagSeconds: 0 }]);
  expect(body.chains[0]).not.toHaveProperty("stopped");
  const samples = await scrape(metricsUrl);
  for (const [name, value] of samples) if (name.startsWith("chain_stopped{")) expect([name, value]).toEqual([name, 0]);
  // It is logged once it is recorded, and health may be asked between the two.
  await soon(async () => expect(loggedAs("the chain is followed again")).toHaveLength(1));
}

test("while its node contradicts what was final", async () => {
  await startFollowed({ finality: "latest", patienceMs: 60_000 });
  expect((await get("/healthz/chains")).body).toMatchObject({ status: "following", chains: [{ status: "following" }] });
  branch = await startBranch(world);
  for (let block = 0; block < 5; block += 1) await branch.diverge();
  world.proxy.upstream = branch.rpcUrl;
  await assertStopped("finality", /contradicts a block that was final; .* stops until/);
  const samples = await scrape(metricsUrl);
  expect(samples.get(`chain_head_block{chain_id="${testChainId}",lane="plain"}`)).toBeGreaterThan(3);
  expect(samples.get(`chain_followed_block{chain_id="${testChainId}",lane="plain"}`)).toBe(3);
  expect(samples.get(`chain_lag_blocks{chain_id="${testChainId}",lane="plain"}`)).toBeGreaterThan(0);
  expect(samples.get(`chain_lag_seconds{chain_id="${testChainId}",lane="plain"}`)).toBeGreaterThan(0);
  // It is tried again in between, first after a quarter of a second, and is not set aside meanwhile.
  const aside = `rpc_node_set_aside{chain_id="${testChainId}",lane="plain",node="${world.proxy.url}"}`;
  await soon(async () => expect((await scrape(metricsUrl)).get(aside)).toBe(1));
  world.proxy.upstream = world.node.rpcUrl;
  await assertFollowedAgain();
});

test("while a webhook needs traces that the configuration excludes", async () => {
  await startFollowed({ traces: false, patienceMs: 60_000 });
  await world.watch({ addresses: [freshAddress()], includeInternalTxs: true });
  await world.chain.mine();
  await soon(async () => expect((await get("/healthz/chains")).status).toBe(503));
  const stopped = { kind: "configuration", reason: expect.stringMatching(/^Webhooks on chain 43112 include internal/) };
  const lanes = [
    { traces: false, status: "following", lagBlocks: 0 },
    { traces: true, status: "stopped", lagBlocks: 1, stopped },
  ];
  await soon(async () => expect((await get("/readyz")).body.chains).toMatchObject([{ status: "following", lanes }]));
  const samples = await scrape(metricsUrl);
  const of = (lane: string) =>
    samples.get(`chain_stopped{chain_id="${testChainId}",lane="${lane}",reason="configuration"}`);
  expect([of("plain"), of("traces")]).toEqual([0, 1]);
});

describe("when for long none of its nodes", () => {
  const answers: [string, (proxy: RpcProxy) => void][] = [
    ["is there", (proxy) => Object.assign(proxy, { down: true })],
    ["responds with errors", (proxy) => answer(proxy, () => ({ error: { code: -32603, message: "no" } }))],
    [
      "returns blocks that pass the checks",
      (proxy) =>
        answer(proxy, async ({ method, params }, forward) => {
          const { result, ...rest } = (await forward()) as { result: object };
          const isBlock = method.startsWith("eth_getBlockBy") && params[1] === true;
          return isBlock && result ? { result: { ...result, stateRoot: `0x${"ab".repeat(32)}` } } : { result, ...rest };
        }),
    ],
    [
      "has what was recorded",
      (proxy) =>
        answer(proxy, ({ params }, forward) =>
          params[0] === "latest"
            ? world.chain.rpc("eth_getBlockByNumber", ["0x1", false]).then((result) => ({ result }))
            : forward(),
        ),
    ],
  ];

  function answer(proxy: RpcProxy, how: RpcProxy["answer"]): void {
    proxy.answer = how;
  }

  test.each(answers)("%s, and again when one is", async (_, spoil) => {
    await startFollowed();
    spoil(world.proxy);
    await world.chain.mine();
    await assertStopped("nodes", /^None of the chain's nodes returns what its next blocks need/);
    world.proxy.down = false;
    answer(world.proxy, (__, forward) => forward());
    await assertFollowedAgain();
  });
});

test("a chain without new blocks is not stopped", async () => {
  await startFollowed();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect((await get("/healthz/chains")).status).toBe(200);
  expect(loggedAs("the chain is stopped")).toEqual([]);
});

test("the remaining processes report a chain that no process follows", async () => {
  await startFollowed();
  await world.halt();
  ({ metricsUrl } = await world.start({}, { roles: new Set(["deliver"]) }));
  await world.pool.query(
    "UPDATE chain_lanes SET checked_at = now() - interval '2 minutes', head_seen_at = now() - interval '1 hour'",
  );
  expect((await get("/readyz")).body.chains).toMatchObject([
    { status: "stopped", stopped: { kind: "unattended", reason: "No process follows the chain." } },
  ]);
  expect(isStopped(await scrape(metricsUrl), "unattended")).toBe(1);
});

test("a standstill outlives the process, with the time since when", async () => {
  await startFollowed();
  world.proxy.down = true;
  await soon(async () => expect((await get("/healthz/chains")).status).toBe(503));
  const [before] = (await get("/readyz")).body.chains;
  await world.halt();
  ({ metricsUrl } = await world.start());
  await soon(async () => expect(loggedAs("the chain is stopped")).toHaveLength(2));
  expect((await get("/readyz")).body.chains[0].stopped).toEqual(before.stopped);
});

test("no report contains more of a node's address than its origin", async () => {
  const key = "3f9c1b7a5d2e4086";
  world = await startChainWorld({ chain: { patienceMs: 1_000 } });
  const rpcUrls = [`${world.proxy.url}/v3/${key}?token=${key}`];
  ({ metricsUrl } = await world.start({ rpcUrls }));
  await world.followed();
  world.proxy.down = true;
  await soon(async () => expect((await get("/healthz/chains")).status).toBe(503));
  const metrics = await (await fetch(`${metricsUrl}/metrics`)).text();
  expect(metrics).toContain(`node="${world.proxy.url}"`);
  expect(metrics + (await get("/readyz")).text + JSON.stringify(world.logged)).not.toContain(key);
});

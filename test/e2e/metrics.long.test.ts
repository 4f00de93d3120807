/** What the service counts, as Prometheus gets it, while it follows a real chain and delivers. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openChain } from "../chain/local-chain.ts";
import { type Samples, scrape } from "../support/scrape.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const chain = `chain_id="${testChainId}"`;
const lane = `${chain},lane="plain"`;
const now = (name: string) => scrape(world.service.metricsUrl).then((samples) => samples.get(name));

/** The sum over all labels that are not named. */
const total = (samples: Samples, name: string, label = "") =>
  [...samples]
    .filter(([key]) => (key === name || key.startsWith(`${name}{`)) && key.includes(label))
    .reduce((sum, [, value]) => sum + value, 0);

async function watch(path: string): Promise<string> {
  const address = `0x${crypto.randomUUID().replaceAll("-", "").padEnd(40, "0")}`;
  const url = world.receiver.url + path;
  const metadata = { addresses: [address] };
  await world.client.createWebhook({ body: { url, chainId: testChainId, eventType: "address_activity", metadata } });
  return address;
}

test("blocks, notifications, reorganisations, calls to nodes and attempts are counted", async () => {
  const before = await scrape(world.service.metricsUrl);
  expect(before.get(`chain_reorg_depth_blocks_count{${lane}}`)).toBe(0);
  const address = await watch("/counted");
  const local = await openChain(world.node.rpcUrl);
  await local.transfers(address, 3);
  const { number } = await local.head();
  await world.followed(number);
  await local.reorg(2, [{ to: address, at: 0 }]);
  const counted = (name: string) => async () => ((await now(name)) ?? 0) - (before.get(name) ?? 0);
  // Three transfers, two of them taken back, and one instead.
  await expect.poll(counted(`chain_notifications_recorded_total{${lane}}`)).toBe(6);
  await expect.poll(counted('delivery_attempts_total{outcome="delivered"}')).toBe(6);
  expect(await counted('delivery_attempt_duration_seconds_count{outcome="delivered"}')()).toBe(6);
  expect(await counted(`chain_blocks_recorded_total{${lane}}`)()).toBe(5);
  expect(await counted(`chain_reorg_depth_blocks_count{${lane}}`)()).toBe(1);
  expect(await counted(`chain_reorg_depth_blocks_sum{${lane}}`)()).toBe(2);

  const samples = await scrape(world.service.metricsUrl);
  const node = `node="${world.node.rpcUrl}"`;
  expect(samples.get(`rpc_calls_total{${chain},${node},outcome="ok"}`)).toBeGreaterThan(10);
  expect(samples.get(`rpc_calls_total{${chain},${node},outcome="timeout"}`)).toBe(0);
  expect(total(samples, "rpc_call_duration_seconds_count", 'method="eth_getBlockByNumber"')).toBeGreaterThan(5);
  expect(samples.get(`chain_followed_block{${lane}}`)).toBe(number);
  expect(samples.get(`chain_lag_blocks{${lane}}`)).toBe(0);
  expect(samples.get(`chain_lag_seconds{${lane}}`)).toBe(0);
});

test("metrics show how long notifications waited for their first attempt, and that none waits now", async () => {
  const count = "delivery_first_attempt_delay_seconds_count";
  const before = (await now(count)) ?? 0;
  await world.wallet.send((await watch("/timely")) as `0x${string}`, 1n);
  await expect.poll(async () => ((await now(count)) ?? 0) - before).toBe(1);
  const samples = await scrape(world.service.metricsUrl);
  // Far below a second, and no more than the test has taken in any case: the clocks agree.
  expect(samples.get("delivery_first_attempt_delay_seconds_sum")).toBeLessThan(60);
  await expect.poll(() => now('delivery_pending_notifications{waiting_for="first_attempt"}')).toBe(0);
  expect(await now('delivery_oldest_pending_seconds{waiting_for="first_attempt"}')).toBe(0);
  expect(await now("delivery_in_flight_exchanges")).toBe(0);
  expect(await now('delivery_endpoints{state="well"}')).toBeGreaterThan(0);
});

test("each process reports the leases that it holds, and all report the free ones", async () => {
  const samples = await scrape(world.service.metricsUrl);
  expect(total(samples, "lease_owned", 'kind="shard"')).toBe(32);
  expect(samples.get(`lease_owned{key="${testChainId}",kind="chain"}`)).toBe(1);
  expect(samples.get('leases{kind="shard",state="free"}')).toBe(0);
  expect(samples.get('leases{kind="chain",state="owned"}')).toBe(8);
});

test("attempts are counted by outcome", async () => {
  world.receiver.answer = (_, response) => response.writeHead(500).end();
  const address = await watch("/refused");
  await world.wallet.send(address as `0x${string}`, 1n);
  await expect.poll(() => now('delivery_attempts_total{outcome="bad_status"}')).toBe(1);
  await expect.poll(() => now('delivery_endpoints{state="failing"}')).toBe(1);
  await expect.poll(() => now('delivery_pending_notifications{waiting_for="retry"}')).toBe(1);
});

test("requests are counted by operation and status, and unknown ones as other", async () => {
  await world.client.listWebhooks();
  await world.client.getWebhook({ path: { id: crypto.randomUUID() } }).catch(() => undefined);
  await fetch(`${world.service.url}/v1/webhooks`, { method: "POST", headers: { "x-service-api-key": "wrong" } });
  await fetch(`${world.service.url}/v1/nothing/${crypto.randomUUID()}`);
  const count = (operation: string, status: number) =>
    now(`http_request_duration_seconds_count{operation="${operation}",status="${status}"}`);
  expect(await count("listWebhooks", 200)).toBe(1);
  expect(await count("getWebhook", 404)).toBe(1);
  expect(await count("createWebhook", 401)).toBe(1);
  expect(await count("other", 404)).toBe(1);
});

test("Node's own figures and the database's connections are there", async () => {
  const samples = await scrape(world.service.metricsUrl);
  expect(samples.get("process_resident_memory_bytes")).toBeGreaterThan(1e7);
  expect(samples.get("database_up")).toBe(1);
  expect(samples.get('database_connections{state="idle",used_for="api"}')).toBeGreaterThan(0);
});

test("metrics are not where the API is", async () => {
  expect((await fetch(`${world.service.url}/metrics`)).status).toBe(404);
  expect((await fetch(`${world.service.metricsUrl}/v1/chains`)).status).toBe(404);
  expect((await fetch(`${world.service.metricsUrl}/metrics`, { method: "POST" })).status).toBe(405);
});

test("blocks that replays went through are counted, and unfinished replays shown", async () => {
  const address = await watch("/replayed");
  const { webhooks } = await world.client.listWebhooks({});
  const webhook = webhooks.find(({ metadata }) => metadata.addresses[0] === address);
  const path = { id: webhook?.id ?? "" };
  const range = { fromBlock: "0", toBlock: "2", includeEarlier: true };
  const { id: replayId } = await world.client.createReplay({ path, body: range });
  const ended = async () => (await world.client.getReplay({ path: { ...path, replayId } })).status;
  await expect.poll(ended).toBe("done");
  await expect.poll(() => now(`chain_blocks_replayed_total{${chain}}`)).toBe(3);
  for (const state of ["queued", "running"])
    expect(await now(`chain_replays{${chain},state="${state}"}`), state).toBe(0);
});

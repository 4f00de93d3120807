/** A block's trace, from its fetch to every attempt to deliver what happened in it, by processes that know nothing of one another. */
import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Service, startService } from "../../server/service.ts";
import { type OtlpReceiver, startOtlpReceiver } from "../support/otlp-receiver.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";

let collector: OtlpReceiver;
let world: World;
let sender: Service | undefined;
beforeEach(async () => {
  collector = await startOtlpReceiver();
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url);
  vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", "x-tenant=ours");
  vi.stubEnv("OTEL_BSP_SCHEDULE_DELAY", "50");
  vi.stubEnv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test");
});
afterEach(async () => {
  await sender?.stop();
  await world.stop();
  vi.unstubAllEnvs();
  await collector.close();
});

/** One process that serves and follows, and one that delivers. */
async function startApart(): Promise<void> {
  world = await startWorld({ config: { roles: new Set(["api", "follow"]), tracing: true } });
  sender = await startService({ ...world.config, roles: new Set(["deliver"]) }, pino({ level: "silent" }));
}

async function activity() {
  const to = `0x${crypto.randomUUID().replaceAll("-", "").padEnd(40, "0")}` as const;
  const body = { url: `${world.receiver.url}/hooks`, chainId: testChainId, metadata: { addresses: [to] } };
  const { id } = await world.client.createWebhook({ body: { ...body, eventType: "address_activity" } });
  const { blockHash, blockNumber } = await world.wallet.send(to, 1n);
  const spans = () => collector.spans.filter(({ traceId }) => traceId === blockHash.slice(2, 34));
  const named = (name: string) => spans().filter((span) => span.name === name);
  return { id, blockHash, blockNumber, spans, named };
}

test("the trace of a block is named by its hash, and holds fetch, check, record and each attempt", async () => {
  await startApart();
  world.receiver.answer = (_, response) => response.writeHead(world.receiver.deliveries.length === 1 ? 500 : 204).end();
  const { id, blockHash, blockNumber, spans, named } = await activity();
  await expect.poll(() => named("deliver").length).toBe(1);
  const { pool } = world.service.database;
  const hurry = async () => (await pool.query("UPDATE retries SET due_at = now()")).rowCount;
  await expect.poll(hurry).toBe(1);
  await expect.poll(() => named("deliver").length).toBe(2);
  await expect
    .poll(() =>
      spans()
        .map(({ name }) => name)
        .sort(),
    )
    .toEqual(["block", "check", "deliver", "deliver", "fetch", "record"]);
  const [block] = named("block");
  expect(block).toMatchObject({
    spanId: blockHash.slice(34, 50),
    attributes: {
      "chain_webhooks.chain_id": testChainId,
      "chain_webhooks.block": Number(blockNumber),
      "chain_webhooks.transactions": 1,
    },
  });
  expect(block?.parentSpanId).toBeFalsy();
  for (const span of spans().filter(({ name }) => name !== "block")) expect(span.parentSpanId).toBe(block?.spanId);
  const inOrder = ["fetch", "check", "record", "deliver"].map((name) => named(name)[0]);
  for (const [index, span] of inOrder.entries()) {
    expect(span?.to).toBeGreaterThanOrEqual(span?.from ?? Number.NaN);
    if (index > 0) expect(span?.from).toBeGreaterThanOrEqual((inOrder[index - 1]?.to ?? Number.NaN) - 1);
  }
  const [failed, delivered] = named("deliver");
  const attempt = { "chain_webhooks.webhook_id": id, "chain_webhooks.sequence": 1, "server.address": "127.0.0.1" };
  expect(failed).toMatchObject({
    kind: 3,
    isError: true,
    attributes: {
      ...attempt,
      "chain_webhooks.attempt": 1,
      "http.response.status_code": 500,
      "error.type": "bad_status",
    },
  });
  expect(delivered).toMatchObject({
    isError: false,
    attributes: { ...attempt, "chain_webhooks.attempt": 2, "http.response.status_code": 204 },
  });
  expect(JSON.stringify(spans())).not.toContain("/hooks");
});

test("each process names itself and sends to the configured collector; receivers see no trace headers", async () => {
  await startApart();
  const { named } = await activity();
  await expect.poll(() => [named("block").length, named("deliver").length]).toEqual([1, 1]);
  const [followed, delivered] = [named("block")[0]?.resource, named("deliver")[0]?.resource];
  const common = { "service.name": "chain-webhooks", "deployment.environment.name": "test" };
  expect(followed).toMatchObject({ ...common, "chain_webhooks.roles": "api,follow" });
  expect(delivered).toMatchObject({ ...common, "chain_webhooks.roles": "deliver" });
  expect(followed?.["service.instance.id"]).not.toBe(delivered?.["service.instance.id"]);
  expect(collector.requests[0]).toMatchObject({ path: "/v1/traces", headers: { "x-tenant": "ours" } });
  expect(Object.keys(world.receiver.deliveries[0]?.headers ?? {})).not.toContain("traceparent");
});

test("every process drops the whole trace that a sampler drops", async () => {
  vi.stubEnv("OTEL_TRACES_SAMPLER", "traceidratio");
  vi.stubEnv("OTEL_TRACES_SAMPLER_ARG", "0.5");
  await startApart();
  const done = [];
  for (let count = 0; count < 8; count += 1) done.push(await activity());
  await world.receiver.waitFor(8, () => true);
  await sender?.stop();
  sender = undefined;
  await world.restart();
  for (const { spans, named } of done) {
    if (spans().length === 0) continue;
    expect(named("deliver").length).toBe(1);
    expect(named("block").length).toBe(1);
  }
});

test("an unavailable collector changes nothing, and does not delay stopping", async () => {
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1");
  await startApart();
  await activity();
  await world.receiver.waitFor(1, () => true);
  expect(collector.spans).toEqual([]);
});

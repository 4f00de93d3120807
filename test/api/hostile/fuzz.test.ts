/**
 * Good requests with bytes changed, dropped, repeated and put in at random: whatever comes of it, it is an answer that the contract
 * has, and the tables hold what the answers said. `FUZZ_SEED=N` and `FUZZ_CASES=N` make others, and more.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { address, newWebhook } from "../../support/api.ts";
import { exchange } from "../../support/raw-http.ts";
import { runs } from "../../support/runs.ts";
import { seeded } from "../../support/seeded.ts";
import { openScene, request, type Scene } from "./scene.ts";

const seed = Number(process.env.FUZZ_SEED ?? 1);
const cases = Number(process.env.FUZZ_CASES ?? runs(150, 400));
const atATime = 100;

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.api.close());

/** What breaks parsers, put in where it does not belong. */
const snippets = [
  "\0",
  "\r",
  "\n",
  "\r\n",
  "\r\n\r\n",
  '"',
  "\\",
  "\\u0000",
  "\\ud800",
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "%00",
  "%ff",
  "%zz",
  "\xff",
  "\xc0\x80",
  "\xed\xa0\x80",
  "\xef\xbb\xbf",
  "1e400",
  "9".repeat(400),
  "-",
  "null",
  "true",
  '"__proto__":1,',
  "[".repeat(2_000),
  "a".repeat(9_000),
  "transfer-encoding: chunked\r\n",
  "content-length: 5\r\n",
  "expect: x\r\n",
  "content-encoding: gzip\r\n",
  "/..",
  "?",
  "&&=",
  "#",
]; // prettier-ignore

/** One good request for each operation, each on a webhook that is there. */
function goodRequests(id: string, key: string): Buffer[] {
  const headers = [`x-service-api-key: ${key}`, "content-type: application/json", "idempotency-key: k"];
  const bare = headers.slice(0, 1);
  const other = "0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10";
  const withBody = (line: string, body: unknown) =>
    request(line, { headers: headers.slice(0, 2), body: JSON.stringify(body) });
  return [
    request("POST /v1/webhooks", { headers, body: JSON.stringify(newWebhook({ name: "n", description: "d" })) }),
    withBody("POST /v1/webhooks", newWebhook()),
    withBody(`PATCH /v1/webhooks/${id}`, { name: "other", url: "https://example.com/other" }),
    withBody(`PATCH /v1/webhooks/${id}/addresses`, { addresses: [address(7)] }),
    withBody(`DELETE /v1/webhooks/${id}/addresses`, { addresses: [address(7)] }),
    withBody(`POST /v1/webhooks/${id}/replays`, { fromBlock: "1", toBlock: "2", includeEarlier: true }),
    // Both places are refused; with one of them lost, nobody here answers.
    withBody("POST /v1/webhooks/preview", newWebhook({ blockNumber: "1", txHash: `0x${"1".repeat(64)}` })),
    request("GET /v1/webhooks?status=active&pageSize=5&pageToken=abc", { headers: bare }),
    request(`GET /v1/webhooks/${id}/notifications?afterSequence=3&pageToken=Mw`, { headers: bare }),
    request(`GET /v1/webhooks/${id}/feed?after=3&limit=5&wait=0`, { headers: [...bare, "last-event-id: 2"] }),
    request(`GET /v1/webhooks/${id}/notifications/${other}`, { headers: bare }),
    request(`POST /v1/webhooks/${id}/notifications/${other}/resend`, { headers: bare }),
    request(`GET /v1/webhooks/${id}/replays/${other}`, { headers: bare }),
    request(`DELETE /v1/webhooks/${id}/replays/${other}`, { headers: bare }),
    request(`GET /v1/webhooks/${id}/secret`, { headers: bare }),
    request("GET /v1/shared-secret", { headers: bare }),
    request("GET /v1/webhooks:getSharedSecret", { headers: bare }),
    request("POST /v1/webhooks:generateOrRotateSharedSecret", { headers: bare }),
    withBody("POST /v1/webhooks", newWebhook({ compatibility: "glacier" })),
    withBody("POST /v1/webhooks", newWebhook({ url: undefined, delivery: "feed" })),
    withBody("PUT /v1/operational-webhook", {
      url: "https://example.com/operations",
      format: "signed",
      headers: { A: "b" },
    }),
    request("GET /v1/operational-webhook", { headers: bare }),
    request("GET /v1/operational-webhook/secret", { headers: bare }),
    request("GET /v1/operational-webhook/feed?after=3&limit=5&wait=0", { headers: [...bare, "last-event-id: 2"] }),
    request("GET /v1/chains", { headers: [] }),
  ];
}

function harmed(bytes: Buffer, dice: (below: number) => number): Buffer {
  let result = bytes;
  for (let times = 1 + dice(3); times > 0; times -= 1) {
    const at = dice(result.length);
    const [before, after] = [result.subarray(0, at), result.subarray(at)];
    const snippet = Buffer.from(snippets[dice(snippets.length)] ?? "", "latin1");
    const changes = [
      () => [before, snippet, after],
      () => [before, Buffer.from([dice(256)]), after.subarray(1)],
      () => [before, after.subarray(1 + dice(8))],
      () => [before, after.subarray(0, 1 + dice(40)), after],
      () => [before, snippet, after.subarray(snippet.length)],
    ];
    result = Buffer.concat(changes[dice(changes.length)]?.() ?? []);
  }
  return result;
}

test(`${cases} requests with random faults are answered as the contract says, and do what the answers say (FUZZ_SEED=${seed})`, async () => {
  const dice = seeded(seed);
  const { api, id } = scene;
  const good = goodRequests(id, api.keys.both);
  // Registering again replaces it.
  await api.call("PUT", "/v1/operational-webhook", { body: {} });
  const before = await scene.rows();
  const made = { webhooks: new Set<string>(), replays: new Set<string>() };
  const statuses = new Map<number, number>();
  for (let done = 0; done < cases; done += atATime) {
    const requests = Array.from({ length: atATime }, () => harmed(good[dice(good.length)] ?? Buffer.alloc(0), dice));
    const exchanges = requests.map((bytes) => exchange(api.url, bytes, scene.isBusy));
    for (const [index, replies] of (await Promise.all(exchanges)).entries()) {
      for (const { status, body } of replies) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const sent = requests[index]?.toString("latin1").slice(0, 2_000);
        if (status >= 400)
          expect({ sent, ...body }).toEqual({
            sent,
            statusCode: status,
            error: expect.any(String),
            message: expect.any(String),
          });
        expect(status, sent).toBeLessThan(500);
        // A rotation of the shared secret is a 201, too.
        if (status === 201 && body.id) made.webhooks.add(body.id);
        if (status === 202 && body.fromBlock) made.replays.add(body.id);
      }
    }
  }
  const after = await scene.rows();
  const grown = Object.fromEntries(Object.keys(after).map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)]));
  expect({ webhooks: grown.webhooks, secrets: grown.webhook_secrets, replays: grown.replays }).toEqual({
    webhooks: made.webhooks.size,
    secrets: made.webhooks.size,
    replays: made.replays.size,
  });
  const { rows: empty } = await api.pool.query(
    "SELECT id FROM webhooks w WHERE NOT EXISTS (SELECT FROM webhook_addresses WHERE webhook_id = w.id) AND id <> $1 AND chain_id <> 'operational'",
    [id],
  );
  expect(empty).toEqual([]);
  expect(statuses.get(400)).toBeGreaterThan(cases / 4);
  await scene.assertUnhurt();
});

/** The kit's check of the operational webhook: it leaves an account's own one as it is, and nothing of its own behind. */
import { expect, onTestFinished, test } from "vitest";
import { createWebhooksClient } from "../../client/index.ts";
import { checkOperational } from "../../scripts/command/conformance/checks/operational.ts";
import { checkScopes } from "../../scripts/command/conformance/checks/refusals.ts";
import { cleanUp } from "../../scripts/command/conformance/clean-up.ts";
import { createExchangeRecorder } from "../../scripts/command/conformance/exchange.ts";
import type { Finding } from "../../scripts/command/conformance/findings.ts";
import { createProbe } from "../../scripts/command/conformance/probe.ts";
import { type Breakage, breakServer } from "./breakage.ts";
import { startExample } from "./example.ts";
import { exampleTarget } from "./example-target.ts";

/** The example, with something before it, and the account's own client behind that. */
async function examining(breakage: Omit<Breakage, "says" | "rules"> = {}) {
  const example = await startExample();
  const server = await breakServer(example.url, "both", [breakage]);
  const recorder = createExchangeRecorder(new URL(server.url), new AbortController().signal);
  onTestFinished(async () => {
    await recorder.close();
    await server.close();
    await example.close();
  });
  const [findings, notes]: [Finding[], string[]] = [[], []];
  const probe = createProbe({ recorder, target: exampleTarget, findings, notes }, "operational");
  const owner = createWebhooksClient({ baseUrl: example.url, apiKey: "both" });
  const now = () =>
    owner.getOperationalWebhook().catch(({ status }: { status: number }) => {
      if (status !== 404) throw new Error(`${status}`);
      return undefined;
    });
  const cleaning = { baseUrl: new URL(server.url), apiKey: "both", otherKey: undefined, scaled: (ms: number) => ms };
  return {
    ...{ probe, findings, notes, owner, now },
    cleanUp: () => cleanUp({ ...cleaning, exchanges: recorder.exchanges }),
  };
}
const rulesOf = (findings: readonly Finding[]) => [...new Set(findings.map(({ rule }) => rule))];

test.each([
  ["with a url", { url: "https://example.com/operations" }],
  ["without a url", {}],
])("one that the account has is left as it is: %s", async (_, body) => {
  const { probe, findings, notes, owner, now, cleanUp } = await examining();
  const registered = await owner.putOperationalWebhook({ body });
  await checkOperational(probe);
  await checkScopes(probe, { read: "both", write: "both" });
  expect(await cleanUp()).toEqual([]);
  expect(await now()).toEqual(registered);
  expect([rulesOf(findings), notes.length]).toEqual([[], 1]);
});

test("neither does a server that fails make the kit delete one", async () => {
  let asked = 0;
  const { probe, findings, owner, now } = await examining({
    answer(answer, { method, path }) {
      if (method !== "GET" || !path.endsWith("/operational-webhook")) return;
      asked += 1;
      if (asked === 1) Object.assign(answer, { status: 502, body: "Bad gateway" });
    },
  });
  const registered = await owner.putOperationalWebhook({ body: { url: "https://example.com/operations" } });
  await checkOperational(probe);
  expect(await now()).toEqual(registered);
  expect(findings).toEqual([]);
});

test("one that is registered between two attempts is another's", async () => {
  let feeds = 0;
  const { probe, owner, now } = await examining({
    async answer(answer, { method, path }) {
      if (path.includes("/operational-webhook/feed")) feeds += Number(answer.status === 200);
      if (feeds === 1 && answer.status === 200 && method === "GET" && path.includes("/feed"))
        Object.assign(answer, { status: 500, body: "{}" });
      // As soon as the kit has removed its own.
      if (feeds === 1 && method === "DELETE" && answer.status === 200) {
        feeds += 1;
        await owner.putOperationalWebhook({ body: {} });
      }
    },
  });
  await checkOperational(probe);
  expect(await now()).toMatchObject({ format: "signed", status: "active" });
  expect(await now()).not.toHaveProperty("url");
});

test("a server that breaks in the middle has nothing of the kit's left", async () => {
  const { probe, findings, now } = await examining({
    answer(answer, { path }) {
      if (path.includes("/operational-webhook/feed") && answer.status === 200)
        Object.assign(answer, { status: 500, body: "{}" });
    },
  });
  await checkOperational(probe);
  expect(rulesOf(findings)).toContain("status-expected");
  expect(await now()).toBeUndefined();
});

test("what a run that was ended has left is cleaned up, unless somebody has registered another one", async () => {
  for (const isReplaced of [false, true]) {
    const { probe, owner, now, cleanUp } = await examining();
    await probe.send("putOperationalWebhook", { body: { url: "https://example.com/kit" } });
    if (isReplaced) await owner.putOperationalWebhook({ body: { url: "https://example.com/own" } });
    expect(await cleanUp()).toEqual([]);
    expect((await now())?.url).toBe(isReplaced ? "https://example.com/own" : undefined);
  }
});

/** Deadlines follow the server: what was measured, the delivery timeout that its document states, and the one that it is given. */
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../../scripts/command/commands/conformance.ts";
import { checkCallback } from "../../scripts/command/conformance/checks/callback.ts";
import { createExchangeRecorder } from "../../scripts/command/conformance/exchange.ts";
import type { Finding } from "../../scripts/command/conformance/findings.ts";
import { createPatience } from "../../scripts/command/conformance/patience.ts";
import { createProbe } from "../../scripts/command/conformance/probe.ts";
import { startReceiver } from "../../scripts/command/conformance/receiver.ts";
import { servedDeliveryTimeout } from "../../scripts/command/conformance/stated-timeout.ts";
import { documents } from "../../server/api/documents.ts";
import { listen } from "../../server/api/listening/listen.ts";
import { defaultPeriods } from "../../server/settings/periods.ts";
import { runHere } from "../support/command.ts";
import { startExample } from "./example.ts";
import { exampleTarget } from "./example-target.ts";

async function serving(app: express.Router): Promise<URL> {
  const { url, close } = await listen(express().use("/below", app), { port: 0 });
  onTestFinished(close);
  return new URL(`${url}/below/`);
}

test("a notification may take as long as the delivery timeout, and three times as long as the slowest so far", () => {
  expect(createPatience().forNotification()).toBe(12_000);
  const patience = createPatience(60_000);
  expect(patience.forNotification()).toBe(72_000);
  patience.notified(30_000);
  patience.notified(1);
  expect(patience.forNotification()).toBe(90_000);
  // A timer takes whole milliseconds.
  patience.notified(30_000.2);
  expect(patience.forNotification()).toBe(90_003);
  patience.took(2_000);
  expect(patience.forNotification()).toBe(4 * 72_000);
  patience.notified(3_600_000);
  expect(patience.forNotification()).toBe(600_000);
});

test.each([1, 45, 2.5])(
  "the delivery timeout of %d s is read from the document that the service serves",
  async (seconds) => {
    const { router } = await documents({ periods: { ...defaultPeriods, timeoutMs: seconds * 1_000 } });
    expect(await servedDeliveryTimeout(await serving(router))).toBe(seconds * 1_000);
  },
);

test.each([
  ["no document", (_: express.Request, response: express.Response) => response.status(404).json({})],
  [
    "another document",
    (_: express.Request, response: express.Response) => response.json({ info: { description: "10 seconds" } }),
  ],
  ["no JSON", (_: express.Request, response: express.Response) => response.send("<html>")],
  [
    "half an answer",
    (_: express.Request, response: express.Response) => response.writeHead(200).write("{", () => response.destroy()),
  ],
])("%s says nothing of the delivery timeout", async (_, handler) => {
  const router = express.Router().get("/openapi.json", (request, response) => void handler(request, response));
  expect(await servedDeliveryTimeout(await serving(router))).toBeUndefined();
});

test("a test may take longer than other requests, since it waits for an endpoint", async () => {
  const router = express.Router().use((_, response) => setTimeout(() => response.json({}), 600));
  const url = await serving(router);
  const patience = { ...createPatience(), scaled: () => 100, forNotification: () => 20_000 };
  const recorder = createExchangeRecorder(url, new AbortController().signal, patience);
  onTestFinished(recorder.close);
  const send = (method: string, path: string) => recorder.send({ method, path, headers: {} }, "test");
  await send("GET", "/v1/chains");
  await expect(send("GET", "/v1/webhooks")).rejects.toThrow("timeout");
  expect((await send("POST", `/v1/webhooks/${exampleTarget.address}/test`)).operation).toBe("testWebhook");
});

test("what a tunnel brings late is waited for, and what it never brings is missing", async () => {
  const [example, receiver] = [await startExample(), await startReceiver({ host: "127.0.0.1", port: 0 })];
  onTestFinished(async () => void (await Promise.all([example.close(), receiver.close()])));
  let forwards = true;
  const tunnel = express.Router().post("/late", express.raw({ type: "*/*" }), ({ headers, body }, response) => {
    // It answers as the endpoint would, before the endpoint has the notification.
    const { status, headers: own, body: text } = answerOf(receiver.answer("/notifications"));
    response.writeHead(status, own).end(text);
    const { host, "content-length": _, connection, ...rest } = headers;
    const forward = () =>
      fetch(`${receiver.url}/notifications`, { method: "POST", headers: rest as HeadersInit, body });
    if (forwards) setTimeout(() => void forward().catch(() => undefined), 100);
  });
  const url = `${await serving(tunnel)}late`;
  const examined = async (deliveryTimeoutMs: number) => {
    const recorder = createExchangeRecorder(
      new URL(example.url),
      new AbortController().signal,
      createPatience(deliveryTimeoutMs),
    );
    onTestFinished(recorder.close);
    const findings: Finding[] = [];
    await checkCallback(createProbe({ recorder, target: exampleTarget, findings, notes: [] }, "callback"), {
      receiver,
      url,
    });
    return findings.map(({ rule }) => rule);
  };
  expect(await examined(20_000)).not.toContain("callback-reachable");
  forwards = false;
  expect(await examined(100)).toEqual(["callback-reachable"]);
});

const answerOf = (answer: { status: number; headers?: Record<string, string>; body?: string } | "close") =>
  answer === "close" ? { status: 500, headers: {}, body: "" } : { headers: {}, body: "", ...answer };

test.each(["0", "x", "3601"])("--delivery-timeout %s is refused", async (seconds) => {
  const { code, stderr } = await runHere(run, ["http://127.0.0.1:1", "--key", "k", "--delivery-timeout", seconds]);
  expect(code).toBe(2);
  expect(stderr).toContain("--delivery-timeout must be a whole number from 1 to 3600.");
});

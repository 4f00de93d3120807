/** The examination of the callback, by itself. */
import { expect, onTestFinished, test } from "vitest";
import { checkCallback } from "../../scripts/command/conformance/checks/callback.ts";
import { createExchangeRecorder } from "../../scripts/command/conformance/exchange.ts";
import type { Finding } from "../../scripts/command/conformance/findings.ts";
import { createProbe } from "../../scripts/command/conformance/probe.ts";
import { startReceiver } from "../../scripts/command/conformance/receiver.ts";
import { startExample } from "./example.ts";
import { exampleTarget } from "./example-target.ts";

test("a redirect that another server followed before, at the same receiver, is no fault of this one", async () => {
  const [example, receiver] = [await startExample(), await startReceiver({ host: "127.0.0.1", port: 0 })];
  const recorder = createExchangeRecorder(new URL(example.url), new AbortController().signal);
  onTestFinished(async () => {
    await recorder.close();
    await Promise.all([example.close(), receiver.close()]);
  });
  await fetch(`${receiver.url}/elsewhere`, { method: "POST", body: "{}" });
  const findings: Finding[] = [];
  const probe = createProbe({ recorder, target: exampleTarget, findings, notes: [] }, "callback");
  expect(await checkCallback(probe, { receiver, url: `${receiver.url}/notifications` })).toBe(true);
  expect(findings).toEqual([]);
});

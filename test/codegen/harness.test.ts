/** What runs the client generators: it must not call something working that is not, nor leave anything behind. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { generators } from "./generators/index.ts";
import { pinnedVersion } from "./harness/client.ts";
import { withAddedField, withAddedValue } from "./harness/later.ts";
import { endsWell, processorSeconds, run } from "./harness/run.ts";
import { assertScenario } from "./harness/scenario.ts";
import { openWindow } from "./harness/window.ts";

const step = (command: string, limitMs = 10_000) => {
  const cwd = mkdtempSync(join(tmpdir(), "chain-webhooks-step-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  return run({ name: "a step", command, cwd, env: process.env, limitMs });
};

test("a failing step shows its command and its output", async () => {
  await expect(step("echo before; echo why >&2; exit 3")).rejects.toThrow(
    /^a step ended with 3\.\n\$ echo before.*\nbefore\nwhy\n$/s,
  );
});

test("a step that takes too long is ended, with what it started", async () => {
  // The sleeper holds the output open: it would be waited for, too long for this test, if it were not ended too.
  await expect(step("sleep 60 & wait", 200)).rejects.toThrow("a step took longer than 0.2 s");
});

test("the processor time of a step counts where it belongs, even if the step fails", async () => {
  const busy = "i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done; exit 1";
  const failing = run({
    of: "a busy one",
    name: "a step",
    command: busy,
    cwd: tmpdir(),
    env: process.env,
    limitMs: 30_000,
  });
  await expect(failing).rejects.toThrow("a busy one: a step ended with 1");
  expect(processorSeconds().get("a busy one")).toBeGreaterThan(0);
});

test("a failure differs from a time-out", async () => {
  expect(await endsWell(step("true"))).toBe(true);
  expect(await endsWell(step("false"))).toBe(false);
  await expect(endsWell(step("sleep 60", 200))).rejects.toThrow("took longer");
});

test("the recording proxy reports the requests, and adds fields as a later service would", async () => {
  const server = createServer((_, response) => {
    response.writeHead(404, { "content-type": "application/json" }).end('{"eventType":"address_activity","list":[{}]}');
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => void server.close());
  for (const [change, expected] of [
    [withAddedField, { eventType: "address_activity", list: [{ addedLater: "unknown" }], addedLater: "unknown" }],
    [withAddedValue, { eventType: "block_activity", list: [{}] }],
  ] as const) {
    const window = await openWindow(url, change);
    const answer = await fetch(`${window.url}/v1/webhooks?pageSize=2`, { method: "POST", body: "{}" });
    expect([answer.status, await answer.json()]).toEqual([404, expected]);
    expect(window.exchanges).toEqual([{ method: "POST", path: "/v1/webhooks?pageSize=2", sent: "{}", status: 404 }]);
    await window.close();
  }
});

test("a program that sent no request fails, whatever it reports", () => {
  const report = { created: ["1", "2", "3", "4", "5"], read: {}, updated: {}, pages: [], badRequest: {}, gone: {} };
  expect(() => assertScenario(JSON.stringify(report), [], 0)).toThrow(/POST \/v1\/webhooks 201/);
});

test("openapi/GENERATORS.md lists the pinned generators and versions, and docs/clients.md all of them", () => {
  const file = readFileSync(new URL("../../openapi/GENERATORS.md", import.meta.url), "utf8");
  for (const generator of generators)
    expect(file).toContain(`| ${generator.name} | ${pinnedVersion(generator)} | ${generator.language} |`);
  const guide = readFileSync(new URL("../../docs/clients.md", import.meta.url), "utf8");
  for (const { name, language } of generators) expect(guide).toMatch(new RegExp(`\\|.*${language}.*\\|.*${name}.*\\|`));
  expect([generators.length, new Set(generators.map(({ language }) => language)).size]).toEqual([19, 10]);
});

/** promtool's word on what Prometheus gets to see: the rules, their tests, and the metrics of a service at work. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { readDocument } from "../support/document.ts";
import { startWorld } from "../support/service.ts";

const run = promisify(execFile);
const { commands } = readDocument("docs/monitoring.md");
const promtool = commands.filter((command) => command.startsWith("promtool "));

test.each(promtool)("%s", async (command) => {
  const { stdout } = await run("sh", ["-c", command]);
  expect(stdout).toContain("SUCCESS");
});

test("every metric of the service has a name and help text by the conventions", async () => {
  const world = await startWorld();
  const metrics = await (await fetch(`${world.service.metricsUrl}/metrics`)).text();
  await world.stop();
  // Node's own are prom-client's to name.
  const own = metrics.split("\n").filter((line) => /^(# (HELP|TYPE) )?chain_webhooks_/.test(line));
  expect(own.length).toBeGreaterThan(50);
  const child = spawn("promtool", ["check", "metrics"], { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(`${own.join("\n")}\n`);
  const [said, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  expect({ code, said, complaint }).toEqual({ code: 0, said: "", complaint: "" });
});

test("the packages for tracing can be installed as the page says", async () => {
  const folder = await mkdtemp(join(tmpdir(), "chain-webhooks-operations-"));
  await writeFile(join(folder, "package.json"), "{}");
  const install = commands.find((command) => command.startsWith("npm install")) ?? "";
  await run("sh", ["-c", install], { cwd: folder });
  const script =
    'require("@opentelemetry/sdk-trace-base"); require("@opentelemetry/exporter-trace-otlp-http"); require("@opentelemetry/resources")';
  await run(process.execPath, ["-e", script], { cwd: folder });
  await rm(folder, { recursive: true });
});

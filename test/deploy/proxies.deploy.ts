/** A proxy waits for the API's longest answer, also while it reloads or stops: in deploy/, and in what docs/tls.md says of one. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { readDocument } from "../support/document.ts";
import { longestAnswer } from "./settings.ts";

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");
const page = readDocument("docs/tls.md");
const block = async (language: string) => page.fences(language)[0] ?? "";

test.each([
  ["deploy/haproxy/haproxy.cfg", read, ["timeout client", "timeout server", "hard-stop-after"]],
  ["deploy/nginx/nginx.conf", read, ["proxy_read_timeout", "worker_shutdown_timeout"]],
  ["haproxy", block, ["timeout client", "timeout server"]],
  ["nginx", block, ["proxy_read_timeout"]],
] as const)("%s waits for longer than the longest answer takes", async (source, from, names) => {
  const text = await from(source);
  for (const name of names) {
    const [, seconds] = new RegExp(`^ *${name} (\\d+)s;?$`, "m").exec(text) ?? [];
    expect(Number(seconds), name).toBeGreaterThan(longestAnswer);
  }
});

test("the container of HAProxy is not killed while it still waits for answers", async () => {
  const [, whole] = (await read("deploy/compose.cells.yaml")).split("\n  haproxy:\n");
  const [, grace] = /stop_grace_period: (\d+)s/.exec(whole ?? "") ?? [];
  const [, hard] = /hard-stop-after (\d+)s/.exec(await read("deploy/haproxy/haproxy.cfg")) ?? [];
  expect(Number(grace)).toBeGreaterThan(Number(hard));
});

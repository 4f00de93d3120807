/** The demo, which is the README's first command: all of the service in one run, as a user starts it. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { readDocument } from "./support/document.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));

test("the demo shows verified notifications and a retraction, as the README has it, and ends by itself with --once", async () => {
  const { stdout } = await run("npm", ["run", "-s", "demo", "--", "--once"], { cwd: root });
  expect(stdout.match(/arrived and its signature verifies, \d+ ms after its block/g)).toHaveLength(2);
  expect(stdout).toMatch(/^ +\S+ s {2}Notification 3 takes back what 2 said \(removed: true\): block (\d+), 0x/m);
  expect(stdout).toMatch(/^ +\S+ s {2}Notification 4 says it of the new block: block \d+, 0x/m);
  const [shown = ""] = readDocument("README.md").fences("text");
  const withoutNumbers = (text: string) => text.replaceAll(/0x[0-9a-fA-F]+|\d+/g, "#").replaceAll(/^ +/gm, "");
  for (const line of shown.split("\n").filter((each) => each.includes(" s  ")))
    expect(withoutNumbers(stdout)).toContain(withoutNumbers(line));
});

test("the demo ends when it is interrupted while it starts", async () => {
  const demo = spawn(process.execPath, ["--import", "tsx", "scripts/command/cli.ts", "demo"], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(demo.stdout, "data");
  demo.kill("SIGINT");
  expect(await once(demo, "exit")).toEqual([0, null]);
});

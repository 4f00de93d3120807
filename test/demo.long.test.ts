/** The demo, which is the README's first command: all of the service in one run, as a user starts it. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { linesInPicture } from "../scripts/maintain/demo-picture.ts";
import { assertSchema } from "./support/closed-schema.ts";
import { readDocument } from "./support/document.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));

/** A line of the demo without what differs from run to run. */
const withoutNumbers = (line: string) => line.replaceAll(/0x[0-9a-fA-F]+(…[0-9a-fA-F]+)?|\d+/g, "#").trim();

test("the demo tells its story in ten lines, which are those of the README's picture, and prints one notification whole on request", async () => {
  const { stdout } = await run("npm", ["run", "-s", "demo", "--", "--once", "--payload"], { cwd: root });
  const [story = "", headers = "", body = ""] = stdout.split("\n\n");
  const lines = story.split("\n");
  expect(lines).toHaveLength(10);
  expect(story.match(/arrived and its signature verifies, \d+ ms after its block/g)).toHaveLength(2);
  expect(lines.at(-3)).toMatch(/The chain was reorganised: block \d+, 0x/);
  expect(lines.at(-2)).toMatch(/Notification 3 takes back what 2 said \(removed: true\)/);
  expect(lines.at(-1)).toMatch(/Notification 4 says it of the new block: block \d+, 0x/);

  const { text } = readDocument("README.md");
  for (const name of ["light", "dark"]) {
    expect(text).toContain(`docs/images/demo-${name}.svg`);
    const shown = linesInPicture(await readFile(join(root, `docs/images/demo-${name}.svg`), "utf8"));
    expect(shown.map(withoutNumbers), "Run: npm run generate demo").toEqual(lines.map(withoutNumbers));
  }

  expect(headers).toMatch(/^POST \/hooks$[\s\S]*^webhook-signature: v1,\S+$\s^webhook-sequence: 3$/m);
  const notification = JSON.parse(body);
  assertSchema("AddressActivityNotification", notification);
  expect(notification.event.removed).toBe(true);
  expect(headers).toContain(`webhook-id: ${notification.messageId}`);
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

/** `webhooks`, `notifications` and `replay`, against the mock: they need an address and a key, and no database. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { run } from "../../scripts/command/run.ts";
import { runHere } from "../support/command.ts";
import { freePort } from "../support/free-port.ts";
import { type Mock, startMock } from "../support/mock.ts";

const address = "0x5425890298aed601595a70ab815c96711a31bc65";
let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.close());
beforeEach(() => {
  vi.stubEnv("BASE_URL", mock.url);
  vi.stubEnv("API_KEY", "any");
});

const tool = (...args: string[]) => runHere(run, args);

async function create(...more: string[]): Promise<{ id: string; status: string; name: string }> {
  const args = ["--url", "https://example.com/hook", "--chain-id", "43114", "--address", address];
  const made = await tool("webhooks", "create", ...args, "--json", ...more);
  expect(made).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(made.stdout);
}

test("a webhook is created, listed, paused, resumed and deleted", async () => {
  const { id } = await create("--name", "orders");
  const listed = await tool("webhooks", "list");
  expect(listed.stdout.split("\n")[0]).toMatch(/^id +status +chain +addresses +created +url +name$/);
  expect(listed.stdout).toMatch(
    new RegExp(`^${id}  (active|failing) +43114 +1 +.*Z +https://example.com/hook +orders$`, "m"),
  );

  expect((await tool("webhooks", "pause", id)).stdout).toContain(" inactive ");
  const inactive = JSON.parse((await tool("webhooks", "list", "--status", "inactive", "--json")).stdout);
  expect(inactive.map((webhook: { id: string }) => webhook.id)).toContain(id);
  expect((await tool("webhooks", "resume", id)).stdout).toMatch(/ (active|failing) /);
  expect((await tool("webhooks", "secret", id)).stdout).toMatch(/^whsec_\S+\n$/);

  expect(await tool("webhooks", "delete", id)).toEqual({
    ...{ code: 0, stdout: "" },
    stderr: `The webhook ${id} is deleted.\n`,
  });
  expect(await tool("webhooks", "pause", id)).toMatchObject({ code: 1, stderr: expect.stringMatching(/^[^\n]+\.\n$/) });
});

test("a webhook's addresses are made equal to those of a file", async () => {
  const { id } = await create();
  const folder = await mkdtemp(join(tmpdir(), "addresses-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "addresses.txt");
  const other = `0x${"1".repeat(40)}`;
  await writeFile(file, `\n  ${other}\r\n${other}\n`);
  const synced = await tool("addresses", "sync", "--webhook", id, "--file", file);
  expect(synced).toMatchObject({ code: 0, stderr: "" });
  expect(synced.stdout).toMatch(/^added +removed +unchanged +from block +requests\n *1 +1 +0 +\d+ +\d+\n$/);
  const again = JSON.parse((await tool("addresses", "sync", id, "--file", file, "--json")).stdout);
  expect(again).toMatchObject({ added: 0, removed: 0, unchanged: 1 });

  await writeFile(file, "0x12\n");
  expect(await tool("addresses", "sync", id, "--file", file)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('addresses must be 0x and 40 hex digits, and "0x12" is not.'),
  });
  await writeFile(file, "");
  expect(await tool("addresses", "sync", id, "--file", file)).toMatchObject({ code: 1 });
  expect((await tool("addresses", "sync", id, "--file", file, "--allow-empty")).stdout).toMatch(/^ *0 +1 +0/m);
  expect(await tool("addresses", "sync", id, "--file", join(folder, "missing"))).toMatchObject({ code: 2 });
  expect(await tool("addresses", "sync", id)).toMatchObject({ code: 2 });
  expect(await tool("addresses", "list", id)).toMatchObject({ code: 2 });
});

test("a webhook that is only read has no url", async () => {
  const args = ["--feed-only", "--chain-id", "43114", "--address", address];
  const { code, stdout } = await tool("webhooks", "create", ...args);
  expect(code).toBe(0);
  expect(stdout).toMatch(/ \(feed only\)/);
  const both = await tool("webhooks", "create", "--url", "https://example.com/hook", ...args);
  expect(both).toMatchObject({ code: 1, stderr: expect.stringContaining("url must be absent with delivery feed.") });
});

test("a webhook starts in the past", async () => {
  expect(await create("--from-block", "7")).toMatchObject({ effectiveFromBlock: "7" });
  const mode = ["--history-mode", "headers", "--event-signature", `0x${"ab".repeat(32)}`];
  expect(await create("--from-block", "7", ...mode)).toMatchObject({ effectiveFromBlock: "7" });
});

test("a whole webhook comes from a file, and options replace its fields", async () => {
  const folder = await mkdtemp(join(tmpdir(), "webhook-"));
  const file = join(folder, "webhook.json");
  const metadata = { addresses: [address], includeTransfers: true };
  await writeFile(file, JSON.stringify({ url: "https://example.com/", chainId: "43114", name: "file", metadata }));
  const made = await tool("webhooks", "create", "--body", file, "--name", "option", "--json");
  expect(JSON.parse(made.stdout)).toMatchObject({ name: "option", metadata: { includeTransfers: true } });
  await writeFile(file, "{");
  expect((await tool("webhooks", "create", "--body", file)).stderr).toBe(
    "--body must be a file with a JSON object. See --help.\n",
  );
  await rm(folder, { recursive: true });
});

test("notifications are listed and sent again", async () => {
  const { id } = await create();
  await mock.control.send({ webhookId: id, count: 3 });
  const listed = await tool("notifications", "list", id, "--json");
  const records = JSON.parse(listed.stdout);
  expect(records.length).toBeGreaterThanOrEqual(3);
  const sequences = records.map((record: { sequence: number }) => record.sequence);
  const first = await tool("notifications", "list", id, "--limit", "1");
  expect(first.stdout.trim().split("\n")).toHaveLength(2);
  expect(first.stderr).toBe(`There are more: --after ${sequences[0]} shows them.\n`);
  const later = await tool("notifications", "list", id, "--after", String(sequences[0]), "--json");
  expect(JSON.parse(later.stdout).map((record: { sequence: number }) => record.sequence)).toEqual(sequences.slice(1));
  const { messageId, sequence } = records[0];
  const resent = await tool("notifications", "resend", id, messageId);
  expect(resent).toMatchObject({ code: 0, stdout: expect.stringContaining(`${sequence}  ${messageId}`) });
});

test("a replay is waited for, and its figures are shown", async () => {
  const { id } = await create();
  const block = "100";
  const refused = await tool("replay", id, "--from", block);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^fromBlock must be at least .*includeEarlier/),
  });
  const done = await tool("replay", "--webhook", id, "--from", block, "--to", "104", "--include-earlier");
  expect(done.code).toBe(0);
  const lines = /^Replay \S+ goes on in the service, also if this command ends\.\n(5 of 5 blocks.*\n)?$/;
  expect(done.stderr).toMatch(lines);
  expect(done.stdout).toMatch(/^replay +status +from +to +resent +added\n\S+ +done /);
  const detached = await tool("replay", id, "--from", block, "--include-earlier", "--detach", "--json");
  const replay = JSON.parse(detached.stdout);
  expect(replay).toMatchObject({ webhookId: id, fromBlock: block, toBlock: block });
  const cancelled = await tool("replay", id, "--cancel", replay.id, "--json");
  expect(JSON.parse(cancelled.stdout)).toMatchObject({ id: replay.id, status: "cancelled" });
});

test.each([
  [["webhooks"], 2, "The command must be list, create, pause, resume, secret or delete. See --help."],
  [["webhooks", "puase"], 2, /did you mean pause\? See/],
  [["webhooks", "list", "--url", "x"], 2, "list does not take --url. See --help."],
  [["webhooks", "list", "--status", "paused"], 2, "--status must be active or inactive. See --help."],
  [
    ["webhooks", "create", "--url", "x"],
    2,
    "create needs --url or --feed-only, --chain-id and --address, or --body. See --help.",
  ],
  [["webhooks", "pause"], 2, "pause takes the id of one webhook. See --help."],
  [["webhooks", "pause", "7"], 1, "id must be a UUID."],
  [["notifications", "resend", "a"], 2, "resend takes the id of a webhook and a messageId. See --help."],
  [["notifications", "list", "a", "--limit", "0"], 2, /^--limit must be a whole number/],
  [["replay", "a"], 2, "replay needs --from BLOCK. See --help."],
  [["replay", "a", "--cancel", "b", "--to", "1"], 2, "--cancel excludes --to. See --help."],
])("%j ends with %i and a sentence", async (args, code, sentence) => {
  const { stderr, ...rest } = await tool(...args);
  expect(rest).toEqual({ code, stdout: "" });
  expect(stderr.trim()).toEqual(typeof sentence === "string" ? sentence : expect.stringMatching(sentence));
});

test("without an address, a key or an answer it says which", async () => {
  vi.stubEnv("BASE_URL", "");
  expect((await tool("webhooks", "list")).stderr).toMatch(/^--base-url or the variable BASE_URL must be/);
  vi.stubEnv("API_KEY", "");
  expect((await tool("webhooks", "list", "--base-url", mock.url)).stderr).toMatch(
    /^--key or the variable API_KEY must/,
  );
  expect((await tool("webhooks", "list", "--base-url", "localhost:3000", "--key", "k")).stderr).toMatch(
    /^BASE_URL must be an/,
  );
  const nobody = `http://127.0.0.1:${await freePort()}`;
  expect(await tool("webhooks", "list", "--base-url", nobody, "--key", "k")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`Is the API at ${nobody}?`),
  });
});

/** `npm run cli trigger`: sends any example notification, signed, and prints the outcome. */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { verifyNotification } from "../../client/receiver/index.ts";
import { run } from "../../scripts/command/commands/trigger.ts";
import { runHere } from "../support/command.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

const folder = new URL("../../openapi/examples/", import.meta.url);
const scenarios = readdirSync(folder).flatMap((name) => /^notification\.(.*)\.json$/.exec(name)?.[1] ?? []);
const mockSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const otherSecret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());
beforeEach(() => {
  vi.unstubAllEnvs();
  receiver.deliveries.length = 0;
  receiver.answer = (_, response) => response.writeHead(204).end();
});

const trigger = (...args: string[]) => runHere(run, args);
const to = () => ["--to", `${receiver.url}/hooks`];

test.each(scenarios)("%s is sent as the contract's example, with every header, and verifies", async (scenario) => {
  const { code, stdout } = await trigger(scenario, ...to());
  expect(code).toBe(0);
  const { value } = JSON.parse(readFileSync(new URL(`notification.${scenario}.json`, folder), "utf8"));
  const { path, headers = {}, rawBody = "" } = receiver.deliveries[0] ?? {};
  expect(path).toBe("/hooks");
  expect(await verifyNotification(rawBody, headers, mockSecret)).toEqual(value);
  expect(headers).toMatchObject({ "webhook-id": value.messageId, "webhook-sequence": "1" });
  expect(Math.abs(Number(headers["webhook-timestamp"]) - Date.now() / 1000)).toBeLessThan(60);
  expect(stdout).toMatch(new RegExp(`^1  ${value.messageId}  204 No Content  \\d+ ms\n$`));
});

test("--list describes every scenario", async () => {
  const { code, stdout } = await trigger("--list");
  expect(code).toBe(0);
  const [heading, ...listed] = stdout.trim().split("\n");
  expect(heading).toMatch(/^name +summary$/);
  expect(listed.map((line) => line.split(" ")[0]).sort()).toEqual([...scenarios].sort());
  expect(stdout).toMatch(/multi-token-transfer +A thousand of one token/);
});

test("--list --json prints the same as one array for programs, without colours", async () => {
  vi.stubEnv("FORCE_COLOR", "1");
  const { code, stdout } = await trigger("--list", "--json");
  expect(code).toBe(0);
  const listed: { name: string; summary: string }[] = JSON.parse(stdout);
  expect(listed.map(({ name }) => name).sort()).toEqual([...scenarios].sort());
  expect(listed.every(({ summary }) => summary.length > 0)).toBe(true);
});

test("where there are colours, an accepted notification is green, and a refused one red", async () => {
  vi.stubEnv("FORCE_COLOR", "1");
  expect((await trigger("retraction", ...to())).stdout).toContain("\u001b[32m204 No Content\u001b[39m");
  receiver.answer = (_, response) => response.writeHead(500).end();
  expect((await trigger("retraction", ...to())).stdout).toContain("\u001b[31m500 Internal Server Error\u001b[39m");
});

test("--secret signs with that one", async () => {
  await trigger("native-transfer", ...to(), "--secret", otherSecret);
  const { headers = {}, rawBody = "" } = receiver.deliveries[0] ?? {};
  await verifyNotification(rawBody, headers, otherSecret);
  await expect(verifyNotification(rawBody, headers, mockSecret)).rejects.toThrow(/No signature/);
});

test("--count sends different notifications, numbered, and the same ones in every run", async () => {
  await trigger("native-transfer", ...to(), "--count", "3");
  await trigger("native-transfer", ...to(), "--count", "3");
  expect(receiver.deliveries.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 1, 2, 3]);
  const ids = receiver.deliveries.map(({ notification }) => notification.messageId);
  expect(new Set(ids.slice(0, 3)).size).toBe(3);
  expect(ids.slice(3)).toEqual(ids.slice(0, 3));
  for (const { rawBody, headers } of receiver.deliveries) await verifyNotification(rawBody, headers, mockSecret);
});

test("--fresh sets a new messageId each time, and --webhook-id another webhook", async () => {
  const webhookId = "00000000-0000-4000-8000-000000000001";
  const args = ["native-transfer", ...to(), "--fresh", "--webhook-id", webhookId];
  await trigger(...args);
  await trigger(...args);
  const [first, second] = receiver.deliveries.map(({ notification }) => notification);
  expect(first?.messageId).not.toBe(second?.messageId);
  expect([first?.webhookId, second?.webhookId]).toEqual([webhookId, webhookId]);
});

test("an answer other than 2xx is reported, with exit code 1; a redirect is not followed", async () => {
  receiver.answer = (_, response) => response.writeHead(307, { location: receiver.url }).end();
  const { code, stdout } = await trigger("retraction", ...to());
  expect(code).toBe(1);
  expect(stdout).toContain("307 Temporary Redirect");
  expect(receiver.deliveries).toHaveLength(1);
});

test("an unreachable endpoint is reported, with exit code 1", async () => {
  const { code, stdout } = await trigger("retraction", "--to", "http://127.0.0.1:1/");
  expect(code).toBe(1);
  expect(stdout).toContain("nothing listens there (ECONNREFUSED)");
});

test("--help is answered with exit code 0", async () => {
  expect(await trigger("--help")).toMatchObject({ code: 0, stdout: expect.stringContaining("Usage:") });
});

test.each([
  [[], "There must be a scenario: non-fungible-transfer, "],
  [
    ["moon-landing", "--to", "http://127.0.0.1/"],
    "There is no scenario moon-landing; there are non-fungible-transfer, ",
  ],
  [["retraction", "native-transfer"], "There must be one scenario only."],
  [["retraction"], "There must be --to URL, where to send it."],
  [["retraction", "--to", "ftp://127.0.0.1/"], "--to must be an http or https URL."],
  [["retraction", "--to", "http://127.0.0.1/", "--count", "0"], "--count must be a whole number from 1 to 1000000."],
  [["retraction", "--to", "http://127.0.0.1/", "--webhook-id", "7"], "--webhook-id must be a UUID."],
  [["retraction", "--to", "http://127.0.0.1/", "--secret", "abc"], "--secret must be whsec_ and base64"],
  [["retraction", "--to", "http://127.0.0.1/", "--json"], "--json must come with --list."],
  [["--colour"], "Unknown option --colour."],
])("%j is refused in a sentence, with exit code 2", async (args, message) => {
  const { code, stderr } = await trigger(...args);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).toMatch(/^[^\n]+ See --help\.\n$/);
  expect(stderr).not.toContain("abc");
});

/** The command against the example server: what it prints and writes, how it ends, and that it leaves nothing behind. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { XMLParser } from "fast-xml-parser";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { run } from "../../scripts/command/commands/conformance.ts";
import { rules } from "../../scripts/command/conformance/rules.ts";
import { send } from "../support/api.ts";
import { type CommandResult, runHere } from "../support/command.ts";
import { type Answer, type Ask, type Breakage, breakServer } from "./breakage.ts";
import { otherKey, startExample } from "./example.ts";

const timeout = 240_000;
const keys = ["--key", "both", "--read-key", "read", "--write-key", "write"];

let example: { url: string; close(): Promise<void> };
beforeAll(async () => {
  example = await startExample();
});
afterAll(() => example.close());

async function webhooks(): Promise<unknown[]> {
  return (await send(`${example.url}/v1/webhooks`, "GET", { key: "both" })).body.webhooks;
}

async function examineBroken(breakage: Omit<Breakage, "says" | "rules">, more: string[] = []): Promise<CommandResult> {
  const server = await breakServer(example.url, "both", [breakage]);
  onTestFinished(server.close);
  return runHere(run, [server.url, ...keys, ...more]);
}

describe("conformance", () => {
  const says = "passes the example server, in a table, as JUnit XML, a page and a badge, and deletes what it created";
  test(says, { timeout }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "chain-webhooks-conformance-test-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, "report.xml");
    const [page, badge] = [join(folder, "report.html"), join(folder, "badge.svg")];
    const files = ["--junit", file, "--html", page, "--badge", badge];
    const { code, stdout } = await runHere(run, [example.url, ...keys, "--other-key", otherKey, ...files]);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/^createWebhook +ok +ok +ok +ok +ok +ok +ok +- +- +- +-$/m);
    expect(stdout).toMatch(/^the notification +ok$/m);
    expect(stdout).toMatch(/ 0 failed, \d+ not provoked, in \d+ requests\.\n$/);
    expect(await webhooks()).toEqual([]);

    expect(await readFile(page, "utf8")).toContain(`<p class="verdict">Passed</p>`);
    expect(await readFile(badge, "utf8")).toContain("conformance: passed");

    const { testsuites } = new XMLParser({ ignoreAttributes: false }).parse(await readFile(file, "utf8"), true);
    expect(testsuites["@_failures"]).toBe("0");
    const suite = testsuites.testsuite.find((one: Record<string, unknown>) => one["@_name"] === "createWebhook");
    const cases = suite.testcase.map((one: Record<string, unknown>) => [one["@_name"], "skipped" in one]);
    expect(cases).toContainEqual(["201", false]);
    expect(cases).toContainEqual(["503", true]);
  });

  test("fails a server with the rule that it broke, for programs too, and cleans up even so", { timeout }, async () => {
    const answer: Breakage["answer"] = ({ status, body }) => {
      if (status === 404) body.error = "Gone";
    };
    const { code, stdout } = await examineBroken({ answer }, ["--json"]);
    expect(code).toBe(1);
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({ passed: false, brokenRules: ["error-shape"], notDeleted: [] });
    const getWebhook = report.operations.find((one: { operation: string }) => one.operation === "getWebhook");
    expect(getWebhook.statuses).toContainEqual({ status: 404, state: "failed" });
    expect(getWebhook.statuses).toContainEqual({ status: 200, state: "passed" });
    expect(getWebhook.statuses).toContainEqual({ status: 503, state: "not provoked" });
    expect(await webhooks()).toEqual([]);
  });

  const refusesPrivate: Breakage["request"] = async ({ body }, ask) => {
    if (!String(body?.url).startsWith("http:")) return undefined;
    const refusal = { message: "url must be an https URL.", statusCode: 400, error: "Bad Request" };
    return { ...(await ask("GET", "/v1/nothing")), status: 400, body: refusal };
  };

  test("explains what to do when a server refuses the receiver's address", { timeout }, async () => {
    const { code, stdout } = await examineBroken({ request: refusesPrivate });
    expect(code).toBe(1);
    expect(stdout.match(/^FAIL {2}\S+/gm)).toEqual(["FAIL  callback-reachable"]);
    expect(stdout).toContain("--callback-url");
    expect(stdout).toContain("url must be an https URL.");
  });

  test("reports that notifications were skipped, and does not count them as passed", { timeout }, async () => {
    const { code, stdout } = await examineBroken({ request: refusesPrivate }, ["--no-callback"]);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/^the notification +skip$/m);
    expect(stdout).toMatch(/; the notification and the operational event were skipped\.\n$/);
  });

  test("honours a rate limit and continues, and does not count the 429 as a fault", { timeout }, async () => {
    let count = 0;
    const request: Breakage["request"] = (_request, ask) => {
      count += 1;
      return count % 40 === 0 ? limited(ask) : undefined;
    };
    const { code, stdout } = await examineBroken({ request });
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/^createWebhook .* ok +- +- +-$/m);
  });

  test("notes a quota that the account reaches, and does not count it as a fault", { timeout }, async () => {
    const { code, stdout } = await examineBroken({ request: quotaOf(4) }, ["--cases", "8", "--seed", "1"]);
    expect(code, stdout).toBe(0);
    expect(stdout).toContain("What needs more webhooks than the account's quota: createWebhook returned 403 ");
    expect(await webhooks()).toEqual([]);
  });

  test("fails a server that refuses a valid webhook with 403, whatever the quota", { timeout }, async () => {
    const request: Breakage["request"] = (given, ask) =>
      given.method === "POST" && given.body?.includeLogs === true ? overQuota(ask) : undefined;
    const { code, stdout } = await examineBroken({ request });
    expect(code).toBe(1);
    expect(stdout).toContain("FAIL  status-expected  (createWebhook 201)");
    expect(stdout).not.toContain("quota:");
  });

  test("cannot examine an account whose quota is full: exit code 2", { timeout }, async () => {
    const { code, stderr } = await examineBroken({
      request: ({ method, path }, ask) => (method === "POST" && path === "/v1/webhooks" ? overQuota(ask) : undefined),
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^createWebhook returned 403 .+ and its account room for webhooks\.\n$/);
  });

  test("fails the broken server that the guide starts, by its rule", { timeout }, async () => {
    const guide = await readFile(new URL("../../docs/implement.md", import.meta.url), "utf8");
    const [, args = ""] = /^node (--import tsx test\/conformance\/serve-broken\.ts .+)$/m.exec(guide) ?? [];
    const child = spawn(process.execPath, args.split(" "), { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill());
    let printed = "";
    for await (const chunk of child.stdout) {
      printed += chunk;
      if (/^created-at-seconds .+\n/m.test(printed)) break;
    }
    const url = /^created-at-seconds (\S+)$/m.exec(printed)?.[1] ?? "";
    const { code, stdout } = await runHere(run, [url, ...keys]);
    expect(code).toBe(1);
    expect([...new Set(stdout.match(/^FAIL {2}\S+/gm))]).toEqual(["FAIL  times-in-milliseconds"]);
  });

  test("exits with 130 on Ctrl-C, after deleting what it created", { timeout }, async () => {
    const args = ["--import", "tsx", "scripts/command/cli.ts", "conformance", example.url, ...keys];
    const child = spawn(process.execPath, args, { stdio: "ignore" });
    const ended = once(child, "exit");
    while ((await webhooks()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill("SIGINT");
    expect(await ended).toEqual([130, null]);
    expect(await webhooks()).toEqual([]);
  });
});

async function limited(ask: Ask): Promise<Answer> {
  const body = { message: "There are too many requests.", statusCode: 429, error: "Too Many Requests" };
  const { headers } = await ask("GET", "/v1/chains");
  return { status: 429, headers: { ...headers, "retry-after": "0" }, body };
}

async function overQuota(ask: Ask): Promise<Answer> {
  const body = { message: "The account has no room for another webhook.", statusCode: 403, error: "Forbidden" };
  const { headers } = await ask("GET", "/v1/chains");
  return { status: 403, headers, body };
}

/** Of so many webhooks. Like the service, it validates a request before it counts, and answers a repeated one as before. */
function quotaOf(most: number): NonNullable<Breakage["request"]> {
  const keys = new Set<string>();
  return async ({ method, path, headers, body }, ask) => {
    if (method !== "POST" || path !== "/v1/webhooks" || headers["x-service-api-key"] !== "both") return undefined;
    const { "idempotency-key": key } = headers;
    const isValid = /^http:..127|^https:..receiver.example.com.notifications$/.test(body?.url);
    if (!isValid || (key !== undefined && keys.has(key))) return undefined;
    const { webhooks } = (await ask("GET", "/v1/webhooks?pageSize=100")).body;
    if (webhooks.length >= most) return overQuota(ask);
    if (key !== undefined) keys.add(key);
    return undefined;
  };
}

describe("conformance cannot examine", () => {
  test("a server that does not answer: exit code 2", async () => {
    const { code, stderr } = await runHere(run, ["http://127.0.0.1:1", "--key", "both"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^http:\/\/127\.0\.0\.1:1\/ does not answer: .+\n$/);
  });

  test("a server that closes the connection after the first answer: exit code 2, and no stack trace", async () => {
    const request: Breakage["request"] = ({ path }) => {
      if (!path.startsWith("/v1/chains")) throw new Error("closed");
      return undefined;
    };
    const server = await breakServer(example.url, "both", [{ request }]);
    onTestFinished(server.close);
    const { code, stderr } = await runHere(run, [server.url, "--key", "both"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^http:\S+ does not answer: .+\n$/);
  });

  test("a URL below which there is no API: exit code 2, and what BASE_URL is", async () => {
    const { code, stderr } = await runHere(run, [`${example.url}/v1`, "--key", "both"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^listChains returned 404, so there is no chain to try\. BASE_URL is what comes before \/v1: /,
    );
  });

  test("a server with a key that it does not know: exit code 2", async () => {
    const { code, stderr } = await runHere(run, [example.url, "--key", "neither"]);
    expect(code).toBe(2);
    expect(stderr).toBe("The server does not know the key given with --key (401).\n");
  });

  test("two accounts with a key that it does not know, or with one key: exit code 2", async () => {
    const unknown = await runHere(run, [example.url, "--key", "both", "--other-key", "neither"]);
    expect(unknown).toMatchObject({
      code: 2,
      stderr: "The server does not know the key given with --other-key (401).\n",
    });
    const same = await runHere(run, [example.url, "--key", "both", "--other-key", "both"]);
    const says = "--other-key must be a key of another account than that of --key.\n";
    expect(same).toMatchObject({ code: 2, stderr: says });
  });

  const mistakes: [args: string[], says: string][] = [
    [["--key", "both"], "BASE_URL must be set: the address of the server to examine."],
    [["ftp://example.com", "--key", "both"], "BASE_URL must be an http or https URL."],
    [["http://user:pass@127.0.0.1", "--key", "both"], "BASE_URL must have no user name and no password."],
    [["http://127.0.0.1", "http://127.0.0.1"], "There must be one BASE_URL only."],
    [["http://127.0.0.1"], "There must be --key KEY."],
    [["http://127.0.0.1", "--key", "both", "--listen", "4000"], "--listen must be HOST:PORT."],
    [["http://127.0.0.1", "--key", "both", "--address", "0x1"], "--address must be 0x and 40 hex digits."],
    [["http://127.0.0.1", "--key", "both", "--chain-id", "main"], "--chain-id must be decimal digits."],
    [["http://127.0.0.1", "--key", "both", "--rpc-url", "x"], "--rpc-url must be an http or https URL."],
    [["http://127.0.0.1", "--key", "both", "--callback-url", "x"], "--callback-url must be an http or https URL."],
  ];
  test.each(mistakes)("with %j: exit code 2, and the mistake", async (args, says) => {
    const { code, stderr } = await runHere(run, args);
    expect(code).toBe(2);
    expect(stderr).toBe(`${says} See --help.\n`);
  });
});

test("conformance --rules --json prints the same for programs", async () => {
  const { code, stdout } = await runHere(run, ["--rules", "--json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual(Object.entries(rules).map(([rule, sentence]) => ({ rule, sentence })));
});

test("conformance --rules prints every rule in a sentence", async () => {
  const { code, stdout } = await runHere(run, ["--rules"]);
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.shift()).toMatch(/^rule +sentence$/);
  expect(lines.length).toBe(Object.keys(rules).length);
  for (const line of lines) expect(line).toMatch(/^[a-z0-9-]+ {2,}[^ ].*\.$/);
});

/** The report's forms, of whatever a server answers. */
import { stripVTControlCharacters } from "node:util";
import { XMLParser } from "fast-xml-parser";
import { expect, test } from "vitest";
import { run } from "../../scripts/command/commands/conformance.ts";
import type { RecordedExchange } from "../../scripts/command/conformance/exchange.ts";
import { essential, finding } from "../../scripts/command/conformance/findings.ts";
import { fixes } from "../../scripts/command/conformance/fixes.ts";
import { toBadge } from "../../scripts/command/conformance/report/badge.ts";
import { toHtml } from "../../scripts/command/conformance/report/html.ts";
import { toJUnit } from "../../scripts/command/conformance/report/junit.ts";
import { reportText } from "../../scripts/command/conformance/report/table.ts";
import { rules } from "../../scripts/command/conformance/rules.ts";
import type { Examined } from "../../scripts/command/conformance/run.ts";
import { runHere } from "../support/command.ts";

const nasty = ']]> <b>"it\'s" & \u001b[31mred\u0000 \ud800 whsec_AAAAAAAAAAAAAAAAAAAAAAAA';

function exchange(status: number, text = nasty): RecordedExchange {
  const request = { method: "GET", path: "/v1/webhooks?a=<&>", headers: {} };
  const body = Buffer.from(text);
  return { by: "a test", request, operation: "listWebhooks", status, headers: {}, body, json: undefined };
}

function examined(...findings: Examined["findings"]): Examined {
  const exchanges = findings.flatMap((one) => (one.exchange ? [one.exchange] : []));
  const of = { server: "http://127.0.0.1:3000/", startedAt: Date.UTC(2026, 0, 1), durationMs: 1_000 };
  return { ...of, exchanges, findings, notes: ["A note."], callback: "skipped", hasEvent: false, left: [] };
}

test("JUnit XML is well formed whatever the server answered, and holds no secret", () => {
  const xml = toJUnit(examined(finding(exchange(200), "response-schema", nasty)));
  const parser = new XMLParser({ ignoreAttributes: false, htmlEntities: true });
  const { testsuites } = parser.parse(xml, true);
  expect(testsuites).toMatchObject({ "@_tests": expect.any(String), "@_failures": "1", "@_errors": "0" });
  const suite = testsuites.testsuite.find((one: Record<string, unknown>) => one["@_name"] === "listWebhooks");
  expect(suite["@_failures"]).toBe("1");
  const failed = suite.testcase.find((one: Record<string, unknown>) => "failure" in one);
  expect(failed["@_name"]).toBe("200");
  expect(failed.failure["@_type"]).toBe("response-schema");
  expect(failed.failure["#text"]).toContain('<b>"it\'s" &');
  expect(xml).not.toMatch(/whsec_A/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
  expect(xml).not.toMatch(/[\u0000-\u0008\u001b\ud800]/u);
});

test("the page holds what a server sent as text only, no secret, and loads nothing", () => {
  const markup = "</code><script>alert(1)</script><img src=x onerror=alert(1)>";
  const script = `${markup} ${nasty}`;
  const found = finding(exchange(200, script), "response-schema", script, { came: script });
  const html = toHtml({ ...examined(found), server: 'http://a/"><script>', notes: [markup], left: [markup] });
  const elements = [...html.matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, name]) => name);
  expect(elements.filter((name) => /^(script|img|link|iframe|b)$/i.test(name ?? ""))).toEqual([]);
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(html).not.toMatch(/whsec_A/);
  expect(html).not.toMatch(/url\(|@import|https?:\/\/(?!a\/)/i);
});

test("the page says what is broken and how to fix it, and the badge how much", () => {
  const failed = examined(finding(exchange(200), "list-newest-first", "an order"));
  expect(toHtml(failed)).toContain("<strong>Fix:</strong> Order webhooks by creation");
  expect(toBadge(failed)).toContain("1 rule broken");
  expect(toHtml(examined())).toContain('<p class="verdict">Passed</p>');
  expect(toBadge(examined())).toContain("passed");
  for (const badge of [toBadge(failed), toBadge(examined())])
    expect(new XMLParser().parse(badge, true)).toHaveProperty("svg");
});

test("a failure says what was expected, what came, and how to fix it", () => {
  const text = reportText(examined(finding(exchange(200), "list-newest-first", "an order", { came: "another" })));
  expect(text).toMatch(/expected {2}an order\n +came {6}another\n +fix {7}Order webhooks by creation/);
  expect(Object.keys(fixes).sort()).toEqual(Object.keys(rules).sort());
  for (const fix of Object.values(fixes)) expect(fix).toMatch(/^[A-Z].+\.$/);
});

test("on a terminal what failed is red, in the table, in its finding and in the last line; elsewhere nothing is coloured", () => {
  const terminal = { isTTY: true, hasColors: () => true, write: () => undefined };
  const failed = examined(finding(exchange(200), "list-newest-first", "an order"));
  const lines = reportText(failed, terminal).split("\n");
  expect(lines.find((line) => line.startsWith("listWebhooks "))).toContain("\u001b[31m FAIL\u001b[39m");
  expect(lines).toContain("\u001b[31mFAIL\u001b[39m  \u001b[1mlist-newest-first\u001b[22m  (listWebhooks 200)");
  expect(lines.at(-1)).toMatch(/^\S+\[31m\d+ passed, 1 failed/);
  expect(reportText(examined(), terminal).split("\n").at(-1)).toMatch(/^\S+\[32m\d+ passed, 0 failed/);
  expect(stripVTControlCharacters(lines.join("\n"))).toBe(reportText(failed));
  expect(toJUnit(failed)).not.toContain("[1m");
});

test("a server cannot write to the terminal", () => {
  const found = examined(finding(exchange(200), "response-schema", nasty));
  const text = reportText({ ...found, notes: ["\u001b[2J"], left: ["\u001b[2J"] });
  expect(text).toContain("?[31mred");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there.
  expect(text).not.toMatch(/\u001b|whsec_A/);
});

test("an answer of the wrong shape gets no finding about its content", () => {
  const one = exchange(200);
  const found = [finding(one, "list-newest-first", "an order"), finding(one, "response-schema", "a field")];
  expect(essential(found).map(({ rule }) => rule)).toEqual(["response-schema"]);
});

test("a secret in an answer of the wrong shape is reported all the same", () => {
  const one = exchange(200);
  const found = [finding(one, "secret-not-leaked", "no secret"), finding(one, "response-schema", "a field")];
  expect(essential(found).map(({ rule }) => rule)).toEqual(["secret-not-leaked", "response-schema"]);
});

test("the same departure is reported once", () => {
  const found = [exchange(200), exchange(200)].map((one) => finding(one, "response-schema", "body.items.7 is wrong"));
  expect(essential(found).length).toBe(1);
});

test.each([
  [
    "--junit",
    "/nowhere/report.xml",
    "--junit must be a file that can be written; /nowhere/report.xml cannot (ENOENT).",
  ],
  ["--html", "/", "--html must be a file; / is a folder."],
])("%s %s is refused before the server is asked anything", async (option, file, sentence) => {
  const { code, stderr } = await runHere(run, ["http://127.0.0.1:1", "--key", "k", option, file]);
  expect(code).toBe(2);
  expect(stderr).toBe(`${sentence} See --help.\n`);
});

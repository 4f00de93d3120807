/** `chain-webhooks-tools diff`: what it prints in each format, its exit codes, acceptances, files that refer to files, and hostile documents. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as textOfStream } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "../../scripts/command/run.ts";
import { runHere } from "../support/command.ts";
import { readDocument } from "../support/document.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chain-webhooks-diff-command-"));
  await write("old.yaml", shop("100", ""));
  await write("new.yaml", shop("50", "        default: gift\n"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const diff = (...args: string[]) => runHere(run, ["diff", ...args, "--today", "2026-03-15"]);
const path = (name: string) => join(folder, name);
const write = (name: string, text: string) => writeFile(path(name), text);

function shop(maxLength: string, more: string): string {
  return `openapi: 3.1.0
info: { title: Shop, version: "1.0.0" }
paths:
  /orders:
    post:
      operationId: order
      requestBody:
        content:
          application/json: { schema: { $ref: "#/components/schemas/Order" } }
      responses: { "204": { description: Taken. } }
components:
  schemas:
    Order:
      properties:
        note:
          type: string
          maxLength: ${maxLength}
${more.replaceAll("        ", "          ")}`;
}

const compare = (...args: string[]) => diff(path("old.yaml"), path("new.yaml"), ...args);

test("text says whom each change breaks and why, on which line, and in sum", async () => {
  const { code, stdout, stderr } = await compare();
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  expect(stdout).toContain(`breaking  Order.note, in requests: maxLength from 100 to 50
          Breaks clients. Clients that send what was allowed so far are refused.
          Used by POST /orders.
          ${path("new.yaml")}:15  [limit]`);
  expect(stdout).toContain("default from none to");
  expect(stdout).toMatch(/\n2 breaking, 0 warnings, 0 other changes\. As a semantic version: major\.\n$/);
});

test.each([
  ["-", "new.yaml"],
  ["old.yaml", "-"],
])("%s %s reads one document from standard input", async (...names) => {
  const args = names.map((name) => (name === "-" ? name : path(name)));
  const read = names[0] === "-" ? "old.yaml" : "new.yaml";
  const command = ["--import", "tsx", "scripts/command/cli.ts", "diff", ...args];
  const child = execFile(process.execPath, command);
  child.stdin?.end(await readFile(path(read)));
  const [stdout, [code]] = await Promise.all([textOfStream(child.stdout ?? expect.fail()), once(child, "exit")]);
  expect(stdout).toContain("Order.note, in requests: maxLength from 100 to 50");
  expect(stdout).toContain(names[0] === "-" ? `- (1.0.0) → ${path("new.yaml")}` : "→ - (1.0.0)");
  expect(code).toBe(1);
});

test("json has everything for programs", async () => {
  const { findings, ...rest } = JSON.parse((await compare("--format", "json")).stdout);
  expect(rest).toMatchObject({ bump: "major", counts: { breaking: 2, warning: 0, info: 0, accepted: 0 } });
  expect(findings[0]).toMatchObject({
    ...{ rule: "limit", level: "breaking", bump: "major", where: "Order.note", flow: "requests", breaks: ["clients"] },
    at: { in: "new", file: path("new.yaml"), pointer: "/components/schemas/Order/properties/note", line: 15 },
  });
});

test("github annotates the line of the new document", async () => {
  const { stdout } = await compare("--format", "github");
  const [first] = stdout.split("\n");
  expect(first).toMatch(
    /^::error file=.*new\.yaml,line=15,title=limit::Order\.note, in requests: maxLength from 100 to 50\. Breaks/,
  );
});

test("what a document says becomes no command, no markup and no control character", async () => {
  const name = "a%\n::error::,:@team <b>\u001b[31m`*_[x](https://evil.example)";
  const document = (properties: object) => {
    const content = { "application/json": { schema: { properties } } };
    const paths = { "/x": { post: { operationId: "x", requestBody: { content }, responses: {} } } };
    return JSON.stringify({ openapi: "3.1.0", info: { title: "x", version: "1" }, paths });
  };
  await write("named.json", document({ [name]: {} }));
  await write("nameless.json", document({}));
  const printed = async (format: string) =>
    (await diff(path("named.json"), path("nameless.json"), "--format", format)).stdout.trimEnd().split("\n");
  const github = await printed("github");
  expect(github).toHaveLength(2);
  expect(github[0]).toContain("a%25%0A::error::,:@team");
  expect((await printed("text")).join("")).not.toContain("\u001b");
  const markdown = (await printed("markdown")).join("\n");
  expect(markdown).not.toContain("\u001b");
  expect(markdown).not.toMatch(/@team|<b>|https:\/\/|[^\\]\[x/);
});

test("markdown has a section for each level", async () => {
  const { stdout } = await compare("--format", "markdown");
  expect(stdout).toMatch(
    /^## 1\.0\.0 → 1\.0\.0\n\n### Breaking changes\n\n- \*\*Order\.note, in requests\*\*: maxLength/,
  );
});

describe("the exit code", () => {
  test.each([
    [["--fail-on", "none"], 0],
    [["--fail-on", "warning"], 1],
    [["--fail-on", "breaking"], 1],
  ])("with %j is %d", async (args, code) => {
    expect((await compare(...args)).code).toBe(code);
  });

  test("is 0 for what only widens, unless others implement the document", async () => {
    const widened = (...args: string[]) => diff(path("new.yaml"), path("wider.yaml"), ...args);
    await write("wider.yaml", shop("60", "        default: gift\n"));
    expect(await widened()).toMatchObject({ code: 0, stdout: expect.stringContaining("info      Order.note") });
    expect(await widened("--implementers")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("Breaks servers"),
    });
  });
});

describe("acceptances", () => {
  const accept = async (text: string) => {
    await write("accept.yaml", text);
    return compare("--accept", path("accept.yaml"));
  };
  const both = (until: string) => `- { rule: limit, where: "Order.*", reason: Nobody writes more., until: "${until}" }
- { rule: default, where: Order.note, reason: The partners agreed., until: "2026-12-31" }
`;

  test("cover findings up to their last day", async () => {
    const { code, stdout } = await accept(both("2026-03-15"));
    expect(code).toBe(0);
    expect(stdout).toContain(
      "accepted  Order.note, in requests: maxLength from 100 to 50\n          Until 2026-03-15: Nobody",
    );
    expect(stdout).toContain("0 breaking, 0 warnings, 0 other changes, 2 accepted.");
  });

  test("fail once they have expired", async () => {
    const { code, stdout } = await accept(both("2026-03-14"));
    expect(code).toBe(1);
    expect(stdout).toContain("The acceptance of limit at Order.* expired on 2026-03-14: Nobody writes more.");
  });

  test("that cover nothing are reported", async () => {
    const { stdout } = await accept(
      `${both("2026-12-31")}- { rule: type, where: Nowhere, reason: Old., until: "2026-12-31" }\n`,
    );
    expect(stdout).toContain("The acceptance of type at Nowhere covers no finding. Remove it.");
  });

  test.each([
    ["- { rule: limits, where: a, reason: b, until: '2026-01-01' }", /entry 1: no rule limits; did you mean limit\?/],
    ["- { rule: limit, where: a, until: '2026-01-01' }", /entry 1: reason must be a text\./],
    ["- { rule: limit, where: a, reason: b, until: '2026-02-30' }", /entry 1: until must be a day as YYYY-MM-DD\./],
    ["- { rule: limit, where: a, reason: b, untl: '2026-02-30' }", /entry 1: unknown field untl; did you mean until\?/],
    ["rule: limit", /must be a list of acceptances\./],
  ])("%s is refused with a sentence", async (text, sentence) => {
    const { code, stderr } = await accept(text);
    expect(code).toBe(2);
    expect(stderr).toMatch(sentence);
  });
});

test("files that refer to files are compared as one document, with the line in each", async () => {
  for (const [version, maxLength] of [
    ["v1", 9],
    ["v2", 8],
  ] as const) {
    await mkdir(path(`${version}/schemas`), { recursive: true });
    await write(`${version}/schemas/names.yaml`, `Name:\n  type: string\n  maxLength: ${maxLength}\n`);
    await write(`${version}/schemas/pet.yaml`, "type: object\nproperties:\n  name: { $ref: 'names.yaml#/Name' }\n");
    const content = "{ content: { application/json: { schema: { $ref: 'schemas/pet.yaml' } } } }";
    const head = 'openapi: 3.0.3\ninfo: { title: Pets, version: "1" }\npaths:\n  /pets:\n    post:\n';
    await write(`${version}/openapi.yaml`, `${head}      requestBody: ${content}\n      responses: {}\n`);
  }
  const { stdout } = await diff(path("v1/openapi.yaml"), path("v2/openapi.yaml"));
  expect(stdout).toContain("maxLength from 9 to 8");
  expect(stdout).toContain(`${path("v2/schemas/names.yaml")}:1  [limit]`);
});

test("OpenAPI 3.0 and 3.1 compare by meaning", async () => {
  const document = (openapi: string, schema: object) => {
    const content = { "application/json": { schema } };
    const paths = { "/x": { post: { requestBody: { content }, responses: {} } } };
    return JSON.stringify({ openapi, info: { title: "x", version: "1" }, paths });
  };
  const old = {
    type: "number",
    nullable: true,
    minimum: 0,
    exclusiveMinimum: true,
    maximum: 9,
    exclusiveMaximum: false,
  };
  await write("30.json", document("3.0.3", old));
  await write("31.json", document("3.1.0", { type: ["number", "null"], exclusiveMinimum: 0, maximum: 9 }));
  expect((await diff(path("30.json"), path("31.json"))).stdout).toContain("Nothing changed.");
});

test("the project's own two documents differ in no more than what OpenAPI 3.0 cannot say", async () => {
  const own = (name: string) => new URL(`../../generated/${name}`, import.meta.url).pathname;
  const { stdout } = await diff(own("openapi-3.0.json"), own("openapi.json"), "--format", "json");
  const { findings } = JSON.parse(stdout) as {
    findings: { level: string; where: string; flow: string }[];
  };
  const grave = findings.filter(({ level }) => level !== "info");
  // Generators make nothing usable of several types, so 3.0 allows any there. It has no null for headers: clients would send it for what is left out.
  expect([...new Set(grave.map(({ where, flow }) => `${where.replace("[]", "")}, in ${flow}`))].toSorted()).toEqual([
    "ConditionInput.value, in requests",
    "HeadersInput, in requests",
    "PreviewInput.finality, in requests",
    "WebhookCreate.finality, in requests",
  ]);
  expect((await diff(own("openapi.yaml"), own("openapi.json"))).stdout).toContain("Nothing changed.");
});

describe("hostile documents are answered with one sentence and exit code 2", () => {
  const head = '{"openapi":"3.1.0","info":{"title":"x","version":"1"},';
  const using = (ref: string, more = "{}") =>
    `${head}"paths":{"/x":{"get":{"responses":{"200":{"description":"x","content":{"a/b":{"schema":{"$ref":"${ref}"}}}}}}}},"components":{"schemas":${more}}}`;
  let doubled = 'openapi: 3.1.0\ninfo: { title: x, version: "1" }\npaths: {}\nx-0: &x0 [1, 1]\n';
  for (let index = 1; index < 40; index += 1) doubled += `x-${index}: &x${index} [*x${index - 1}, *x${index - 1}]\n`;
  test.each([
    ["brackets.json", "[".repeat(500_000) + "]".repeat(500_000), "is nested more than 200 levels deep."],
    ["brackets.yaml", "a: ".concat("[".repeat(100_000)), "neither JSON nor YAML: nesting exceeded"],
    ["laughs.yaml", doubled, "has more than 8000000 values."],
    ["loop.yaml", "openapi: 3.1.0\npaths: &p { x-a: *p }\n", "has a YAML alias to what it is in."],
    ["far.json", using("https://evil.example/x.json#/A"), "https://evil.example/x.json, which is not fetched. Bundle"],
    ["secret.json", using("/etc/passwd#/A"), "/etc/passwd, which is no readable .json or .yaml file."],
    ["dangling.json", using("#/components/schemas/B"), "which points at nothing."],
    ["swagger.json", '{"swagger":"2.0"}', "is Swagger 2.0; it must be OpenAPI 3.0 or 3.1."],
    ["empty.yaml", "", "is not an OpenAPI document: it must be an object."],
  ])("%s", async (name, text, sentence) => {
    await write(name, text);
    const { code, stdout, stderr } = await diff(path(name), path(name));
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(sentence);
    expect(stderr).toMatch(/^[^\n]+\n$/);
  });
});

test("names of every object's prototype are names like others", async () => {
  const document = (properties: string) =>
    `{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{"/x":{"post":{"requestBody":{"content":{"a/b":{"schema":{"properties":${properties}}}}},"responses":{}}}}}`;
  await write("proto-old.json", document('{"__proto__":{"type":"string"},"constructor":{}}'));
  await write("proto-new.json", document('{"__proto__":{"type":"integer"},"toString":{}}'));
  const { stdout } = await diff(path("proto-old.json"), path("proto-new.json"));
  expect(stdout).toContain("body.__proto__, in requests: type from string to integer");
  expect(stdout).toContain("field constructor removed");
  expect(stdout).toContain("optional field toString added");
});

test("a circle of thousands of schemas ends", async () => {
  const circle = (maxLength: number) => {
    const schemas: Record<string, object> = {};
    for (let index = 0; index < 1_000; index += 1)
      schemas[`S${index}`] = {
        properties: {
          next: { $ref: `#/components/schemas/S${(index + 1) % 1_000}` },
          text: { type: "string", maxLength },
        },
      };
    const content = { "a/b": { schema: { $ref: "#/components/schemas/S0" } } };
    const paths = { "/x": { post: { requestBody: { content }, responses: {} } } };
    return JSON.stringify({ openapi: "3.1.0", info: { title: "x", version: "1" }, paths, components: { schemas } });
  };
  await write("circle-old.json", circle(9));
  await write("circle-new.json", circle(8));
  const { stdout } = await diff(path("circle-old.json"), path("circle-new.json"), "--format", "json");
  expect(JSON.parse(stdout).counts.breaking).toBe(1_000);
});

test("the guide's run gives what the guide shows", async () => {
  const { blocks } = readDocument("docs/diff.md");
  const text = (name: string) => blocks.find(({ label }) => label === name)?.text ?? expect.fail(name);
  for (const name of ["old.yaml", "new.yaml", "accept.yaml"]) await write(`guide-${name}`, text(name));
  const files = [path("guide-old.yaml"), path("guide-new.yaml")];
  const { stdout } = await diff(...files);
  const [shown] = blocks.filter(({ language }) => language === "text");
  expect(stdout.replaceAll(path("guide-"), "").trim()).toBe(shown?.text.trim());
  expect((await diff(...files, "--accept", path("guide-accept.yaml"))).stdout).toContain("1 accepted.");
  expect((await diff(...files, "--format", "github", "--fail-on", "warning")).code).toBe(1);
});

test.each([
  [[], "OLD and NEW must be set"],
  [["a"], "OLD and NEW must be set"],
  [["a", "b", "c"], "There must be two documents only"],
  [["-", "-"], "Only one of OLD and NEW can be -."],
  [["a", "b", "--format", "xml"], "--format must be text, json, markdown or github."],
  [["a", "b", "--fail-on", "all"], "--fail-on must be breaking, warning or none."],
  [["a", "b"], "a cannot be read: there is no such file."],
])("%j exits with 2", async (args, sentence) => {
  const { code, stdout, stderr } = await runHere(run, ["diff", ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(sentence);
});

test("--rules lists each rule that an acceptance can name", async () => {
  const { code, stdout } = await runHere(run, ["diff", "--rules"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^limit +A length, a range or a number of items changed\.$/m);
  const json = await runHere(run, ["diff", "--rules", "--format", "json"]);
  const sentence = "A length, a range or a number of items changed.";
  expect(JSON.parse(json.stdout)).toContainEqual({ rule: "limit", sentence });
});

test("the help names every option and says where sunset dates are read", async () => {
  const { stdout } = await runHere(run, ["diff", "--help"]);
  const source = await readFile(new URL("../../scripts/command/commands/diff.ts", import.meta.url), "utf8");
  for (const [, name] of source.matchAll(/^ {2}"?([\w-]+)"?: \{ type: "/gm)) expect(stdout).toContain(`--${name} `);
  expect(stdout).toContain("x-sunset");
});

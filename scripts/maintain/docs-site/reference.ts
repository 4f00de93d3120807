/**
 * Writes the reference as pages of the site: an overview, and a page for each operation and each notification, all from the published
 * document. So they have the site's header, search, colours and anchors, and a reader loads the operation that was asked for and no other.
 */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { apiKeyHeader } from "../../../generated/operations.ts";
import { asArray, asObject, type JsonObject, resolvedObject } from "../../document/json.ts";
import { Fields } from "./fields.ts";
import { describedOperations, examplesOf, jsonOf, type Operation, readContract } from "./operations.ts";
import { callSamples } from "./samples.ts";

/** Where the pages are below docs/. They are not committed. */
export const referenceFolder = "reference";

type ReferencePage = { name: string; markdown: string };

/** Writes the pages that differ, so that another build can read them meanwhile. @param docs the guides' folder */
export async function writeReference(docs: string): Promise<void> {
  const folder = join(docs, referenceFolder);
  await mkdir(folder, { recursive: true });
  const pages = referencePages(readContract());
  for (const { name, markdown } of pages) {
    const file = join(folder, `${name}.md`);
    const before = await readFile(file, "utf8").catch(() => undefined);
    if (before !== markdown) await writeFile(file, markdown);
  }
  const names = new Set(pages.map(({ name }) => `${name}.md`));
  for (const file of await readdir(folder)) if (!names.has(file)) await rm(join(folder, file));
}

/** @returns the overview, named `index`, and a page named after each operationId */
export function referencePages(contract: JsonObject): ReferencePage[] {
  const operations = describedOperations(contract);
  return [
    { name: "index", markdown: overview(contract, operations) },
    ...operations.map((operation) => ({ name: operation.id, markdown: operationPage(contract, operation) })),
  ];
}

/** @returns the operations below each of the contract's tags, in the tags' order */
export function operationsByTag(contract: JsonObject): { tag: string; description: string; operations: Operation[] }[] {
  const operations = describedOperations(contract);
  return asArray(contract.tags)
    .map(asObject)
    .map(({ name, description }) => ({
      tag: String(name),
      description: String(description ?? ""),
      operations: operations.filter(({ tag }) => tag === name),
    }));
}

/** The page as programs read it: without what only the site's pages need. */
export function withoutMarkup(page: string): string {
  return page
    .replace(/^---\n.*?\n---\n+/s, "")
    .replaceAll(/\]\(\/reference(\/\w+)?(#[\w-]+)?\)/g, "](/docs/reference$1.md$2)")
    .replaceAll(/ ?\{[#.][^}\n]*\}/g, "")
    .replaceAll(/^<\/?[a-zA-Z][^>\n]*>\n+/gm, "")
    .replaceAll(/^::: details (.*?)( \{open\})?\n+/gm, "$1:\n\n")
    .replaceAll(/^:::.*\n+/gm, "");
}

/** Their values are JSON, which is YAML, too. */
function frontMatter(values: Record<string, unknown>): string {
  const lines = Object.entries(values).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  return `---\n${lines.join("")}---\n`;
}

function overview(contract: JsonObject, operations: readonly Operation[]): string {
  const { description, version, summary } = asObject(contract.info);
  // Its headings are below the page's own.
  const rules = String(description).replaceAll(/^#/gm, "##");
  const scheme = asObject(asObject(asObject(contract.components).securitySchemes).apiKey);
  const row = ({ id, method, path, summary, scopes }: Operation) =>
    `| [${summary}](/reference/${id}) | \`${method}${path ? ` ${path}` : ""}\` | ${scopes.map((scope) => `\`${scope}\``).join(" ")} |`;
  const tables = operationsByTag(contract).map(
    ({ tag, description, operations }) =>
      `### ${tag}\n\n${description}\n\n| operation | request | scope |\n| --- | --- | --- |\n${operations.map(row).join("\n")}\n`,
  );
  return `${frontMatter({ description: `Every operation and notification. ${summary}`, operations: operations.map(({ id }) => id) })}
# API reference

Version ${version}. Every page here is made from one document: <a href="/openapi.json" target="_self">OpenAPI as JSON</a>, or
<a href="/openapi.yaml" target="_self">YAML</a>.

## Operations

${tables.join("\n")}
## Authentication

The key is sent as \`${scheme.name}\`. ${String(scheme.description).trim()}

${rules}

<OldAnchors />
`;
}

function operationPage(contract: JsonObject, operation: Operation): string {
  const { id, method, path, summary, description, parameters, callbacks } = operation;
  const fields = new Fields(contract);
  const tryIt = {
    ...{ id, method, path, needsKey: operation.needsKey },
    parameters: parameters.map((one) => ({
      ...{ name: one.name, in: one.in, required: one.required === true },
      values: asArray(resolvedObject(contract, one.schema).enum),
    })),
    bodies: examplesOf(contract, operation.body),
  };
  const inPlace = (place: string) => parameters.filter((one) => one.in === place);
  const lists = (["path", "query", "header"] as const).map(
    (place) =>
      [
        { path: "Path parameters", query: "Query parameters", header: "Headers" }[place],
        list(fields.ofParameters(inPlace(place), place)),
      ] as const,
  );
  const successes = [...operation.responses].filter(([status]) => /^2/.test(status));
  const failures = [...operation.responses].filter(([status]) => !/^2/.test(status));
  const sections: (readonly [string, string])[] = [
    ...lists,
    ["Request body", bodyOf({ contract, fields, json: operation.body, place: "body" })],
    ...successes.map(
      ([status, response]) => [`Answer ${status}`, answerOf({ contract, fields, status, response })] as const,
    ),
    [
      path ? "Errors" : "Other answers",
      failures.map(([status, response]) => failure(contract, status, response)).join("\n"),
    ],
    ["What is sent", callbacks.map((name) => `- [${nameOf(contract, name)}](/reference/${name})`).join("\n")],
  ];
  return `${frontMatter({ description: firstSentence(description), operation: id, ...(path && { tryIt }) })}
# ${summary}

<p class="call"><b class="method ${method.toLowerCase()}">${method}</b> <code v-pre>${path ?? "the webhook’s URL"}</code></p>

\`${id}\`. ${rights(operation)}

${description}

${path ? samples(contract, operation) : ""}
${path ? "## Try it\n\n<TryIt />\n" : ""}
${sections
  .filter(([, text]) => text !== "")
  .map(([title, text]) => `## ${title}\n\n${text}\n`)
  .join("\n")}`;
}

function rights({ path, needsKey, scopes }: Operation): string {
  if (!path) return "The service sends this; your server answers.";
  if (!needsKey) return "No key is needed.";
  const names = scopes.map((scope) => `\`${scope}\``).join(" and ");
  return `It needs a key with the scope ${names} as [\`${apiKeyHeader}\`](/reference#authentication).`;
}

function samples(contract: JsonObject, operation: Operation): string {
  const blocks = callSamples(contract, operation).map(
    ({ language, source }) => `\`\`\`${language === "curl" ? "sh" : "ts"} [${language}]\n${source}\`\`\``,
  );
  return `::: code-group\n\n${blocks.join("\n\n")}\n\n:::\n`;
}

type Part = { contract: JsonObject; fields: Fields; json: JsonObject; place: string };

/** What a body has in it, and its examples. */
function bodyOf({ contract, fields, json, place }: Part): string {
  if (json.schema === undefined) return "";
  return `${list(fields.of(json.schema, place))}\n\n${examples(contract, json)}`.trim();
}

type Answer = { contract: JsonObject; fields: Fields; status: string; response: JsonObject };

function answerOf({ contract, fields, status, response }: Answer): string {
  const headers = Object.entries(asObject(response.headers)).map(([name, header]) => ({
    name,
    ...resolvedObject(contract, header),
  }));
  const ofHeaders = fields.ofParameters(headers, `${status}.header`);
  return [
    String(response.description),
    ...(ofHeaders ? [`Headers:`, list(ofHeaders)] : []),
    bodyOf({ contract, fields, json: jsonOf(response), place: status }),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function failure(contract: JsonObject, status: string, response: JsonObject): string {
  const headers = Object.keys(asObject(response.headers)).map((name) => `\`${name}\``);
  const text = `**${status}** ${String(response.description).trim()}${headers.length > 0 ? ` It has ${headers.join(", ")}.` : ""}`;
  const given = examplesOf(contract, jsonOf(response)).map(
    ({ title, value }) => `::: details ${title}\n\n${asCode(value)}\n\n:::`,
  );
  return `${text}\n\n${given.join("\n\n")}\n`;
}

function examples(contract: JsonObject, json: JsonObject): string {
  return examplesOf(contract, json)
    .map(({ title, value }, index) => `::: details ${title}${index === 0 ? " {open}" : ""}\n\n${asCode(value)}\n\n:::`)
    .join("\n\n");
}

const asCode = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

const list = (text: string) => (text === "" ? "" : `<div class="fields">\n\n${text}\n\n</div>`);

function nameOf(contract: JsonObject, id: string): string {
  return describedOperations(contract).find((operation) => operation.id === id)?.summary ?? id;
}

/** Without Markdown's marks, for search engines and previews of links. */
const firstSentence = (text: string) =>
  (/^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text).replaceAll(/[`*]|\[|\]\(.*?\)/g, "").replaceAll(/\s+/g, " ");

/**
 * Writes everything in generated/ from the hand-written contract: the closed bundle, the published documents and schemas, the workflows, the
 * types, zod's schemas, the operation table, the notification's headers, examples and validator, the contract of the mock in a page, collections
 * of requests, and an AsyncAPI document. `npm run check` writes the same elsewhere and compares. `npm run generate examples` makes the contract's examples first,
 * `npm run generate demo` the README's picture of the demo.
 */
import { readFileSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import openapiTS, { astToString } from "openapi-typescript";
import { stringify } from "yaml";
import { settings } from "../../server/settings/settings.ts";
import { asObject, type Json, type JsonObject, pointedAt, refOf } from "../document/json.ts";
import { redocly } from "../document/redocly.ts";
import { asyncApi } from "./asyncapi.ts";
import { collections } from "./collections.ts";
import { releasedContracts } from "./diff/release.ts";
import { contractChanges } from "./docs-site/contract-changes.ts";
import { withFiles } from "./docs-site/included-files.ts";
import { withSettings } from "./docs-site/settings-table.ts";
import { jsonSchemas } from "./json-schemas.ts";
import { mockContract } from "./mock-contract.ts";
import { toOpenApi30 } from "./openapi-3-0/convert.ts";
import { operationsModule, type TableContract } from "./operations-module.ts";
import { publishedDocument } from "./published-document.ts";
import { zodModule } from "./zod-module.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const banner = "Made from openapi/openapi.yaml by `npm run generate`. Do not edit.";

type Contract = TableContract & {
  components: { schemas: Record<string, unknown> };
  webhooks: Record<"addressActivity" | "glacierActivity", { post: { parameters: { name: string }[] } }>;
};

/** Generates all artefacts into a folder. @param folder where; made if missing. */
/** @returns the names of what it wrote */
export async function generate(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const publishedPath = join(folder, "openapi.json");
  const document = await publishedDocument(join(folder, "openapi-closed.json"));
  const published = JSON.stringify(document, null, 2);
  await writeFile(publishedPath, published);
  // Redocly leaves long hex unquoted, which most readers take for a number, an infinite one.
  await writeFile(join(folder, "openapi.yaml"), stringify(document, { lineWidth: 0, aliasDuplicateObjects: false }));
  await redocly("bundle", "openapi/workflows.arazzo.yaml", "--output", join(folder, "workflows.arazzo.json"));
  const contract = JSON.parse(published) as Contract;
  const mock = mockContract(JSON.parse(await readFile(join(folder, "openapi-closed.json"), "utf8")) as JsonObject);
  await Promise.all([
    writeFile(join(folder, "openapi-3.0.json"), `${JSON.stringify(toOpenApi30(document), null, 2)}\n`),
    writeFile(join(folder, "asyncapi.json"), `${JSON.stringify(asyncApi(document), null, 2)}\n`),
    writeFiles(join(folder, "collections"), collections(document)),
    writeSchemas(join(folder, "schemas"), document),
    writeFile(join(folder, "types.ts"), await types(publishedPath)),
    writeFile(join(folder, "operations.ts"), `// ${banner}\n${operationsModule(contract)}`),
    writeFile(join(folder, "notification-header.ts"), notificationHeader(contract)),
    writeFile(join(folder, "validate-notification.js"), notificationValidator(contract)),
    writeFile(join(folder, "validate-notification.d.ts"), validatorTypes),
    writeFile(join(folder, "mock-contract.js"), `// ${banner}\n${mock.code}`),
    writeFile(join(folder, "mock-contract.d.ts"), `// ${banner}\n${mock.types}`),
    writeFile(join(folder, "notification-examples.ts"), notificationExamples(document)),
    writeFile(join(folder, "decimal-fields.ts"), decimalFields(document)),
    writeFile(join(folder, "zod.ts"), `// ${banner}\n\n${zodModule(document)}`),
  ]);
  return (await readdir(folder)).sort();
}

async function writeSchemas(folder: string, document: JsonObject): Promise<void> {
  const schemas = jsonSchemas(document);
  await writeFiles(
    folder,
    new Map([...schemas].map(([file, schema]) => [file, `${JSON.stringify(schema, null, 2)}\n`])),
  );
}

/** @param files the text of each, by its path in the folder */
async function writeFiles(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  // What the contract no longer has must go.
  await rm(folder, { recursive: true, force: true });
  for (const [file, text] of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
}

async function types(path: string): Promise<string> {
  // Its own lint runs on an older core that does not know the CLI's rules, so it gets none of our configuration.
  const ast = await openapiTS(pathToFileURL(path), { defaultNonNullable: false });
  return `// ${banner}\n\n${astToString(ast)}`;
}

function notificationHeader(contract: Contract): string {
  const row = (name: string) => {
    const key = name.replace(/^(webhook|x)-/, "").replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    return `  ${key}: "${name}",`;
  };
  const names = contract.webhooks.addressActivity.post.parameters.map(({ name }) => name);
  const more = contract.webhooks.glacierActivity.post.parameters.flatMap(({ name }) =>
    names.includes(name) ? [] : [name],
  );
  return `// ${banner}

/** The names of a notification's headers. */
export const notificationHeader = {
${names.map(row).join("\n")}
} as const;

/** The names of the further headers of those in Glacier's form. */
export const glacierHeader = {
${more.map(row).join("\n")}
} as const;
`;
}

/** As code, so that a bundler takes what is used, and no file is read. */
function notificationExamples(document: JsonObject): string {
  const prefix = "notification.";
  const examples = Object.entries(asObject(asObject(document.components).examples))
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, example]) => {
      const { summary, value } = asObject(example);
      return `  /** ${summary}. */\n  "${name.slice(prefix.length)}": ${JSON.stringify(value)},`;
    });
  return `// ${banner}
import type { components } from "./types.ts";

/** The contract's examples of notifications, by the names of their files. */
export const notificationExamples = {
${examples.join("\n")}
} as const satisfies Record<string, components["schemas"]["AddressActivityNotification"]>;
`;
}

/** @throws when a name is a decimal in one part of the notification and something else in another: then it could not be told by its name */
function decimalFields(document: JsonObject): string {
  const found = new Map<string, boolean>();
  const free = new Set<string>();
  const seen = new Set<string>();
  const visit = (schema: Json | undefined): void => {
    const ref = refOf(schema);
    if (ref !== undefined) {
      if (!seen.has(ref)) visit(pointedAt(document, ref));
      seen.add(ref);
      return;
    }
    const { items, properties } = asObject(schema);
    if (items !== undefined) visit(items);
    for (const [name, property] of Object.entries(asObject(properties))) {
      const isDecimal = refOf(property) === "#/components/schemas/Decimal";
      if ((found.get(name) ?? isDecimal) !== isDecimal) throw new Error(`${name} is a decimal in some places only.`);
      found.set(name, isDecimal);
      const { type, properties: inner } = asObject(property);
      if (type === "object" && !inner) free.add(name);
      visit(property);
    }
  };
  visit({ $ref: "#/components/schemas/AddressActivityNotification" });
  const names = [...found].filter(([, isDecimal]) => isDecimal).map(([name]) => `  "${name}",`);
  return `// ${banner}

/** The fields of a notification that hold whole numbers in decimal digits. */
export const decimalFields = [
${names.sort().join("\n")}
] as const;

/** The fields whose content the contract leaves open. */
export const freeFields = [${[...free].map((name) => `"${name}"`).join(", ")}] as const;
`;
}

/** Compiled ahead, because edge runtimes and strict content security policies forbid compiling at run time. */
function notificationValidator(contract: Contract): string {
  // `format: int64` is for generators; there is nothing to check of a number in JSON.
  const formats = { int64: true as const };
  const ajv = new Ajv2020({ code: { source: true, esm: true, lines: true }, strict: false, allErrors: false, formats });
  ajv.addSchema({ $id: "contract", components: { schemas: openSchemas(contract.components.schemas) } });
  const validate = ajv.compile({ $ref: "contract#/components/schemas/AddressActivityNotification" });
  const code = standaloneCode.default(ajv, validate);
  if (code.includes("require("))
    throw new Error("The notification's validator needs a run-time part of Ajv; keep to patterns and types.");
  return `// ${banner}\n${code}\n`;
}

/** As a receiver must read them: unknown values of an enumeration pass, since /v1 may add some. Prose is left out to keep the code small. */
function openSchemas(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(openSchemas);
  if (schema === null || typeof schema !== "object") return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      const prose =
        (key === "description" || key === "example") &&
        (typeof value !== "object" || !("$ref" in value || "type" in value));
      const listed = key === "enum" && Array.isArray(value);
      return prose || listed ? [] : [[key, openSchemas(value)]];
    }),
  );
}

const validatorTypes = `// ${banner}

/** Returns whether a value is a notification; if not, \`errors\` says why. */
declare const validate: {
  (value: unknown): boolean;
  errors?: { instancePath: string; message?: string; params: Record<string, unknown> }[] | null;
};
export default validate;
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === "examples") {
    const { writeExamples } = await import("./examples.ts");
    console.log(`openapi/examples/: ${(await writeExamples()).join(", ")}`);
  }
  if (process.argv[2] === "demo") {
    const { writeDemoPictures } = await import("./demo-picture.ts");
    console.log(`docs/images/: ${(await writeDemoPictures()).join(", ")}`);
  }
  console.log(`generated/: ${(await generate(join(root, "generated"))).join(", ")}`);
  const page = join(root, "docs/configuration.md");
  console.log("docs/configuration.md: the table of settings");
  await writeFile(page, withSettings(await readFile(page, "utf8"), Object.values(settings)));
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const current = asObject(JSON.parse(read("generated/openapi.json")) as Json);
  const history = { released: await releasedContracts(root), current, changelog: read("CHANGELOG.md") };
  await writeFile(join(root, "docs/changes.md"), contractChanges(history));
  console.log("docs/changes.md: what each release changed in the contract");
  for (const name of await readdir(join(root, "docs"))) {
    const before = name.endsWith(".md") ? read(`docs/${name}`) : "";
    const after = withFiles(before, read);
    if (after === before) continue;
    await writeFile(join(root, "docs", name), after);
    console.log(`docs/${name}: the files that it shows`);
  }
}

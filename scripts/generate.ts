/**
 * Writes everything in generated/ from the hand-written contract: the bundle, its OpenAPI 3.0 twin, the types, the operation
 * table, the notification's validator and the docs page. `npm run check` writes the same elsewhere and compares.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import openapiTS, { astToString } from "openapi-typescript";
import { isObject, type Json } from "./document/json.ts";
import { toOpenApi30 } from "./openapi-3-0/convert.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const run = promisify(execFile);
const redoclyBin = join(dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")), "bin/cli.js");
const banner = "Made from openapi/openapi.yaml by `npm run generate`. Do not edit.";

type Contract = {
  paths: Record<string, Record<string, { operationId?: string; parameters?: ({ $ref: string } | { name: string })[] }>>;
  components: {
    schemas: Record<string, unknown>;
    parameters: Record<string, { name: string }>;
    securitySchemes: { apiKey: { name: string } };
  };
};

/** Runs the Redocly CLI in the project's root. @throws with its output when it fails. */
export async function redocly(...args: string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" };
  try {
    const { stdout, stderr } = await run(process.execPath, [redoclyBin, ...args], { cwd: root, env });
    return stdout + stderr;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`redocly ${args[0]} failed.\n${stdout}${stderr}`, { cause: error });
  }
}

/** Generates all artefacts into a folder. @param folder where; made if missing. */
export async function generate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const bundlePath = join(folder, "openapi.json");
  await redocly("bundle", "v1", "--output", bundlePath);
  await redocly("bundle", "v1", "--output", join(folder, "openapi.yaml"));
  const bundle = await readFile(bundlePath, "utf8");
  const contract = JSON.parse(bundle) as Contract;
  await Promise.all([
    writeFile(join(folder, "openapi-3.0.json"), openApi30(JSON.parse(bundle))),
    writeFile(join(folder, "types.ts"), await types(bundlePath)),
    writeFile(join(folder, "operations.ts"), operationTable(contract)),
    writeFile(join(folder, "validate-notification.js"), notificationValidator(contract)),
    writeFile(join(folder, "validate-notification.d.ts"), validatorTypes),
    docsPage(folder),
  ]);
}

function openApi30(bundle: Json): string {
  if (!isObject(bundle)) throw new Error("The bundle is not an object.");
  return `${JSON.stringify(toOpenApi30(bundle), null, 2)}\n`;
}

async function types(bundlePath: string): Promise<string> {
  // Its own lint runs on an older core that does not know the CLI's rules, so it gets none of our configuration.
  const ast = await openapiTS(pathToFileURL(bundlePath), { defaultNonNullable: false });
  return `// ${banner}\n\n${astToString(ast)}`;
}

function operationTable(contract: Contract): string {
  const rows = Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId, parameters = [] }]) => {
      const names = parameters.map((one) => ("name" in one ? one.name : parameterName(contract, one.$ref)));
      const idempotencyKey = names.includes("Idempotency-Key") ? ", idempotencyKey: true" : "";
      return operationId ? [`  ${operationId}: { method: "${method}", path: "${path}"${idempotencyKey} },`] : [];
    }),
  );
  const keyHeader = contract.components.securitySchemes.apiKey.name;
  return `// ${banner}

/** The request header that carries the API key. */
export const apiKeyHeader = "${keyHeader}";

/** Method and path of each operation, by its operationId, and whether it takes an \`Idempotency-Key\`. */
export const operationTable = {
${rows.join("\n")}
} as const;
`;
}

function parameterName(contract: Contract, ref: string): string | undefined {
  return contract.components.parameters[ref.replace("#/components/parameters/", "")]?.name;
}

/** Compiled ahead, because edge runtimes and strict content security policies forbid compiling at run time. */
function notificationValidator(contract: Contract): string {
  // `format: int64` tells generators how wide a number is; of a number in JSON there is nothing to check in it.
  const formats = { int64: true as const };
  const ajv = new Ajv2020({ code: { source: true, esm: true, lines: true }, strict: false, allErrors: false, formats });
  ajv.addSchema({ $id: "contract", components: { schemas: openSchemas(contract.components.schemas) } });
  const validate = ajv.compile({ $ref: "contract#/components/schemas/AddressActivityNotification" });
  const code = standaloneCode.default(ajv, validate);
  if (code.includes("require("))
    throw new Error("The notification's validator needs a run-time part of Ajv; keep to patterns and types.");
  return `// ${banner}\n${code}\n`;
}

/**
 * As a receiver must read them: unknown fields and unknown values of an enumeration pass, since /v1 may add some. Prose is
 * left out to keep the code small.
 */
function openSchemas(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(openSchemas);
  if (schema === null || typeof schema !== "object") return schema;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => {
      const prose =
        (key === "description" || key === "example") &&
        (typeof value !== "object" || !("$ref" in value || "type" in value));
      const closed = (key === "additionalProperties" && value === false) || (key === "enum" && Array.isArray(value));
      return prose || closed ? [] : [[key, openSchemas(value)]];
    }),
  );
}

const validatorTypes = `// ${banner}

/** Tells whether a value is a notification; when not, \`errors\` tells why. */
declare const validate: {
  (value: unknown): boolean;
  errors?: { instancePath: string; message?: string; params: Record<string, unknown> }[] | null;
};
export default validate;
`;

/** One file that asks nothing of anybody, not even for an icon: the addresses of a logo and of usage statistics are taken out. */
async function docsPage(folder: string): Promise<void> {
  const path = join(folder, "docs.html");
  await redocly("build-docs", "v1", "--inlineBundle", "--openapi.disableGoogleFont", "--output", path);
  const page = await readFile(path, "utf8");
  const own = page.replaceAll(/https:\/\/(?:cdn\.redoc\.ly|(?:cdn|otel\.cloud)\.redocly\.com)\/[\w/.-]+/g, "data:,");
  await writeFile(path, own.replace("<head>", '<head>\n<link rel="icon" href="data:,">'));
}

/** Runs `use` with a fresh temporary folder and removes it afterwards. */
export async function withTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "chain-webhooks-generate-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generate(join(root, "generated"));

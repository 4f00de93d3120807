/**
 * Makes the docs page: Redoc's page of the contract with its samples, and the console, in one file that asks
 * nothing of anybody.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { scriptHashes } from "../../../server/api/documents.ts";
import { asObject, type JsonObject, pointedAt } from "../../document/json.ts";
import { type ConsoleModel, modelId } from "./console/model.ts";
import { pageOperations } from "./operations.ts";
import { keyHeaderOf, pageDocument, sampleLanguages } from "./page-document.ts";

const consoleFolder = fileURLToPath(new URL("console", import.meta.url));

/**
 * @param redocly runs the Redocly CLI
 * @param folder a temporary one, for what Redocly reads and writes
 * @returns the page
 */
export async function docsPage(
  contract: JsonObject,
  redocly: (...args: string[]) => Promise<string>,
  folder: string,
): Promise<string> {
  const [document, config, output] = ["page.json", "page.yaml", "page.html"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(document, JSON.stringify(pageDocument(contract)));
  await writeFile(config, JSON.stringify({ openapi: redocOptions }));
  await redocly("build-docs", document, "--config", config, "--inlineBundle", "--output", output);
  const [page, script, style] = await Promise.all([readFile(output, "utf8"), consoleScript(), consoleStyle()]);
  const console = [
    `<style>${style}</style>`,
    `<script type="application/json" id="${modelId}">${inScript(JSON.stringify(consoleModel(contract)))}</script>`,
    `<script type="module">${inScript(script)}</script>`,
  ].join("\n");
  const whole = insertBefore(withoutCallsHome(page), "</body>", `${console}\n`);
  return insertBehind(whole, "<head>", `\n${headLines(whole)}`);
}

// Against what the page would load, what it would reveal of its reader, and a copy of the document that is not the contract.
const redocOptions = {
  disableGoogleFont: true,
  disableTelemetry: true,
  hideDownloadButtons: true,
  // As deep as the token of a payload's transfer, so that every field is there to be read and found.
  schemasExpansionLevel: 5,
  codeSamples: { languages: sampleLanguages.map((lang) => ({ lang })) },
};

/** The addresses of a logo and of usage statistics are taken out. */
function withoutCallsHome(page: string): string {
  return page.replaceAll(/https:\/\/(?:cdn\.redoc\.ly|(?:cdn|otel\.cloud)\.redocly\.com)\/[\w/.-]+/g, "data:,");
}

function consoleModel(contract: JsonObject): ConsoleModel {
  const { default: server } = asObject(pointedAt(contract, "#/servers/0/variables/base_url"));
  return { keyHeader: keyHeaderOf(contract), server: String(server), operations: pageOperations(contract) };
}

async function consoleScript(): Promise<string> {
  return bundled("main.ts", { format: "esm", target: "es2022" });
}

async function consoleStyle(): Promise<string> {
  return bundled("console.css", {});
}

async function bundled(name: string, options: { format?: "esm"; target?: string }): Promise<string> {
  const entryPoints = [join(consoleFolder, name)];
  // No tsconfig, or the page would depend on where it is made.
  const fixed = { bundle: true, minify: true, write: false, charset: "utf8", tsconfigRaw: {} } as const;
  const made = await build({ ...options, ...fixed, entryPoints });
  return made.outputFiles[0]?.text.trim() ?? "";
}

/** Keeps a script's text from ending the element that holds it. */
function inScript(text: string): string {
  return text.replaceAll("</", "<\\/").replaceAll("<!--", "<\\!--");
}

/**
 * No icon to ask for, and a policy that holds wherever the page is: from a disk or a host that sends none, it still runs its
 * own scripts only, loads nothing, and calls nobody but the server that its reader chooses in the console.
 */
function headLines(page: string): string {
  const policy = [
    "default-src 'none'",
    `script-src ${scriptHashes(page).join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src data:",
    "font-src data:",
    "connect-src http: https:",
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<meta http-equiv="Content-Security-Policy" content="${policy}">\n<link rel="icon" href="data:,">`;
}

function insertBefore(page: string, mark: string, text: string): string {
  const at = page.lastIndexOf(mark);
  if (at < 0) throw new Error(`The page has no ${mark}.`);
  return page.slice(0, at) + text + page.slice(at);
}

function insertBehind(page: string, mark: string, text: string): string {
  const at = page.indexOf(mark);
  if (at < 0) throw new Error(`The page has no ${mark}.`);
  return page.slice(0, at + mark.length) + text + page.slice(at + mark.length);
}

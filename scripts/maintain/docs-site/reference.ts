/** Builds the page of the reference: Redoc's page of the contract in the frame of the site, with samples that call each operation. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { apiKeyHeader } from "../../../generated/operations.ts";
import { asArray, asObject, type Json, type JsonObject, resolvedObject } from "../../document/json.ts";
import { redocly } from "../../document/redocly.ts";
import { withTemporaryFolder } from "../../document/temporary-folder.ts";

/** What the page is made from, besides this folder. */
export const contractOfReference = fileURLToPath(new URL("../../../generated/openapi.json", import.meta.url));

const template = fileURLToPath(new URL("reference.hbs", import.meta.url));
const languages = ["TypeScript", "curl"] as const;

const redoc = {
  // What one would download here names the published periods, not the operator's.
  hideDownloadButtons: true,
  // As deep as the token of a payload's transfer, so that every field is there to be read and found.
  schemasExpansionLevel: 5,
  // The height of the site's bar.
  scrollYOffset: 64,
  codeSamples: { languages: languages.map((lang) => ({ lang })) },
};

/** @param output the page, one file that needs no other. Takes 1.5 s of processor. */
export async function buildReference(output: string): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    const [document, config, made] = [join(folder, "page.json"), join(folder, "page.yaml"), join(folder, "page.html")];
    await writeFile(document, JSON.stringify(withSamples(JSON.parse(await readFile(contractOfReference, "utf8")))));
    await writeFile(config, JSON.stringify({ openapi: redoc }));
    const options = ["--inlineBundle", "--template", template, "--config", config, "--output", made];
    await redocly("build-docs", document, ...options);
    // Redoc's logo, which each reader's browser would fetch, and the address for its statistics, which are off.
    const elsewhere = /https:\/\/(?:cdn\.redoc\.ly|(?:cdn|otel\.cloud)\.redocly\.com)\/[\w/.-]+/g;
    await writeFile(output, (await readFile(made, "utf8")).replaceAll(elsewhere, "data:,"));
  });
}

/** @returns a copy of the contract in which every operation has a sample in each language */
export function withSamples(contract: JsonObject): JsonObject {
  const document = structuredClone(contract);
  for (const [path, item] of Object.entries(asObject(document.paths))) {
    const { parameters: shared, ...methods } = asObject(item);
    for (const [method, one] of Object.entries(methods)) {
      const operation = asObject(one);
      const needsKey = asArray(operation.security ?? contract.security).length > 0;
      const parameters = [...asArray(shared), ...asArray(operation.parameters)].map((each) =>
        resolvedObject(contract, each),
      );
      const call = exampleCall(contract, parameters, operation);
      const sources = {
        TypeScript: typescript(String(operation.operationId), call),
        curl: curl(method.toUpperCase(), path, call, needsKey),
      };
      operation["x-codeSamples"] = languages.map((lang) => ({ lang, source: sources[lang] }));
    }
  }
  return document;
}

type Call = { path: Record<string, string>; query: Record<string, string>; body?: Json };

/** The contract's examples of what is required, and of what has listed values. A token of somebody else's call is no example. */
function exampleCall(contract: JsonObject, parameters: readonly JsonObject[], operation: JsonObject): Call {
  const valuesIn = (place: string) =>
    Object.fromEntries(
      parameters.flatMap((one) => {
        const [listed] = asArray(resolvedObject(contract, one.schema).enum);
        const shown = one.in === place && (one.required === true || listed !== undefined);
        return shown ? [[String(one.name), String(one.example ?? listed ?? one.name)]] : [];
      }),
    );
  const content = asObject(resolvedObject(contract, operation.requestBody).content);
  const [example] = Object.values(asObject(asObject(content["application/json"]).examples));
  const { value: body } = resolvedObject(contract, example);
  return { path: valuesIn("path"), query: valuesIn("query"), ...(body !== undefined && { body }) };
}

function typescript(operationId: string, call: Call): string {
  const given = Object.entries(call).filter(([, value]) => Object.keys(asObject(value)).length > 0);
  // JSON with the names of fields as one writes them.
  const literal = JSON.stringify(Object.fromEntries(given), null, 2).replaceAll(/^( *)"([a-z_]\w*)":/gim, "$1$2:");
  return `import { createWebhooksClient } from "chain-webhooks/client";

const client = createWebhooksClient({
  baseUrl: process.env.BASE_URL ?? "http://127.0.0.1:3000",
  apiKey: process.env.API_KEY ?? "",
});

console.log(await client.${operationId}(${given.length > 0 ? literal : ""}));
`;
}

function curl(method: string, path: string, call: Call, needsKey: boolean): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(call.path[name] ?? name));
  const query = new URLSearchParams(call.query);
  const body = JSON.stringify(call.body, null, 2)?.replaceAll("'", "'\\''");
  return `${[
    `curl ${method === "GET" ? "" : `-X ${method} `}"$BASE_URL${filled}${query.size > 0 ? `?${query}` : ""}"`,
    ...(needsKey ? [`-H "${apiKeyHeader}: $API_KEY"`] : []),
    ...(body ? ['-H "Content-Type: application/json"', `-d '${body}'`] : []),
  ].join(" \\\n  ")}\n`;
}

/** How an operation is called with the package's client. */
import { asObject, asStrings, type Json, type JsonObject, refOf, resolvedObject } from "../../../document/json.ts";
import type { PageOperation } from "../operations.ts";
import { literal } from "./literal.ts";

/** A whole TypeScript file that calls the operation with the contract's examples. */
export function typescriptSample(contract: JsonObject, operation: PageOperation): string {
  const { operationId } = operation;
  const answer = answerOf(contract, operation);
  const call = callOf(operation);
  const listed = listOf(resolvedObject(contract, answer));
  const paged = operation.parameters.some(({ name }) => name === "pageToken");
  return `import { createWebhooksClient } from "chain-webhooks/client";

const client = createWebhooksClient({
  baseUrl: process.env.BASE_URL ?? "http://127.0.0.1:3000",
  apiKey: process.env.API_KEY ?? "",
});

${
  paged && listed
    ? `for await (const page of client.pages("${operationId}"${call && `, ${call}`})) {
  console.log(page.${listed});
}`
    : `const ${variableOf(answer)} = await client.${operationId}(${call});
console.log(${variableOf(answer)});`
}
`;
}

/** The call's argument: what is required, and of the rest what the contract has an example of. */
function callOf({ parameters, bodies }: PageOperation): string {
  const part = (place: string) => {
    // A token or a key of somebody else's call is no example for one's own.
    const shown = parameters.filter((one) => one.in === place && (one.required || one.values));
    const entries = shown.map(({ name, example, values }): [string, string] => [name, example ?? values?.[0] ?? name]);
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  };
  const call: JsonObject = {
    path: part("path"),
    query: part("query"),
    headers: part("header"),
    body: bodies[0]?.value,
  };
  const given = Object.entries(call).filter(([, value]) => value !== undefined);
  return given.length > 0 ? literal(Object.fromEntries(given)) : "";
}

/** The schema of the operation's success. */
function answerOf(contract: JsonObject, { path, method }: PageOperation): Json | undefined {
  const operation = asObject(asObject(asObject(contract.paths)[path])[method.toLowerCase()]);
  const [, success] = Object.entries(asObject(operation.responses)).find(([status]) => status.startsWith("2")) ?? [];
  return asObject(asObject(resolvedObject(contract, success).content)["application/json"]).schema;
}

/** The array that a page of a list holds. */
function listOf(page: JsonObject): string | undefined {
  const required = asStrings(page.required);
  return required.find((name) => asObject(asObject(page.properties)[name]).type === "array");
}

function variableOf(schema: Json | undefined): string {
  const name = refOf(schema)?.split("/").at(-1) ?? "answer";
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

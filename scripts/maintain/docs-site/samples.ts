/** Samples that call an operation: by the package's client, and by curl. */
import { apiKeyHeader } from "../../../generated/operations.ts";
import { asArray, asObject, type Json, type JsonObject, resolvedObject } from "../../document/json.ts";
import { examplesOf, type Operation } from "./operations.ts";

/** What one copies to call an operation. */
export type Sample = { language: "TypeScript" | "curl"; source: string };

/** @param operation one with a path */
export function callSamples(contract: JsonObject, operation: Operation): Sample[] {
  const call = exampleCall(contract, operation);
  return [
    { language: "TypeScript", source: typescript(operation.id, call) },
    { language: "curl", source: curl(operation, call) },
  ];
}

type Call = { path: Record<string, string>; query: Record<string, string>; body?: Json };

/** The contract's examples of what is required, and of what has listed values. A token of somebody else's call is no example. */
function exampleCall(contract: JsonObject, operation: Operation): Call {
  const valuesIn = (place: string) =>
    Object.fromEntries(
      operation.parameters.flatMap((one) => {
        const [listed] = asArray(resolvedObject(contract, one.schema).enum);
        const shown = one.in === place && (one.required === true || listed !== undefined);
        return shown ? [[String(one.name), String(one.example ?? listed ?? one.name)]] : [];
      }),
    );
  const [example] = examplesOf(contract, operation.body);
  return {
    path: valuesIn("path"),
    query: valuesIn("query"),
    ...(example?.value !== undefined && { body: example.value }),
  };
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

function curl({ method, path = "", needsKey }: Operation, call: Call): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(call.path[name] ?? name));
  const query = new URLSearchParams(call.query);
  const body = JSON.stringify(call.body, null, 2)?.replaceAll("'", "'\\''");
  return `${[
    `curl ${method === "GET" ? "" : `-X ${method} `}"$BASE_URL${filled}${query.size > 0 ? `?${query}` : ""}"`,
    ...(needsKey ? [`-H "${apiKeyHeader}: $API_KEY"`] : []),
    ...(body ? ['-H "Content-Type: application/json"', `-d '${body}'`] : []),
  ].join(" \\\n  ")}\n`;
}

/** How an operation is called with curl. */
import type { PageOperation } from "../operations.ts";

/** A shell command that calls the operation with the contract's examples; it asks for BASE_URL and API_KEY. */
export function curlSample({ method, path, parameters, bodies, needsKey }: PageOperation, keyHeader: string): string {
  const value = (name: string) => {
    const { example, values } = parameters.find((one) => one.name === name) ?? {};
    return encodeURIComponent(example ?? values?.[0] ?? name);
  };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => value(name));
  const query = parameters
    .filter((one) => one.in === "query" && (one.required || one.values))
    .map(({ name }) => `${name}=${value(name)}`);
  const [body] = bodies;
  const url = `"$BASE_URL${filled}${query.length > 0 ? `?${query.join("&")}` : ""}"`;
  const lines = [
    method === "GET" ? `curl ${url}` : `curl -X ${method} ${url}`,
    ...(needsKey ? [`-H "${keyHeader}: $API_KEY"`] : []),
    ...(body ? [`-H "Content-Type: application/json"`, `-d ${quoted(JSON.stringify(body.value, null, 2))}`] : []),
  ];
  return `${lines.join(" \\\n  ")}\n`;
}

/** In single quotes, which only a single quote needs to leave. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Makes a request from the fields, or explains in a sentence which field prevents it. */
import type { PageOperation, PageParameter } from "../operations.ts";

/** The fields' values; `values` are by the parameter's name. */
export type Filled = { server: string; key: string; values: Record<string, string>; body: string };

/** A request, ready for `fetch`. */
export type Prepared = { url: URL; method: string; headers: Record<string, string>; body?: string };

/** What is wrong, and the name of the field: `server`, `key`, `body` or a parameter's. */
export type Problem = { field: string; problem: string };

/** Parameters left empty are not sent; nor is an empty key, so that the answer to a request without one can be seen. */
export function prepare(operation: PageOperation, keyHeader: string, filled: Filled): Prepared | Problem {
  const { server, key, values, body } = filled;
  const base = serverUrl(server);
  if (!base)
    return wrong("server", "Server must be an http or https address without user name, password, query or fragment.");
  if (!/^[!-~]*$/.test(key)) return wrong("key", "API key must consist of visible ASCII characters.");
  for (const parameter of operation.parameters) {
    const problem = problemOf(parameter, values[parameter.name] ?? "");
    if (problem) return wrong(parameter.name, problem);
  }
  const notJson = operation.bodies.length > 0 && body.trim() !== "" ? whyNotJson(body) : undefined;
  if (notJson) return wrong("body", `Body is not JSON: ${notJson}`);

  const given = (place: string) =>
    operation.parameters.flatMap(({ name, in: where }): [string, string][] => {
      const value = values[name] ?? "";
      return where === place && value !== "" ? [[name, value]] : [];
    });
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) =>
    encodeURIComponent(values[name] ?? ""),
  );
  const url = new URL(base.href.replace(/\/+$/, "") + path);
  for (const [name, value] of given("query")) url.searchParams.append(name, value);
  const headers: Record<string, string> = Object.fromEntries(given("header"));
  if (operation.needsKey && key !== "") headers[keyHeader] = key;
  if (operation.bodies.length === 0 || body.trim() === "") return { url, method: operation.method, headers };
  headers["content-type"] = "application/json";
  return { url, method: operation.method, headers, body };
}

const wrong = (field: string, problem: string): Problem => ({ field, problem });

function serverUrl(text: string): URL | undefined {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    return undefined;
  return url;
}

function problemOf({ name, in: place, required }: PageParameter, value: string): string | undefined {
  if (required && value === "") return `${name} must be filled in.`;
  // Dots would be resolved, and address another resource.
  if (place === "path" && /^\.{1,2}$/.test(value)) return `${name} must not be "${value}".`;
  if (place === "header" && !/^[ -~]*$/.test(value)) return `${name} must consist of ASCII characters.`;
  return undefined;
}

function whyNotJson(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/**
 * The path parameters in the `Location` of what was just created.
 * @example parametersIn("/v1/webhooks/6d1b", operations) // { id: "6d1b" }
 */
export function parametersIn(location: string, operations: readonly PageOperation[]): Record<string, string> {
  for (const { path } of operations) {
    const pattern = path.replaceAll(".", "\\.").replaceAll(/\{(\w+)\}/g, "(?<$1>[^/?#]+)");
    const found = new RegExp(`${pattern}$`).exec(location)?.groups;
    if (found) return { ...found };
  }
  return {};
}

/** Requests as lines for a shell, so that a failure can be seen again without this command. */
import { apiKeyHeader } from "../../../../generated/operations.ts";
import { asObject } from "../../../document/json.ts";
import type { RecordedExchange } from "../exchange.ts";

/** A longer body is cut off: its case is repeated by the seed. */
const mostCharacters = 2_000;

/** The requests of an attempt in their order. `$URL` and `$KEY` stand for the server and the key, `$WEBHOOK_1` for an identifier. */
export function curlLines(exchanges: readonly RecordedExchange[]): string[] {
  const names = new Map<string, string>();
  return exchanges.map((exchange) => {
    const line = curlLine(exchange, names);
    const { id } = asObject(exchange.json);
    if (exchange.operation === "createWebhook" && exchange.status < 300 && typeof id === "string" && !names.has(id))
      names.set(id, `WEBHOOK_${names.size + 1}`);
    return line;
  });
}

function curlLine(
  { request: { method, path, headers, body } }: RecordedExchange,
  names: ReadonlyMap<string, string>,
): string {
  let place = path.replaceAll(/["$`\\]/g, "\\$&");
  for (const [id, name] of names) place = place.replaceAll(id, `$${name}`);
  const given = Object.entries(headers)
    .filter(([name]) => name !== "accept")
    .map(([name, value]) =>
      name.toLowerCase() === apiKeyHeader ? `-H "${name}: $KEY"` : `-H ${quoted(`${name}: ${value}`)}`,
    );
  const data = body === undefined ? [] : [`--data-raw ${quoted(shortened(body.toString()))}`];
  return ["curl", `-X ${method}`, `"$URL${place}"`, ...given, ...data].join(" ");
}

function shortened(text: string): string {
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}… (${text.length} characters)`;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

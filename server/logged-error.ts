/** What the log shows of an error: its kind, sentence and stack, those of its causes, and its fields without users' data. */

/** The fields that PostgreSQL, its driver and Node add to errors: rows and values, queries, connections, whole URLs. */
const withheld = new Set(["detail", "where", "internalQuery", "client", "input", "parameters", "config"]);
/** Deeper than any error of ours. */
const deepest = 8;

/** @returns what can be written as JSON */
export function describeError(value: unknown, above: readonly unknown[] = []): unknown {
  if (value === null || typeof value !== "object") return typeof value === "function" ? undefined : value;
  if (above.includes(value) || above.length === deepest) return "…";
  const inside = [...above, value];
  if (Array.isArray(value)) return value.map((item) => describeError(item, inside));
  const isError = value instanceof Error;
  const kept = Object.entries(value).filter(([name]) => !withheld.has(name) && !(isError && name === "cause"));
  return {
    ...(isError && {
      type: value.constructor.name,
      message: withCauses(value, ({ message }) => message, ": "),
      stack: withCauses(value, ({ stack }) => stack ?? "", "\ncaused by: "),
      ...(value instanceof AggregateError && { aggregateErrors: describeError(value.errors, inside) }),
    }),
    ...Object.fromEntries(kept.map(([name, inner]) => [name, describeError(inner, inside)])),
  };
}

function withCauses(error: Error, text: (error: Error) => string, joint: string): string {
  const chain: Error[] = [];
  for (let at: unknown = error; at instanceof Error && !chain.includes(at); at = at.cause) chain.push(at);
  return chain.map(text).join(joint);
}

/** Keeps the API key out of errors, even where a server or a runtime repeats in its own words what it was sent. */

/** Below this length a key cannot be a secret, and cutting it out would tear ordinary words apart. */
const shortestSecret = 8;

/** Makes a function that cuts the key out of a text. */
export function redactor(apiKey: string): (text: string) => string {
  return (text) => (apiKey.length < shortestSecret ? text : text.replaceAll(apiKey, "[API key]"));
}

/** Keeps a cause as it is, unless it or a cause of its own quotes the key: then only its message stays, redacted. */
export function redactCause(cause: unknown, redact: (text: string) => string): unknown {
  if (typeof cause === "string") return redact(cause);
  if (!(cause instanceof Error)) return cause;
  const chain: Error[] = [];
  for (let error: unknown = cause; error instanceof Error && !chain.includes(error); error = error.cause)
    chain.push(error);
  const quotesKey = chain.some(({ message, stack = "" }) => redact(message + stack) !== message + stack);
  return quotesKey ? new Error(redact(cause.message)) : cause;
}

/** Refuses what Node lets through but two readers could understand in two ways, and what Express would answer in words of its own. */
import type { IncomingMessage } from "node:http";

/** What cannot be read as a request. */
export const notHttp = "The request must be valid HTTP.";

const wholeUrl = /^https?:\/\/[^/?#]*/i;

/**
 * Looks at a request's version, host and target. A target that is a whole URL, as proxies send it, becomes its path.
 *
 * @returns what is wrong, in a sentence; undefined for a good request
 */
export function requestFault(request: IncomingMessage): string | undefined {
  const { httpVersion, headers, rawHeaders, url = "" } = request;
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return notHttp;
  if (httpVersion === "1.1" && headers.host === undefined) return "The header host must be given.";
  if (countOf("host", rawHeaders) > 1) return "The header host must be given once only.";
  // OPTIONS asks about the whole server by "*".
  if (url.startsWith("/") || url === "*") return undefined;
  if (!wholeUrl.test(url) || !URL.canParse(url))
    return "The URL must be a path, or a whole one with http:// or https://.";
  request.url = url.replace(wholeUrl, "").replace(/^(?!\/)/, "/");
  return undefined;
}

function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === name.length && rawHeaders[at]?.toLowerCase() === name) count += 1;
  return count;
}

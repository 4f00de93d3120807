/** Takes a node's address apart: how to call it, what may be told of it, and what never, since addresses often hold keys. */

/** An address of a node. */
export type NodeAddress = {
  /** Scheme and host, which names the node in logs. */
  origin: string;
  /** Without user and password, which go into a header: `fetch` refuses an address that has them. */
  href: string;
  headers: Record<string, string>;
  /** What a node or the network said, on one line and without anything of the address but its origin. */
  hide(text: string): string;
};

/** Shorter parts, such as `v1` or `rpc`, are no keys, and would make holes in every sentence. */
const shortestSecret = 6;
const longestText = 300;

/** @param url an `http`, `https`, `ws` or `wss` URL */
export function nodeAddress(url: string): NodeAddress {
  const parsed = new URL(url);
  const { origin } = parsed;
  const [user, password] = [decoded(parsed.username), decoded(parsed.password)];
  const secrets = secretsOf(parsed);
  parsed.username = "";
  parsed.password = "";
  const credentials = Buffer.from(`${user}:${password}`).toString("base64");
  return {
    origin,
    href: parsed.href,
    headers: user || password ? { authorization: `Basic ${credentials}` } : {},
    hide(text) {
      const hidden = [...secrets, credentials].reduce((told, secret) => told.replaceAll(secret, "…"), text);
      return hidden.replace(/\s+/g, " ").trim().slice(0, longestText);
    },
  };
}

/** The longest first, so that none leaves a part of itself. */
function secretsOf({ username, password, pathname, search, searchParams, hash }: URL): string[] {
  const parts = [username, password, pathname, search, hash, ...pathname.split("/"), ...searchParams.values()];
  return [...new Set(parts.flatMap((part) => [part, decoded(part)]))]
    .filter((part) => part.length >= shortestSecret)
    .sort((a, b) => b.length - a.length);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

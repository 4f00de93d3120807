/** Splits a node's address into what the logs may show and what stays secret: addresses often hold keys. */

export type NodeAddress = {
  /** Scheme and host; names the node in logs. */
  origin: string;
  /** Without user and password, which go into a header. */
  href: string;
  headers: Record<string, string>;
  /** @returns a node's or the network's message, on one line and without secrets of the address */
  hide(text: string): string;
};

/** Shorter parts, such as `v1` or `rpc`, are no keys, and hiding them would garble messages. */
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
      const hidden = [...secrets, credentials].reduce((message, secret) => message.replaceAll(secret, "…"), text);
      return hidden.replace(/\s+/g, " ").trim().slice(0, longestText);
    },
  };
}

/** The longest first, so that no part of a secret remains. */
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

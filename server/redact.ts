/**
 * Cuts keys and secrets out of what is logged and traced, wherever they come from: somebody's key in a path, a secret in an error. What they are
 * found by is their form, so nobody has to know that they are there.
 */

/** API keys, but for the first characters by which lists show them, and signing secrets. Both may be percent-encoded. */
const secrets = /(cwk(?:_|%5f))[\w%-]{26,}|(whsec(?:_|%5f))[\w+/=%-]{8,}/gi;

/** @returns the text with an ellipsis for each secret */
export function redact(text: string): string {
  return text.replace(secrets, (_, key: string | undefined, secret: string | undefined) => `${key ?? secret}…`);
}

/** Ids, hashes, numbers and words: what the API's own paths are made of. */
const harmless = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x[0-9a-f]*|\d*|[a-z_.:-]*)$/i;
const longestShown = 20;

/**
 * The same for a path, without its query. A long part that is no id, hash or word may be another service's key, a token or a password: only its
 * beginning stays.
 */
export function redactPath(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  return path
    .split("/")
    .map((part) => {
      const plain = decoded(part);
      const isShown = plain.length <= longestShown || harmless.test(plain);
      return isShown
        ? redact(plain === part ? part : encodeURIComponent(plain))
        : `${encodeURIComponent(plain.slice(0, 4))}…`;
    })
    .join("/");
}

/** However many times it was encoded; a key hides as well behind `%2563wk_`. */
function decoded(part: string): string {
  try {
    const plain = decodeURIComponent(part);
    return plain === part ? part : decoded(plain);
  } catch {
    return part;
  }
}

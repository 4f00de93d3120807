/** Cuts secrets out of all that leaves the process: answers, errors and what is logged. */

/** Below this length a key cannot be a secret, and cutting it out would tear ordinary words apart. */
const shortestSecret = 8;

/**
 * As the contract's `WebhookSecret` and `SharedSecret` have them. Whoever reads the conversation could forge notifications. What is no secret and
 * has 32 bytes in hex, as a hash, begins with 0x.
 */
const signingSecret = /whsec_(?:[A-Za-z0-9+]|\\*\/){8,}={0,2}|(?<![0-9A-Za-z])[0-9a-f]{64}(?![0-9A-Za-z])/g;

/**
 * Makes the function that cuts out the API key, and every signing secret. A server may repeat the key in an answer: as it is, in another
 * letter case, percent-encoded, or within JSON, also JSON that is a text in other JSON, and so on.
 */
export function redaction(apiKey: string): (text: string) => string {
  // The longer one first, since the other may be a part of it.
  const forms = [encodeURIComponent(apiKey), apiKey].map(escapedAnyTimes);
  const key = apiKey.length < shortestSecret ? undefined : new RegExp(forms.join("|"), "gi");
  return (text) => (key ? text.replace(key, "[API key]") : text).replace(signingSecret, "[signing secret]");
}

/** JSON puts backslashes before some characters, and again each time it is the text of other JSON. */
const escapedAnyTimes = (text: string) =>
  text
    .split(/\\+/)
    .map((part) => [...part].map(literal).join("\\\\*"))
    .join("\\\\+");
const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/** Cuts secrets out of all that leaves the process: answers, errors and what is logged. */

/** Below this length a key cannot be a secret, and cutting it out would tear ordinary words apart. */
const shortestSecret = 8;

/** As the contract's `WebhookSecret` has them. Whoever reads the conversation could forge notifications. */
const signingSecret = /whsec_[A-Za-z0-9+/]{8,}={0,2}/g;

/**
 * Makes the function that cuts out the API key, and every signing secret. A server may repeat the key in an answer: as it is, in another
 * letter case, percent-encoded, or escaped in JSON.
 */
export function redaction(apiKey: string): (text: string) => string {
  const forms = new Set([apiKey, encodeURIComponent(apiKey), JSON.stringify(apiKey).slice(1, -1)]);
  // The longest first, since a shorter form may be a part of it.
  const longestFirst = [...forms].sort((a, b) => b.length - a.length).map(literal);
  const key = apiKey.length < shortestSecret ? undefined : new RegExp(longestFirst.join("|"), "gi");
  return (text) => (key ? text.replace(key, "[API key]") : text).replace(signingSecret, "[signing secret]");
}

const literal = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

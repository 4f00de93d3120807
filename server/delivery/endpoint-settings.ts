/** What a webhook's owner decides about its endpoint: where to send, with which keys, and whether at all. */
import type { EndpointRecord } from "../store/delivery/endpoint-states.ts";
import { type SigningKey, signingKey } from "./signature.ts";

/** A URL and its parts. Parsing it for each notification would cost more than sending. */
export type EndpointTarget = { url: string; origin: string; path: string; hostname: string };

export type EndpointSettings = { target: EndpointTarget; keys: readonly SigningKey[]; isActive: boolean };

export function settingsOf({
  url,
  active,
  secrets,
}: Pick<EndpointRecord, "url" | "active" | "secrets">): EndpointSettings {
  const { origin, pathname, search, hostname } = new URL(url);
  return {
    target: { url, origin, path: pathname + search, hostname: hostname.replace(/^\[|\]$/g, "") },
    keys: secrets.map(({ secret, expiresAt }) => signingKey(secret, expiresAt)),
    isActive: active,
  };
}

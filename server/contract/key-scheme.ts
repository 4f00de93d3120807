/** Where a request carries its API key, as the document's security scheme says. An overlay may have moved it. */
import type { IncomingHttpHeaders } from "node:http";
import { apiKeyHeader } from "../../generated/operations.ts";
import type { Contract, SecurityScheme } from "./contract.ts";

/** How to read the key, and how to say where it belongs. */
export type KeyScheme = {
  header: string;
  /** @returns `""` where the request has none */
  read(headers: IncomingHttpHeaders): string;
  /** The value of `www-authenticate`. */
  challenge: string;
};

/** The scheme of the contract itself. */
export const ownScheme = inHeader(apiKeyHeader);

/** @throws for a scheme that is neither an API key in a header nor a bearer token, and for more than one */
export function keySchemeOf({ components }: Contract): KeyScheme {
  const [scheme, ...others] = Object.values(components.securitySchemes ?? {});
  if (!scheme) return ownScheme;
  if (others.length > 0) throw new Error("The document must have one security scheme.");
  if (scheme.type === "apiKey" && scheme.in === "header" && scheme.name) return inHeader(scheme.name.toLowerCase());
  if (isBearer(scheme)) return bearer;
  throw new Error("The document's security scheme must be an API key in a header, or an HTTP bearer token.");
}

function inHeader(header: string): KeyScheme {
  return {
    header,
    read: (headers) => String(headers[header] ?? ""),
    challenge: `ApiKey header="${header}"`,
  };
}

const isBearer = ({ type, scheme }: SecurityScheme) => type === "http" && scheme?.toLowerCase() === "bearer";

const bearer: KeyScheme = {
  header: "authorization",
  read: ({ authorization = "" }) => /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? "",
  challenge: "Bearer",
};

import { createHash } from "node:crypto";

/** A hash of a body, whatever the order of its fields. */
export function hashOfBody(body: unknown): Buffer {
  return createHash("sha256").update(canonicalJson(body)).digest();
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

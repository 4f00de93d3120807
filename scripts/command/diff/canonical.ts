/** A value as a text that is the same for the same value, so that long lists are compared in one pass. */
import type { Json } from "../../document/json.ts";

/** JSON with the keys of objects in order. */
export function canonical(value: Json | undefined): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

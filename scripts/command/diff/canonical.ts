/** A value as a text that is the same for the same value, so that long lists are compared in one pass. */
import type { Json } from "../../document/json.ts";

const texts = new WeakMap<object, string>();

/** JSON with the keys of objects in order. An object is written once, though a branch may be compared with many. */
export function canonical(value: Json | undefined): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "";
  const text = texts.get(value) ?? written(value);
  texts.set(value, text);
  return text;
}

function written(value: Json): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

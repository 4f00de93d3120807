/** What a later service of /v1 may answer: only additions. A client that was made before should read on. */
import { isObject, type Json } from "../../../scripts/document/json.ts";

/** Every object with a field that the document does not have. */
export function withAddedField(body: Json): Json {
  if (Array.isArray(body)) return body.map(withAddedField);
  if (!isObject(body)) return body;
  const inner = Object.entries(body).map(([key, value]) => [key, withAddedField(value ?? null)]);
  return { ...Object.fromEntries(inner), addedLater: "unknown" };
}

/** Every event type is one that the document does not have. */
export function withAddedValue(body: Json): Json {
  if (Array.isArray(body)) return body.map(withAddedValue);
  if (!isObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      key === "eventType" ? "block_activity" : withAddedValue(value ?? null),
    ]),
  );
}

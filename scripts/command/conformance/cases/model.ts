/** What a webhook's record must be, by the requests that were sent for it. */
import { asArray, asObject, type Json, type JsonObject, same } from "../../../document/json.ts";

/** The maximum number of addresses in a record. */
const shownAddresses = 1_000;

/** The fields of a new webhook's record that its creation decides. */
export function createdBy(body: JsonObject): JsonObject {
  const metadata = asObject(body.metadata);
  const addresses = lowerOnce(asArray(metadata.addresses));
  return {
    url: body.url,
    chainId: body.chainId,
    eventType: body.eventType,
    name: body.name ?? "",
    description: body.description ?? "",
    includeLogs: metadata.includeLogs ?? body.includeLogs ?? false,
    includeInternalTxs: metadata.includeInternalTxs ?? body.includeInternalTxs ?? false,
    status: "active",
    statusReason: "created",
    addressCount: addresses.length,
    metadata: {
      addresses: addresses.slice(0, shownAddresses),
      eventSignatures: lowerOnce(asArray(metadata.eventSignatures)),
    },
  };
}

/** A record after its addresses changed. */
export function withAddresses(record: JsonObject, addresses: readonly string[]): JsonObject {
  const shown = [...addresses].sort().slice(0, shownAddresses);
  const metadata = { ...asObject(record.metadata), addresses: shown };
  return { ...record, metadata, addressCount: addresses.length };
}

/** Texts in lower case, each once, in ascending order. */
export function lowerOnce(texts: readonly Json[]): string[] {
  return [...new Set(texts.map((text) => String(text).toLowerCase()))].sort();
}

/** Where a record differs from what it must be, in the fields given; those of `except` are not compared. */
export function differences(expected: JsonObject, came: JsonObject, except: readonly string[] = []): string[] {
  return Object.keys(expected)
    .filter((name) => !except.includes(name) && !same(comparable(expected[name]), comparable(came[name])))
    .map((name) => `${name}: ${JSON.stringify(expected[name])}`);
}

/** The contract leaves the order of event signatures open. */
function comparable(value: Json | undefined): Json | undefined {
  const { eventSignatures } = asObject(value);
  return Array.isArray(eventSignatures) ? { ...asObject(value), eventSignatures: [...eventSignatures].sort() } : value;
}

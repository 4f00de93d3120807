/** What a webhook's record must be, by the requests that were sent for it. */
import { addressDigest } from "../../../../client/address-digest.ts";
import { compileAbi } from "../../../../server/matching/abi.ts";
import { asArray, asObject, isObject, type Json, type JsonObject, sameJson } from "../../../document/json.ts";

/** The maximum number of addresses in a record. */
const shownAddresses = 1_000;

/** The fields of a new webhook's record that its creation decides. */
export function createdBy(body: JsonObject): JsonObject {
  const given = asObject(body.metadata);
  const { addresses: watched, eventSignatures, includeLogs, includeInternalTxs, ...options } = given;
  const addresses = lowerOnce(asArray(watched));
  const signatures = lowerOnce(asArray(eventSignatures));
  return {
    url: body.url,
    chainId: body.chainId,
    eventType: body.eventType,
    name: body.name ?? "",
    description: body.description ?? "",
    includeLogs: includeLogs ?? body.includeLogs ?? false,
    includeInternalTxs: includeInternalTxs ?? body.includeInternalTxs ?? false,
    status: "active",
    statusReason: "created",
    addressCount: addresses.length,
    addressDigest: addressDigest(addresses),
    finality: body.finality === "instant" ? undefined : body.finality,
    compatibility: body.compatibility,
    delivery: body.delivery === "url" ? undefined : body.delivery,
    ...shownOf({ maxPerSecond: body.maxPerSecond, headers: body.headers }),
    metadata: {
      ...options,
      addresses: addresses.slice(0, shownAddresses),
      eventSignatures: signatures.length > 0 ? signatures : signaturesOf(asArray(options.abi)),
      ...(options.createdBy && { createdBy: inLowerCase(asObject(options.createdBy)) }),
      ...(options.batch && { batch: { maxWaitMs: 0, ...asObject(options.batch) } }),
      ...(body.compatibility && { includeTransfers: true }),
    },
  };
}

/** What a record shows of a request's fields that it does not show as they were given: of headers the names, and of what is none, nothing. */
export function shownOf({ maxPerSecond, headers, ...fields }: JsonObject): JsonObject {
  const names = Object.keys(asObject(headers));
  return {
    ...fields,
    ...(maxPerSecond !== undefined && { maxPerSecond: maxPerSecond || undefined }),
    ...(headers !== undefined && { headerNames: names.length > 0 ? names : undefined }),
  };
}

/** Without signatures of its own, a webhook has those of the events that it decodes. */
function signaturesOf(abi: readonly Json[]): string[] {
  return [...compileAbi(abi as Parameters<typeof compileAbi>[0]).signatures];
}

/** Of a factory, the argument is in lower case anyway. */
function inLowerCase(factory: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(factory).map(([name, value]) => [name, String(value).toLowerCase()]));
}

/** A record after its addresses changed. */
export function withAddresses(record: JsonObject, addresses: readonly string[]): JsonObject {
  const shown = [...addresses].sort().slice(0, shownAddresses);
  const metadata = { ...asObject(record.metadata), addresses: shown };
  return { ...record, metadata, addressCount: addresses.length, addressDigest: addressDigest(addresses) };
}

/** Texts in lower case, each once, in ascending order. */
export function lowerOnce(texts: readonly Json[]): string[] {
  return [...new Set(texts.map((text) => String(text).toLowerCase()))].sort();
}

/** Where a record differs from what it must be, in the fields given; those of `except` are not compared. */
export function differences(expected: JsonObject, came: JsonObject, except: readonly string[] = []): string[] {
  return Object.keys(expected)
    .filter(
      (name) => !except.includes(name) && !sameJson(comparable(expected[name], name), comparable(came[name], name)),
    )
    .map((name) => `${name}: ${JSON.stringify(expected[name])}`);
}

/**
 * What the contract leaves open: the order of a header's names, and of `metadata` the order of event signatures, whether an option that is off
 * is shown, and whether an ABI has each `internalType`.
 */
function comparable(value: Json | undefined, name?: string): Json | undefined {
  if (name === "headerNames" && Array.isArray(value)) return [...value].sort();
  if (!isObject(value)) return value;
  const shown = Object.entries(value).filter(([, one]) => one !== false && one !== undefined);
  const { eventSignatures, abi, headerNames } = value;
  return {
    ...Object.fromEntries(shown),
    ...(abi && { abi: withoutInternalType(abi) }),
    ...(Array.isArray(headerNames) && { headerNames: [...headerNames].sort() }),
    ...(Array.isArray(eventSignatures) && { eventSignatures: [...eventSignatures].sort() }),
  };
}

const withoutInternalType = (abi: Json) =>
  JSON.parse(JSON.stringify(abi, (name, value) => (name === "internalType" ? undefined : value))) as Json;

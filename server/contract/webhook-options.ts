/**
 * Reads what few webhooks have: events to decode by, conditions, any address, batches. What an option needs of the others is said here.
 */
import type { components } from "../../generated/types.ts";
import { AbiFragmentError, readFragment } from "../matching/abi/fragment.ts";
import { compileAbi } from "../matching/abi.ts";
import { type Condition, ConditionError, compileConditions } from "../matching/conditions.ts";
import {
  isReservedHeader,
  isSendableHeader,
  type WebhookHeader,
  type WebhookOptions,
} from "../matching/new-webhook.ts";
import { badRequest } from "./errors.ts";
import { displayName } from "./validation-message.ts";

type WebhookCreate = components["schemas"]["WebhookCreate"];

/** The options of a webhook to create, if it has any, and the signatures that follow from them. */
export type ReadOptions = { options?: WebhookOptions; signatures: readonly string[] };

/** Reads the options of a webhook to create. @throws {HttpError} 400 */
export function readOptions(body: WebhookCreate): ReadOptions {
  const { metadata, finality, compatibility, delivery, maxPerSecond } = body;
  const { includeTransfers, abi, conditions, anyAddress, createdBy, batch, ordered } = metadata;
  if (metadata.addresses === undefined && !anyAddress && !createdBy)
    throw badRequest("metadata.addresses is required.");
  const decoding = abi && readAbi(abi);
  if (conditions) assertConditions(conditions, decoding?.abi);
  if (anyAddress) assertAnyAddress(metadata, decoding?.signatures ?? []);
  if (compatibility && includeTransfers === false)
    throw badRequest("metadata.includeTransfers must be true or absent with compatibility.");
  if (compatibility && batch) throw badRequest("metadata.batch must be absent with compatibility.");
  if (delivery === "feed")
    assertNotForSending({
      ...{ compatibility, maxPerSecond, headers: readHeaders(body.headers).length },
      ...{ "metadata.batch": batch, "metadata.ordered": ordered },
    });
  const options: WebhookOptions = {
    ...((includeTransfers || compatibility) && { includeTransfers: true }),
    ...(decoding && { abi: decoding.abi }),
    ...(conditions && { conditions }),
    ...(anyAddress && { anyAddress }),
    ...(createdBy && { createdBy: lowerCase(createdBy) }),
    ...(batch && { batch: { maxWaitMs: 0, ...batch } }),
    ...(ordered && { ordered }),
    ...(finality !== undefined && finality !== "instant" && { finality }),
    ...(compatibility && { compatibility: "glacier" }),
  };
  return { signatures: decoding?.signatures ?? [], ...(Object.keys(options).length > 0 && { options }) };
}

/** Options that say how to send would change nothing where nothing is sent. @param given by name */
function assertNotForSending(given: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(given))
    if (value) throw badRequest(`${name} must be absent with delivery feed.`);
}

/** In characters, names and values together. Each endpoint in memory has its own. */
const mostCharacters = 4_096;

/**
 * Reads the headers of a webhook to create or to change. The schema has checked names and values; what is written into a request is checked
 * here once more.
 *
 * @throws {HttpError} 400, which names no value
 */
export function readHeaders(headers: components["schemas"]["HeadersInput"] | undefined): readonly WebhookHeader[] {
  const read = Object.entries(headers ?? {});
  const byName = new Map<string, string>();
  for (const [name, value] of read) {
    const field = `headers.${displayName(name)}`;
    const key = name.toLowerCase();
    const same = byName.get(key);
    byName.set(key, name);
    if (isReservedHeader(name))
      throw badRequest(`${field} must be absent: the service sends it itself, or HTTP needs it.`);
    if (!isSendableHeader([name, value])) throw badRequest(`${field} must be a header's name and value.`);
    if (same !== undefined) throw badRequest(`${field} must be absent where headers.${displayName(same)} is given.`);
  }
  if (read.reduce((sum, [name, value]) => sum + name.length + value.length, 0) > mostCharacters)
    throw badRequest(`headers must have at most ${mostCharacters} characters in names and values together.`);
  return read;
}

/** Without any of this, a webhook would match every transaction of the chain. */
function assertAnyAddress(
  { addresses, createdBy, eventSignatures = [], conditions }: WebhookCreate["metadata"],
  signatures: readonly string[],
): void {
  if (addresses) throw badRequest("metadata.addresses must be absent with metadata.anyAddress.");
  if (createdBy) throw badRequest("metadata.createdBy must be absent with metadata.anyAddress.");
  if (eventSignatures.length + signatures.length === 0 && !conditions)
    throw badRequest(
      "metadata.eventSignatures, metadata.abi or metadata.conditions is required with metadata.anyAddress.",
    );
  // Every address would be a watched one.
  const path = conditions && pathOfDirection(conditions);
  if (path !== undefined)
    throw badRequest(`metadata.conditions.${path} must not be transfer.direction with metadata.anyAddress.`);
}

function pathOfDirection({ all, any, not, field }: Condition): string | undefined {
  if (field === "transfer.direction") return "field";
  if (not) return inside("not", pathOfDirection(not));
  for (const [index, one] of (all ?? any ?? []).entries()) {
    const path = pathOfDirection(one);
    if (path !== undefined) return inside(`${all ? "all" : "any"}.${index}`, path);
  }
  return undefined;
}

const inside = (name: string, path: string | undefined) => path && `${name}.${path}`;

function lowerCase({ address, eventSignature, argument }: components["schemas"]["CreatedByInput"]) {
  return { address: address.toLowerCase(), eventSignature: eventSignature.toLowerCase(), argument };
}

type AbiEvent = components["schemas"]["AbiEventInput"];
type AbiParameter = components["schemas"]["AbiParameterInput"];

/** A record shows them, a page shows a hundred records, and each block that concerns the webhook reads them. */
const mostBytes = 32_768;

/** Reads events in JSON ABI form. @returns them without what nobody uses, and the hashes of their signatures @throws {HttpError} 400 */
export function readAbi(abi: readonly AbiEvent[]): { abi: AbiEvent[]; signatures: readonly string[] } {
  const kept = abi.map((event) => ({ ...event, inputs: event.inputs.map(withoutInternalType) }));
  const { signatures } = compiled(kept);
  assertFewForms(kept);
  if (Buffer.byteLength(JSON.stringify(kept)) > mostBytes)
    throw badRequest(`metadata.abi must have at most ${mostBytes / 1024} KiB as JSON without each internalType.`);
  return { abi: kept, signatures };
}

/** A log is tried by each form of its signature that has as many indexed arguments. ERC-20 and ERC-721 make two. */
const mostForms = 8;

/** @throws {HttpError} 400 */
function assertFewForms(abi: readonly AbiEvent[]): void {
  const forms = new Map<string, Set<string>>();
  for (const [index, { topic0, signature, types }] of abi.map(readFragment).entries()) {
    const known = forms.get(topic0) ?? new Set();
    forms.set(topic0, known.add(types));
    if (known.size > mostForms)
      throw badRequest(
        `metadata.abi.${index}.inputs must be indexed as in an event before it: of ${signature} there are ${mostForms} forms already.`,
      );
  }
}

function compiled(abi: AbiEvent[]) {
  try {
    return compileAbi(abi);
  } catch (error) {
    if (error instanceof AbiFragmentError) throw badRequest(`metadata.abi.${error.path} ${error.reason}.`);
    throw error;
  }
}

function withoutInternalType({ internalType: _, components: members, ...parameter }: AbiParameter): AbiParameter {
  return { ...parameter, ...(members && { components: members.map(withoutInternalType) }) };
}

/** @param abi checked @throws {HttpError} 400 */
export function assertConditions(conditions: Condition, abi: WebhookOptions["abi"]): void {
  try {
    compileConditions(conditions, abi && compileAbi(abi));
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    const path = ["metadata.conditions", error.path].filter((name) => name !== "").join(".");
    throw badRequest(`${displayName(path)} ${error.reason}.`);
  }
}

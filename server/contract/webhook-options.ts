/**
 * Reads what few webhooks have: events to decode by, conditions, any address, batches. What an option needs of the others is said here.
 */
import type { components } from "../../generated/types.ts";
import { AbiFragmentError, readFragment } from "../matching/abi/fragment.ts";
import { compileAbi } from "../matching/abi.ts";
import { type Condition, ConditionError, compileConditions } from "../matching/conditions.ts";
import type { WebhookOptions } from "../matching/new-webhook.ts";
import { badRequest } from "./errors.ts";
import { displayName } from "./validation-message.ts";

type WebhookCreate = components["schemas"]["WebhookCreate"];

/** The options of a webhook to create, if it has any, and the signatures that follow from them. */
export type ReadOptions = { options?: WebhookOptions; signatures: readonly string[] };

/** Reads the options of a webhook to create. @throws {HttpError} 400 */
export function readOptions({ metadata, finality, compatibility }: WebhookCreate): ReadOptions {
  const { includeTransfers, abi, conditions, anyAddress, createdBy, batch, ordered } = metadata;
  if (metadata.addresses === undefined && !anyAddress && !createdBy)
    throw badRequest("metadata.addresses is required.");
  const decoding = abi && readAbi(abi);
  if (conditions) assertConditions(conditions, decoding?.abi);
  if (anyAddress) assertAnyAddress(metadata, decoding?.signatures ?? []);
  if (compatibility && includeTransfers === false)
    throw badRequest("metadata.includeTransfers must be true or absent with compatibility.");
  if (compatibility && batch) throw badRequest("metadata.batch must be absent with compatibility.");
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

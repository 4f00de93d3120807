/** Reads what few webhooks have: each option's check is in a file of `options/`, and what it needs of the others is said here. */
import type { components } from "../../generated/types.ts";
import type { Condition } from "../matching/conditions.ts";
import type { WebhookOptions } from "../matching/new-webhook.ts";
import { readAbi } from "./abi-input.ts";
import { assertConditions } from "./conditions-input.ts";
import { badRequest } from "./errors.ts";

type WebhookCreate = components["schemas"]["WebhookCreate"];

/** The options of a webhook to create, if it has any, and the signatures that follow from them. */
export type ReadOptions = { options?: WebhookOptions; signatures: readonly string[] };

/** Reads the options of a webhook to create. @throws {HttpError} 400 */
export function readOptions({ metadata, finality }: WebhookCreate): ReadOptions {
  const { includeTransfers, abi, conditions, anyAddress, createdBy, batch, ordered } = metadata;
  if (metadata.addresses === undefined && !anyAddress && !createdBy)
    throw badRequest("metadata.addresses is required.");
  const decoding = abi && readAbi(abi);
  if (conditions) assertConditions(conditions, decoding?.abi);
  if (anyAddress) assertAnyAddress(metadata, decoding?.signatures ?? []);
  const options: WebhookOptions = {
    ...(includeTransfers && { includeTransfers }),
    ...(decoding && { abi: decoding.abi }),
    ...(conditions && { conditions }),
    ...(anyAddress && { anyAddress }),
    ...(createdBy && { createdBy: lowerCase(createdBy) }),
    ...(batch && { batch: { maxWaitMs: 0, ...batch } }),
    ...(ordered && { ordered }),
    ...(finality !== undefined && finality !== "instant" && { finality }),
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

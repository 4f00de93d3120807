/** Reads what few webhooks have: each option's check is in a file of `options/`, and what it needs of the others is said here. */
import type { components } from "../../generated/types.ts";
import type { WebhookOptions } from "../new-webhook.ts";
import { readAbi } from "./abi-input.ts";
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

function lowerCase({ address, eventSignature, argument }: components["schemas"]["CreatedByInput"]) {
  return { address: address.toLowerCase(), eventSignature: eventSignature.toLowerCase(), argument };
}

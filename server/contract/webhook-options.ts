/** Reads what few webhooks have: each option's check is in a file of `options/`, and what it needs of the others is said here. */
import type { components } from "../../generated/types.ts";
import type { WebhookOptions } from "../new-webhook.ts";
import { badRequest } from "./errors.ts";

type WebhookCreate = components["schemas"]["WebhookCreate"];

/** Reads the options of a webhook to create. @returns undefined if it has none @throws {HttpError} 400 */
export function readOptions({ metadata, finality }: WebhookCreate): WebhookOptions | undefined {
  const { includeTransfers, abi, conditions, anyAddress, createdBy, batch, ordered } = metadata;
  if (metadata.addresses === undefined && !anyAddress && !createdBy)
    throw badRequest("metadata.addresses is required.");
  const options: WebhookOptions = {
    ...(includeTransfers && { includeTransfers }),
    ...(abi && { abi }),
    ...(conditions && { conditions }),
    ...(anyAddress && { anyAddress }),
    ...(createdBy && { createdBy: lowerCase(createdBy) }),
    ...(batch && { batch: { maxWaitMs: 0, ...batch } }),
    ...(ordered && { ordered }),
    ...(finality !== undefined && finality !== "instant" && { finality }),
  };
  return Object.keys(options).length > 0 ? options : undefined;
}

function lowerCase({ address, eventSignature, argument }: components["schemas"]["CreatedByInput"]) {
  return { address: address.toLowerCase(), eventSignature: eventSignature.toLowerCase(), argument };
}

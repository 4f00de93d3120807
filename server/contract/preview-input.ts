/** What the contract says of a preview in words, beyond its schemas. */
import type { components } from "../../generated/types.ts";
import type { NewWebhook } from "../matching/new-webhook.ts";
import { badRequest } from "./errors.ts";
import { readNewWebhook, type WebhookPolicy } from "./webhook-input.ts";

/** What to look at. The hash is in lower case. */
export type PreviewedPlace = { txHash: string } | { blockNumber: string };

/** A preview asks for a webhook that is not created. */
type PreviewRequest = { webhook: NewWebhook; place: PreviewedPlace };

/** A preview sends nothing, so it needs neither. */
const unused = { url: "https://example.com/", eventType: "address_activity" } as const;

/** Reads a preview. What creation refuses, it refuses too. @throws {HttpError} 400 */
export async function readPreview(
  { txHash, blockNumber, ...webhook }: components["schemas"]["PreviewInput"],
  policy: WebhookPolicy,
): Promise<PreviewRequest> {
  const place = placeOf(txHash, blockNumber);
  return { webhook: await readNewWebhook({ ...unused, ...webhook }, policy), place };
}

function placeOf(txHash: string | undefined, blockNumber: string | undefined): PreviewedPlace {
  if (txHash !== undefined && blockNumber !== undefined)
    throw badRequest("blockNumber must be left out where txHash is given.");
  if (txHash !== undefined) return { txHash: txHash.toLowerCase() };
  if (blockNumber === undefined) throw badRequest("txHash or blockNumber is required.");
  return { blockNumber };
}

/** The error for a transaction that the chain does not have. */
export const unknownTransaction = (chainId: string) =>
  badRequest(`txHash must be the hash of a transaction on chain ${chainId}.`);

/** The error for a block that the chain does not have. */
export const unknownBlock = (chainId: string) =>
  badRequest(`blockNumber must be the number of a block that chain ${chainId} has.`);

/** The error for a transaction that cannot be previewed yet. */
export const pendingTransaction = () =>
  badRequest("txHash must be that of a transaction in a block; it is in none yet.");

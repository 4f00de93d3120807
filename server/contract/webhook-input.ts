/** What the contract says of a webhook's fields in words, beyond what its schemas can. */
import type { components } from "../../generated/types.ts";
import type { NewWebhook, WebhookChange } from "../store/webhooks/record.ts";
import { lowerCaseOnce, readAddresses } from "./address-input.ts";
import { badRequest } from "./errors.ts";
import type { Served, ServedChain } from "./served-chains.ts";
import { assertTargetUrl } from "./target-url.ts";

type WebhookCreate = components["schemas"]["WebhookCreate"];

/** Reads a webhook to create. @throws {HttpError} 400 */
export async function readNewWebhook(body: WebhookCreate, context: Served): Promise<NewWebhook> {
  const { url, chainId, eventType, metadata, name = "", description = "" } = body;
  const includeInternalTxs = oneBoolean(body, "includeInternalTxs");
  const includeLogs = oneBoolean(body, "includeLogs");
  const chain = context.chains.find((served) => served.chainId === chainId);
  if (!chain) {
    const served = context.chains.map((one) => one.chainId).join(", ");
    throw badRequest(`chainId must be one of the chains served: ${served}.`);
  }
  if (includeInternalTxs) assertTraces(chain);
  assertTargetUrl(url, context);
  const addresses = await readAddresses(metadata.addresses, "metadata.addresses");
  const eventSignatures = lowerCaseOnce(metadata.eventSignatures ?? []);
  return { url, chainId, eventType, name, description, includeInternalTxs, includeLogs, addresses, eventSignatures };
}

/** Checks a change of a webhook that is on this chain; undefined where it is served no longer. @throws {HttpError} 400 */
export function assertChange(change: WebhookChange, chain: ServedChain | undefined, context: Served): void {
  if (change.includeInternalTxs) assertTraces(chain);
  if (change.url !== undefined) assertTargetUrl(change.url, context);
}

/** The booleans may stand in `metadata`, beside it, or in both places, where they must agree. */
function oneBoolean(body: WebhookCreate, field: "includeInternalTxs" | "includeLogs"): boolean {
  const inside = body.metadata[field];
  const beside = body[field];
  if (inside !== undefined && beside !== undefined && inside !== beside)
    throw badRequest(`${field} must be the same as metadata.${field} where both are given.`);
  return inside ?? beside ?? false;
}

function assertTraces(chain: ServedChain | undefined): void {
  if (!chain?.traces) throw badRequest("includeInternalTxs must be false on a chain without traces.");
}

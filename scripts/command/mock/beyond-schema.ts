/** What the contract says of requests in words, beyond its schemas: the service's own checks, as far as they need no state. */
import type { components } from "../../../generated/types.ts";
import { parseAddressPageToken, parseWebhookPageToken } from "../../../server/api/handlers/page-token.ts";
import { readAddresses } from "../../../server/contract/address-input.ts";
import {
  assertChange,
  readNewWebhook,
  readPreview,
  type SupportedChain,
  type WebhookPolicy,
} from "../../../server/contract/webhook-input.ts";

type Schemas = components["schemas"];

/** A request that the schemas allow. */
export type CheckedRequest = { body: unknown; query: { pageToken?: string } };

/** By operationId; operations without such words are absent. */
const checks: Readonly<Record<string, (request: CheckedRequest) => unknown>> = {
  createWebhook: ({ body }) => readNewWebhook(body as Schemas["WebhookCreate"], policy((body as ChainOf).chainId)),
  previewWebhook: ({ body }) => readPreview(body as Schemas["PreviewInput"], policy((body as ChainOf).chainId)),
  updateWebhook: ({ body }) => assertChange(body as Schemas["WebhookUpdate"], anyWebhook, policy("")),
  addWebhookAddresses: ({ body }) => readAddresses((body as Schemas["AddressAdditionInput"]).addresses, "addresses"),
  removeWebhookAddresses: ({ body }) => readAddresses((body as Schemas["AddressListInput"]).addresses, "addresses"),
  listWebhooks: ({ query }) => parseWebhookPageToken(query.pageToken),
  listWebhookAddresses: ({ query }) => parseAddressPageToken(query.pageToken),
};

/** @throws HttpError 400 that names the field */
export async function checkBeyondSchema(operationId: string, request: CheckedRequest): Promise<void> {
  await checks[operationId]?.(request);
}

type ChainOf = { chainId: string };

/** A mock cannot know an operator's chains, so it supports every one, with traces and final blocks. */
function policy(chainId: string): WebhookPolicy {
  return { chains: [anyChain(chainId)], allowPrivateTargets: true };
}

const anyWebhook = { chainId: "", url: "" };

const anyChain = (chainId: string): SupportedChain => ({ chainId, name: "", traces: true, finality: "finalized" });

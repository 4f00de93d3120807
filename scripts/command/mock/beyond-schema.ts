/** What the contract says of requests in words, which its schemas cannot: the service's own checks, as far as they need no state. */
import type { components } from "../../../generated/types.ts";
import { parseAddressPageToken, parseWebhookPageToken } from "../../../server/api/page-token.ts";
import { readAddresses } from "../../../server/contract/address-input.ts";
import type { Served } from "../../../server/contract/served-chains.ts";
import { assertChange, readNewWebhook } from "../../../server/contract/webhook-input.ts";

type Schemas = components["schemas"];

/** A request that is as the schemas say. */
export type CheckedRequest = { body: unknown; query: { pageToken?: string } };

/** By operationId; operations without such words are absent. */
const checks: Readonly<Record<string, (request: CheckedRequest) => unknown>> = {
  createWebhook: ({ body }) => readNewWebhook(body as Schemas["WebhookCreate"], context((body as ChainOf).chainId)),
  updateWebhook: ({ body }) => assertChange(body as Schemas["WebhookUpdate"], anyChain(""), context("")),
  addWebhookAddresses: ({ body }) => readAddresses((body as Schemas["AddressListInput"]).addresses, "addresses"),
  removeWebhookAddresses: ({ body }) => readAddresses((body as Schemas["AddressListInput"]).addresses, "addresses"),
  listWebhooks: ({ query }) => parseWebhookPageToken(query.pageToken),
  listWebhookAddresses: ({ query }) => parseAddressPageToken(query.pageToken),
};

/** @throws HttpError 400 that names the field */
export async function checkBeyondSchema(operationId: string, request: CheckedRequest): Promise<void> {
  await checks[operationId]?.(request);
}

type ChainOf = { chainId: string };

/** A mock cannot know which chains an operator serves, so it takes every one to be served, with traces. */
function context(chainId: string): Served {
  return { chains: [anyChain(chainId)], allowPrivateTargets: true };
}

const anyChain = (chainId: string) => ({ chainId, name: "", traces: true });

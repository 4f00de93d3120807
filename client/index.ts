/**
 * The client of the webhook service, for Node, browsers and edge runtimes: one method for each operation of the
 * contract, one error type, and retries where they are safe.
 */
import { operationTable } from "../generated/operations.ts";
import { backOff } from "./deadline.ts";
import { WebhooksError } from "./errors.ts";
import { createExchange } from "./exchange.ts";
import { followNotifications } from "./feed.ts";
import { checkOptions, type WebhooksClientOptions } from "./options.ts";
import { followPages } from "./pages.ts";
import { type AnyCall, prepareRequest } from "./request.ts";
import { mayRetry, retryDelayMs } from "./retry.ts";
import { syncAddresses } from "./sync-addresses.ts";
import type { FollowFeedOptions, OperationName, SyncAddressesOptions, WebhooksClient } from "./types.ts";

export { addressDigest } from "./address-digest.ts";
export { WebhooksError, type WebhooksErrorCode } from "./errors.ts";
export type { WebhooksClientOptions } from "./options.ts";
export { type FollowReplayOptions, followReplay } from "./replays.ts";
export type {
  ApiError,
  FeedNotification,
  FollowFeedOptions,
  OperationArguments,
  OperationCall,
  OperationName,
  OperationResult,
  PagedOperation,
  SyncAddressesOptions,
  SyncReport,
  WebhooksClient,
} from "./types.ts";

/**
 * Makes a client. Each of its methods is named by an operationId, takes `{ path, query, headers, body, signal }` as the
 * operation has them, and resolves with the JSON body of the 2xx answer.
 *
 * A call is tried up to `maxRetries` times more after a 429, and, where sending it twice does no more than sending it
 * once (GET, PATCH, and POST with an `Idempotency-Key`, which is made when not given), after a 502, a 503, a time-out or a
 * network error. Between tries it waits as long as `Retry-After` says, or 0.25 to 0.5 s, then twice that, and so on; a
 * `Retry-After` of more than 30 s ends the call, and the error has it.
 * @throws TypeError when an option is wrong. Its methods throw `WebhooksError`, and nothing else.
 * @example
 * const client = createWebhooksClient({ baseUrl: "https://webhooks.example.com", apiKey });
 * const webhook = await client.createWebhook({
 *   body: {
 *     url: "https://example.com/hooks/transfers",
 *     chainId: "43114",
 *     eventType: "address_activity",
 *     metadata: { addresses: ["0x5425890298aed601595a70ab815c96711a31bc65"] },
 *   },
 * });
 * const { secret } = await client.getWebhookSecret({ path: { id: webhook.id } });
 */
export function createWebhooksClient(options: WebhooksClientOptions): WebhooksClient {
  const settings = checkOptions(options);
  const exchange = createExchange(settings);

  async function call(operation: OperationName, given: AnyCall = {}): Promise<unknown> {
    const { signal } = given;
    const request = prepareRequest(operation, given);
    for (let retry = 0; ; retry++) {
      try {
        return await exchange(request, signal);
      } catch (error) {
        if (!(error instanceof WebhooksError) || retry >= settings.maxRetries || !mayRetry(request, error)) throw error;
        const delayMs = retryDelayMs(retry, error.retryAfterSeconds);
        if (delayMs === undefined) throw error;
        await backOff(operation, delayMs, signal);
      }
    }
  }

  const names = Object.keys(operationTable) as OperationName[];
  const methods = names.map((name) => [name, (given?: AnyCall) => call(name, given)]);
  const pages = (name: OperationName, given: AnyCall = {}) => followPages(name, given, (each) => call(name, each));
  const followFeed = (id: string, given: FollowFeedOptions = {}) =>
    followNotifications((each) => client.readFeed(each), id, given, settings.timeoutMs);
  const sync = (id: string, addresses: Iterable<string>, given: SyncAddressesOptions = {}) =>
    syncAddresses(client, id, addresses, given);
  // The one place where run time and types meet: both are made from the same table.
  const client = Object.fromEntries([
    ...methods,
    ["pages", pages],
    ["followFeed", followFeed],
    ["syncAddresses", sync],
  ]) as WebhooksClient;
  return client;
}

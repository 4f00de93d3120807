/** Follows a list from page to page. */
import { WebhooksError } from "./errors.ts";
import type { AnyCall } from "./request.ts";
import type { OperationName } from "./types.ts";

/**
 * The pages of a list, until one comes without a `nextPageToken`.
 * @param fetchPage makes one request of the operation.
 * @throws WebhooksError `invalid_response` when a token comes a second time, which would go on for ever.
 */
export async function* followPages(
  operation: OperationName,
  call: AnyCall,
  fetchPage: (call: AnyCall) => Promise<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  const seen = new Set([call.query?.pageToken]);
  let query = call.query;
  for (;;) {
    const page = await fetchPage(query ? { ...call, query } : call);
    yield page;
    const token = (page as { nextPageToken?: unknown }).nextPageToken;
    if (typeof token !== "string" || token === "") return;
    if (seen.has(token)) {
      throw new WebhooksError(
        `${operation} failed: the service returned the same page token twice, so its pages have no end.`,
        {
          code: "invalid_response",
          operation,
        },
      );
    }
    seen.add(token);
    query = { ...call.query, pageToken: token };
  }
}

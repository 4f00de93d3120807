/** What Prism's answers need to be consistent in themselves. */
import type { PrismAnswer } from "./prism.ts";

type Page = { nextPageToken?: string } & Record<string, unknown>;

/**
 * Makes an answer fit its request: a list has no more items than asked for, and the page behind the first is the last and
 * empty, so that following the pages ends; `Location` is that of the record in the body.
 */
export function fitToRequest(
  { statusCode, headers = {}, body }: PrismAnswer,
  query: { pageToken?: string; pageSize?: number },
) {
  const { Location, ...others } = withoutType(headers);
  const id = (body as { id?: unknown } | undefined)?.id;
  const location =
    Location === undefined ? {} : { Location: typeof id === "string" ? Location.replace(/[^/]*$/, id) : Location };
  const key = statusCode === 401 ? { "www-authenticate": 'ApiKey header="x-service-api-key"' } : {};
  return {
    status: statusCode,
    headers: { ...others, ...location, ...key },
    body:
      query.pageSize === undefined || statusCode >= 300
        ? body
        : page(body as Page, { ...query, pageSize: query.pageSize }),
  };
}

function page(
  { nextPageToken, ...whole }: Page,
  { pageToken, pageSize }: { pageToken?: string; pageSize: number },
): Page {
  const items = pageToken === undefined ? pageSize : 0;
  const cut = Object.entries(whole).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.slice(0, items) : value,
  ]);
  return {
    ...Object.fromEntries(cut),
    ...(pageToken === undefined && nextPageToken !== undefined && { nextPageToken }),
  };
}

/** Express writes the content type, with its charset. */
function withoutType(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== "content-type"));
}

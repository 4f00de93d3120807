/** Pages of a list, and the error for what does not exist. */
import { HttpError } from "chain-webhooks/server";

/** @returns a page, and the token for the next one, which is the key of its last item */
export function page<Name extends string, T>(
  name: Name,
  all: T[],
  keyOf: (one: T) => string,
  { pageToken, pageSize }: { pageToken?: string; pageSize: number },
): Record<Name, T[]> & { nextPageToken?: string } {
  const start = pageToken === undefined ? 0 : all.findIndex((one) => keyOf(one) === pageToken) + 1;
  if (pageToken !== undefined && start === 0)
    throw new HttpError(400, "pageToken must be the nextPageToken of the page before.");
  const items = all.slice(start, start + pageSize);
  const last = start + pageSize < all.length ? items.at(-1) : undefined;
  const next = last === undefined ? {} : { nextPageToken: keyOf(last) };
  return { [name]: items, ...next } as Record<Name, T[]> & { nextPageToken?: string };
}

export function missing(what: string): never {
  throw new HttpError(404, `There is no such ${what}.`);
}

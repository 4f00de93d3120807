/** Walking through the pages of a list, and what holds for every list. */
import type { OperationId } from "../../../../generated/operations.ts";
import { asArray, asObject, type JsonObject } from "../../../document/json.ts";
import { describedParameters, followed } from "../contract.ts";
import type { RecordedExchange } from "../exchange.ts";
import type { Probe } from "../probe.ts";

// Beyond this a list of someone's account is not walked through; ours come first.
const mostPages = 300;
const mostTries = 5;

/** A walk: every page, and whether it came to the end. */
type Walk = { pages: RecordedExchange[]; ended: boolean };

/** Follows nextPageToken. It stops when `until` says so, and reports a finding when a token is repeated. */
export async function walk(
  probe: Probe,
  operation: OperationId,
  {
    path = {},
    pageSize,
    query = {},
    until = () => false,
  }: {
    path?: Record<string, string>;
    pageSize: number;
    query?: Record<string, string>;
    until?: (pages: readonly RecordedExchange[]) => boolean;
  },
): Promise<Walk> {
  const pages: RecordedExchange[] = [];
  const tokens = new Set<string>();
  let token = "";
  while (pages.length < mostPages) {
    const page = await probe.send(operation, {
      path,
      query: { ...query, pageSize, ...(token && { pageToken: token }) },
    });
    if (!probe.status(page, "status-expected", 200)) return { pages, ended: false };
    pages.push(page);
    if (until(pages)) return { pages, ended: false };
    token = String(asObject(page.json).nextPageToken ?? "");
    if (token === "") return { pages, ended: true };
    if (!probe.check(page, "pagination-ends", !tokens.has(token), "a nextPageToken that was not there before, or none"))
      return { pages, ended: false };
    tokens.add(token);
  }
  return { pages, ended: false };
}

/** Checks what holds for the pages of every list. */
export function checkPages(
  probe: Probe,
  { pages, ended }: Walk,
  { items, pageSize, wanted }: { items: (body: JsonObject) => string[]; pageSize: number; wanted: readonly string[] },
): string[] {
  const seen = new Set<string>();
  for (const page of pages) {
    const here = items(asObject(page.json));
    probe.check(
      page,
      "pagination-page-size",
      here.length <= pageSize,
      `at most ${pageSize} items`,
      `${here.length} items`,
    );
    const again = here.find((item) => seen.has(item));
    probe.check(page, "pagination-no-repeat", again === undefined, "items of no page before", `again ${again}`);
    for (const item of here) seen.add(item);
  }
  const last = pages.at(-1);
  const missing = wanted.filter((item) => !seen.has(item));
  if (last && ended)
    probe.check(
      last,
      "pagination-complete",
      missing.length === 0,
      `${wanted.length} items`,
      `no ${missing.join(", ")}`,
    );
  return [...seen];
}

/**
 * Examines a list that others may change meanwhile. What one walk finds counts only if the next one finds something too and has seen
 * the same items.
 *
 * @param examine walks through the list, and returns the items that it saw
 */
export async function examineShared(
  probe: Probe,
  what: string,
  examine: (probe: Probe) => Promise<readonly string[]>,
): Promise<void> {
  let before: string | undefined;
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const { draft, findings } = probe.fork();
    const seen = (await examine(draft)).toSorted().join(" ");
    if (findings.length === 0) return;
    if (seen === before) return findings.forEach(probe.add);
    before = seen;
  }
  probe.note(`${what}: others changed the list during each of ${mostTries} walks through it.`);
}

/** Without pageSize, a page must be as long as with the default. @param operation one with more items than that */
export async function checkDefaultSize(
  probe: Probe,
  operation: OperationId,
  { path = {}, items }: { path?: Record<string, string>; items: string },
): Promise<void> {
  const parameter = describedParameters(operation).find(({ name }) => name === "pageSize");
  const stated = Number(followed(parameter?.schema).default);
  const [bare, explicit] = await Promise.all([
    probe.send(operation, { path }),
    probe.send(operation, { path, query: { pageSize: stated } }),
  ]);
  if (bare.status !== 200 || explicit.status !== 200) return;
  const count = (page: RecordedExchange) => asArray(asObject(page.json)[items]).length;
  const expected = `${count(explicit)} items without a pageSize, as with pageSize=${stated}`;
  const came = `${count(bare)} items`;
  probe.check(bare, "pagination-default-size", count(bare) === count(explicit), expected, came);
}

/** The steps on lists: webhooks, page by page, and the addresses of one, changed and listed. */
import { asArray, asObject, type JsonObject } from "../../../../document/json.ts";
import { checkPages, walk } from "../../checks/pages.ts";
import { idOf, itemsOf, type Probe } from "../../probe.ts";
import { lowerOnce, withAddresses } from "../model.ts";
import type { Step } from "../steps.ts";
import { type CaseState, compareKnown, type Known, succeeded } from "./known.ts";

/** Adds addresses or removes them. */
export async function changeAddresses(
  { probe }: CaseState,
  known: Known,
  how: "add" | "remove",
  given: string[],
): Promise<void> {
  const operation = how === "add" ? "addWebhookAddresses" : "removeWebhookAddresses";
  const answer = await probe.send(operation, { path: { id: known.id }, body: { addresses: given } });
  if (!succeeded(probe, answer)) return;
  const before = known.addresses.size;
  for (const address of lowerOnce(given))
    how === "add" ? known.addresses.add(address) : known.addresses.delete(address);
  const totalAddresses = known.addresses.size;
  const counts = { changed: Math.abs(totalAddresses - before), totalAddresses };
  known.record = withAddresses(known.record, [...known.addresses]);
  const came = asObject(answer.json);
  compareKnown(probe, answer, "addresses-count-once", counts, came);
  // Where the answer has the record, too.
  const { effectiveFromBlock: _, ...record } = known.record;
  if (came.id !== undefined) compareKnown(probe, answer, "reads-as-written", record, came);
}

/** Lists the webhooks. */
export async function list(
  { probe, world, live, gone }: CaseState,
  { status, pageSize }: Step & { do: "list" },
): Promise<void> {
  const size = world.crowded ? 100 : pageSize;
  const query: Record<string, string> = status === undefined ? {} : { status };
  const walked = await walkOf(probe, "listWebhooks", { query, pageSize: size });
  const wanted = live.filter(({ record }) => status === undefined || record.status === status);
  checkPages(probe, walked, {
    items: (body) => itemsOf(body, "webhooks").map(idOf),
    pageSize: size ?? 10,
    wanted: wanted.map(({ id }) => id),
  });
  const times: number[] = [];
  for (const page of walked.pages)
    for (const item of itemsOf(asObject(page.json), "webhooks")) {
      const known = live.find(({ id }) => id === item.id);
      if (known) compareKnown(probe, page, "reads-as-written", known.record, item);
      const fits = status === undefined || item.status === status;
      probe.check(page, "list-by-status", fits, `only webhooks of the status ${status}`);
      const isGone = gone.some(({ id }) => id === item.id);
      probe.check(page, "deleted-is-gone", !isGone, `a list without ${item.id}`);
      const descending = Number(item.createdAt) <= (times.at(-1) ?? Number.POSITIVE_INFINITY);
      probe.check(page, "list-newest-first", descending, "createdAt descending");
      times.push(Number(item.createdAt));
    }
}

/** Without a page size only the first page, which has the default one. */
async function walkOf(
  probe: Probe,
  operation: "listWebhooks" | "listWebhookAddresses",
  {
    pageSize,
    ...call
  }: { path?: Record<string, string>; query?: Record<string, string>; pageSize: number | undefined },
): ReturnType<typeof walk> {
  if (pageSize !== undefined) return walk(probe, operation, { ...call, pageSize });
  const page = await probe.send(operation, call);
  const pages = succeeded(probe, page) ? [page] : [];
  return { pages, ended: pages.length > 0 && !asObject(page.json).nextPageToken };
}

/** Lists the addresses of a webhook. */
export async function takeAddressList({ probe }: CaseState, known: Known, pageSize: number | undefined): Promise<void> {
  const walked = await walkOf(probe, "listWebhookAddresses", { path: { id: known.id }, pageSize });
  const wanted = [...known.addresses].sort();
  const items = (body: JsonObject) => asArray(body.addresses).map(String);
  const seen = checkPages(probe, walked, { items, pageSize: pageSize ?? 100, wanted });
  const last = walked.pages.at(-1);
  if (!last || !walked.ended) return;
  const more = seen.filter((address) => !known.addresses.has(address));
  probe.check(
    last,
    "addresses-removed",
    more.length === 0,
    "only addresses that were added and not removed",
    more.join(", "),
  );
  const isEmpty = walked.pages.length > 1 && items(asObject(last.json)).length === 0;
  probe.check(last, "pagination-ends", !isEmpty, "no nextPageToken on the page that has the last addresses");
  const ascending = seen.every((address, index) => index === 0 || String(seen[index - 1]) < address);
  probe.check(last, "addresses-ascending", ascending, "addresses in ascending order");
  for (const page of walked.pages) {
    const { totalAddresses } = asObject(page.json);
    probe.check(page, "addresses-count-once", totalAddresses === wanted.length, `totalAddresses: ${wanted.length}`);
  }
}

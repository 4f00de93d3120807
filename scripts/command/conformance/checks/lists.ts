/** The list of webhooks: in pages, the newest first, by status. Others may create and delete webhooks of the account meanwhile. */
import { asArray, asObject, type JsonObject } from "../../../document/json.ts";
import { examine } from "../examine.ts";
import type { RecordedExchange } from "../exchange.ts";
import { idOf, itemsOf, type Probe } from "../probe.ts";
import { sameRecord } from "../records.ts";
import { allSettledOf } from "../together.ts";
import { checkDefaultSize, checkPages, examineShared, walk } from "./pages.ts";

// Twelve: more than a page has by default. Those of a round are created side by side, so that only rounds have an order.
const rounds = 3;
const inARound = 4;
// More than a webhook's share of a page of a hundred, and fewer than of a page of ten.
const manyAddresses = Array.from({ length: 150 }, (_, n) => `0x${(n + 1).toString(16).padStart(40, "0")}`);
const idsOf = (body: JsonObject) => itemsOf(body, "webhooks").map(idOf);

/** Creates webhooks, pauses half of them, and lists them. */
export async function checkLists(probe: Probe): Promise<void> {
  const created: string[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const metadata = { addresses: round === 0 ? manyAddresses : [probe.target.address] };
    const records = await allSettledOf(Array.from({ length: inARound }, () => () => probe.create({ metadata })));
    if (records.some((record) => record === undefined)) return;
    created.push(records.map((record) => idOf(record ?? {})));
  }
  const ids = created.flat();
  const paused = ids.filter((_, index) => index % 2 === 0);
  const pause = (id: string) =>
    probe.succeed("updateWebhook", { path: { id }, body: { status: "inactive", name: "Paused" } });
  await allSettledOf(paused.map((id) => () => pause(id)));
  await examineShared(probe, "list-newest-first, pagination", (draft) => checkAll(draft, created));
  await examineShared(probe, "list-by-status, pagination-keeps-filter", (draft) => checkFilter(draft, paused));
  await checkDefaultSize(probe, "listWebhooks", { items: "webhooks" });
  await checkRecords(probe, ids);
  const deleted = await checkMoving(probe, ids);
  const left = ids.filter((id) => id !== deleted);
  await allSettledOf(left.map((id) => () => probe.succeed("deleteWebhook", { path: { id } })));
}

/** A page of at most ten has whole records; one of a hundred has the first hundred addresses of each. */
async function checkRecords(probe: Probe, ids: readonly string[]): Promise<void> {
  for (const pageSize of [10, 100]) {
    const page = await probe.send("listWebhooks", { query: { pageSize } });
    const items = itemsOf(asObject(page.json), "webhooks").filter((item) => ids.includes(idOf(item)));
    // In a page that has few, the contract does not say what a share is.
    if (page.status !== 200 || (pageSize > 10 && items.length <= 10)) continue;
    for (const item of items) {
      const read = await probe.send("getWebhook", { path: { id: idOf(item) } });
      // Somebody else may have deleted it.
      if (read.status !== 200 || examine(read).length > 0) continue;
      const record = asObject(read.json);
      const { metadata } = record;
      const addresses = asArray(asObject(metadata).addresses).slice(0, 10_000 / pageSize);
      const expected = { ...record, metadata: { ...asObject(metadata), addresses } };
      const said = `the record of getWebhook, with its first ${addresses.length} addresses`;
      probe.check(page, "list-shows-records", sameRecord(item, expected), said, JSON.stringify(item).slice(0, 400));
    }
  }
}

/** What is created or deleted between two pages neither repeats nor hides another webhook. @returns which one it deleted */
async function checkMoving(probe: Probe, ids: readonly string[]): Promise<string | undefined> {
  const first = await probe.send("listWebhooks", { query: { pageSize: 3 } });
  const { nextPageToken } = asObject(first.json);
  const seen = idsOf(asObject(first.json));
  if (first.status !== 200 || !nextPageToken) return undefined;
  const created = await probe.create({ name: "Between two pages" });
  const [deleted] = seen.filter((id) => ids.includes(id)).slice(-1);
  if (deleted !== undefined) await probe.send("deleteWebhook", { path: { id: deleted } });
  const query = { pageSize: 100, pageToken: String(nextPageToken) };
  const second = await probe.send("listWebhooks", { query });
  if (probe.status(second, "pagination-no-repeat", 200)) {
    const others = idsOf(asObject(second.json));
    const again = others.filter((id) => seen.includes(id));
    const came = `again ${again.join(", ")}`;
    probe.check(
      second,
      "pagination-no-repeat",
      again.length === 0,
      "only webhooks older than those of the page before",
      came,
    );
    const missing = ids.filter((id) => !seen.includes(id) && !others.includes(id));
    const isWhole = !asObject(second.json).nextPageToken;
    const none = `no ${missing.join(", ")}`;
    probe.check(
      second,
      "pagination-complete",
      missing.length === 0 || !isWhole,
      "all of the others, although one was deleted",
      none,
    );
  }
  if (created) await probe.succeed("deleteWebhook", { path: { id: idOf(created) } });
  return deleted;
}

async function checkAll(probe: Probe, created: readonly string[][]): Promise<readonly string[]> {
  const first = await probe.succeed("listWebhooks", { query: { pageSize: 100 } });
  // Small pages where there are few webhooks; large ones where someone's account has many.
  const pageSize = first === undefined || first.nextPageToken ? 100 : 5;
  const walked = await walk(probe, "listWebhooks", { pageSize });
  const seen = checkPages(probe, walked, { items: idsOf, pageSize, wanted: created.flat() });
  for (const page of walked.pages) {
    const times = itemsOf(asObject(page.json), "webhooks").map(({ createdAt }) => Number(createdAt));
    const ordered = times.every((time, index) => index === 0 || time <= Number(times[index - 1]));
    probe.check(page, "list-newest-first", ordered, "createdAt descending", times.join(", "));
  }
  checkOrder(probe, walked.pages, created, seen);
  // With one item left, and with none.
  for (const size of [seen.length - 1, seen.length]) {
    if (size < 1 || size > 100 || !walked.ended) continue;
    const others = await walk(probe, "listWebhooks", { pageSize: size });
    checkPages(probe, others, { items: idsOf, pageSize: size, wanted: seen });
  }
  return seen;
}

/** Those of a later round must come before those of the rounds before it. */
function checkOrder(
  probe: Probe,
  pages: readonly RecordedExchange[],
  created: readonly string[][],
  seen: readonly string[],
): void {
  const roundOf = (id: string) => created.findIndex((ids) => ids.includes(id));
  const listed = seen.map(roundOf).filter((round) => round >= 0);
  const ordered = listed.every((round, index) => index === 0 || round <= Number(listed[index - 1]));
  const came = `those created in the order ${listed.map((round) => round + 1).join(", ")}`;
  const [page] = pages;
  if (page) probe.check(page, "list-newest-first", ordered, "those created last before those created first", came);
}

/** Follows the tokens of a filtered list until it has seen all that the filter must let through. */
async function checkFilter(probe: Probe, paused: readonly string[]): Promise<readonly string[]> {
  const query = { status: "inactive" };
  const idsIn = (pages: readonly RecordedExchange[]) => pages.flatMap((page) => idsOf(asObject(page.json)));
  const found = (pages: readonly RecordedExchange[]) => paused.every((id) => idsIn(pages).includes(id));
  const { pages } = await walk(probe, "listWebhooks", { pageSize: 2, query, until: found });
  for (const [index, page] of pages.entries()) {
    const others = itemsOf(asObject(page.json), "webhooks").filter(({ status }) => status !== "inactive");
    const came = `${others.length} that are not`;
    const rule = index === 0 ? "list-by-status" : "pagination-keeps-filter";
    if (!probe.check(page, rule, others.length === 0, "inactive webhooks only", came)) break;
  }
  const last = pages.at(-1);
  const missing = paused.filter((id) => !idsIn(pages).includes(id));
  const came = `no ${missing.join(", ")}`;
  if (last) probe.check(last, "pagination-complete", missing.length === 0, "every inactive webhook", came);
  return idsIn(pages);
}

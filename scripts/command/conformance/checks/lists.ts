/** The list of webhooks: in pages, the newest first, by status. Others may create and delete webhooks of the account meanwhile. */
import { asObject, type JsonObject } from "../../../document/json.ts";
import type { Exchange } from "../exchange.ts";
import { idOf, itemsOf, type Probe } from "../probe.ts";
import { together } from "../together.ts";
import { checkDefaultSize, checkPages, examineShared, walk } from "./pages.ts";

// Twelve: more than a page has by default. Those of a round are created side by side, so that only rounds have an order.
const rounds = 3;
const inARound = 4;
const idsOf = (body: JsonObject) => itemsOf(body, "webhooks").map(idOf);

/** Creates webhooks, pauses half of them, and lists them. */
export async function checkLists(probe: Probe): Promise<void> {
  const created: string[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    const records = await together(Array.from({ length: inARound }, () => () => probe.create()));
    if (records.some((record) => record === undefined)) return;
    created.push(records.map((record) => idOf(record ?? {})));
  }
  const ids = created.flat();
  const paused = ids.filter((_, index) => index % 2 === 0);
  const pause = (id: string) => probe.succeed("updateWebhook", { path: { id }, body: { status: "inactive" } });
  await together(paused.map((id) => () => pause(id)));
  await examineShared(probe, "list-newest-first, pagination", (draft) => checkAll(draft, created));
  await examineShared(probe, "list-by-status, pagination-keeps-filter", (draft) => checkFilter(draft, paused));
  await checkDefaultSize(probe, "listWebhooks", { items: "webhooks" });
  await together(ids.map((id) => () => probe.succeed("deleteWebhook", { path: { id } })));
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
  return seen;
}

/** Those of a later round must come before those of the rounds before it. */
function checkOrder(
  probe: Probe,
  pages: readonly Exchange[],
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
  const idsIn = (pages: readonly Exchange[]) => pages.flatMap((page) => idsOf(asObject(page.json)));
  const found = (pages: readonly Exchange[]) => paused.every((id) => idsIn(pages).includes(id));
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

/** The filters of a webhook's list of notifications, its feed, and how many a replay says to have made. */
import { asObject, type Json, type JsonObject, sameJson } from "../../../document/json.ts";
import { jsonOrUndefined } from "../exchange.ts";
import { itemsOf, type Probe } from "../probe.ts";

const pageSize = 100;

/** @param listed all notifications of the webhook, in order */
export async function checkFilters(probe: Probe, id: string, listed: readonly JsonObject[]): Promise<void> {
  const path = { id };
  // One that is pending may be delivered while the page is put together.
  for (const status of ["delivered", "failed"]) {
    const page = await probe.send("listNotifications", { path, query: { status, pageSize } });
    if (!probe.status(page, "status-expected", 200)) continue;
    const others = itemsOf(asObject(page.json), "notifications").filter((record) => record.status !== status);
    const came = `${others.length} that are not`;
    probe.check(page, "list-by-status", others.length === 0, `${status} notifications only`, came);
  }
  const after = Number(listed[0]?.sequence);
  const page = await probe.send("listNotifications", { path, query: { afterSequence: after, pageSize } });
  if (!probe.status(page, "status-expected", 200)) return;
  const sequences = itemsOf(asObject(page.json), "notifications").map(({ sequence }) => sequence);
  const least = Math.min(listed.length - 1, pageSize);
  const right = sequences.length >= least && sequences.every((sequence, index) => sequence === after + 1 + index);
  const expected = least > 0 ? `sequences from ${after + 1} on` : `none but those from ${after + 1} on`;
  probe.check(page, "notifications-in-order", right, expected, sequences.join(", ") || "none");
}

/** @param listed all notifications of the webhook, in order */
export async function checkFeed(probe: Probe, id: string, listed: readonly JsonObject[]): Promise<void> {
  const path = { id };
  const [first] = listed;
  const last = Number(listed.at(-1)?.sequence);
  const whole = await probe.send("readFeed", { path, query: { limit: 2 } });
  if (!probe.status(whole, "status-expected", 200) || !first) return;
  const fed = itemsOf(asObject(whole.json), "notifications");
  const came = fed.map(({ sequence }) => sequence).join(", ") || "none";
  const count = Math.min(2, listed.length);
  const begins = fed.length === count && fed.every(({ sequence }, index) => sequence === index + 1);
  probe.check(whole, "feed-in-order", begins, `the first ${count} of the list`, came);
  const newest = Number(asObject(whole.json).lastSequence);
  probe.check(whole, "feed-in-order", newest >= last, `lastSequence: ${last}, or more`, `${newest}`);
  const detail = await probe.send("getNotification", { path: { id, messageId: String(first.messageId) } });
  const isSent = sameJson(asObject(fed[0]).payload, asObject(detail.json).payload);
  probe.check(whole, "feed-in-order", isSent, "the payload of getNotification");

  const headers = { "last-event-id": "1" };
  const after = await probe.send("readFeed", { path, query: { after: 0, limit: 1 }, headers });
  const next = itemsOf(asObject(after.json), "notifications").map(({ sequence }) => sequence);
  const goesOn = after.status === 200 && (next[0] === 2 || (next.length === 0 && listed.length < 2));
  probe.check(after, "feed-in-order", goesOn, "what follows the Last-Event-ID", next.join(", ") || "none");

  await checkStream(probe, id, fed);

  const askedAt = performance.now();
  const waited = await probe.send("readFeed", { path, query: { after: newest, wait: 1 } });
  const tookMs = Math.round(performance.now() - askedAt);
  const isNew = itemsOf(asObject(waited.json), "notifications").length > 0;
  const isHeldBack = waited.status === 200 && (isNew || tookMs >= 900);
  probe.check(waited, "feed-waits", isHeldBack, "an answer after a second", `${tookMs} ms`);
}

/** @param fed what the feed begins with */
async function checkStream(probe: Probe, id: string, fed: readonly JsonObject[]): Promise<void> {
  const streamed = await probe.send("readFeed", {
    path: { id },
    query: { after: 0 },
    headers: { accept: "text/event-stream", "accept-encoding": "identity" },
    until: (text) => eventsIn(text).length >= fed.length,
  });
  if (!probe.status(streamed, "status-expected", 200)) return;
  const type = String(streamed.headers["content-type"] ?? "none");
  const isStream = /^text\/event-stream\s*(;|$)/i.test(type);
  if (!probe.check(streamed, "feed-streams", isStream, "content-type text/event-stream", type)) return;
  const events = eventsIn(streamed.body.toString("utf8")).slice(0, fed.length);
  const isFed = ({ sequence, payload }: JsonObject, index: number) => {
    const event = events[index];
    return event?.id === String(sequence) && sameJson(event.data ?? null, payload ?? null);
  };
  const { "content-encoding": encoding } = streamed.headers;
  const came = encoding ? `${encoding}, unasked` : events.map(({ id = "without an id" }) => id).join(", ") || "none";
  const expected = `events with the ids ${fed.map(({ sequence }) => sequence).join(", ")}, and the payloads as data`;
  probe.check(streamed, "feed-streams", fed.every(isFed), expected, `${came}, or other data`);
}

type StreamedEvent = { id?: string; data?: Json | undefined };

/** The whole events of a stream, without comments: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation */
function eventsIn(text: string): StreamedEvent[] {
  const parts = text
    .replace(/^\ufeff/, "")
    .replaceAll(/\r\n?/g, "\n")
    .split("\n\n");
  let id: string | undefined;
  return parts.slice(0, -1).flatMap((part) => {
    const fields = part.split("\n").map((line) => /^(\w+)(?:: ?(.*))?$/s.exec(line)?.slice(1) ?? []);
    const data = fields.filter(([name]) => name === "data").map(([, value = ""]) => value);
    // It stays until there is another.
    id = fields.findLast(([name]) => name === "id")?.[1] ?? id;
    if (data.length === 0) return [];
    return { ...(id !== undefined && { id }), data: jsonOrUndefined(Buffer.from(data.join("\n"))) };
  });
}

/** @param listed all notifications of a webhook that had none before the replay */
export async function checkCounts(
  probe: Probe,
  path: { id: string; replayId: string },
  listed: readonly JsonObject[],
): Promise<void> {
  const read = await probe.send("getReplay", { path });
  const { fromBlock, toBlock, currentBlock, addedCount } = asObject(read.json);
  if (read.status !== 200) return;
  probe.check(read, "replay-finishes", currentBlock === toBlock, `currentBlock: ${toBlock}`, `${currentBlock}`);
  // After a reorganisation, blocks of the range are followed once more.
  if (listed.some(({ removed }) => removed === true)) return;
  const [from, to] = [Number(fromBlock), Number(toBlock)];
  const added = listed.filter(({ blockNumber }) => Number(blockNumber) >= from && Number(blockNumber) <= to).length;
  probe.check(read, "replay-finishes", addedCount === added, `addedCount: ${added}, as listed`, `${addedCount}`);
}

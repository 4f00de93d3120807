/** Takes the steps of a sequence, and holds every answer against what the requests before it must have led to. */
import type { OperationId } from "../../../../generated/operations.ts";
import { asArray, asObject, type Json, type JsonObject } from "../../../document/json.ts";
import { checkPages, walk } from "../checks/pages.ts";
import { operationIds, parametersOf } from "../contract.ts";
import type { Exchange } from "../exchange.ts";
import { type Call, idOf, itemsOf, nothing, type Probe, unused } from "../probe.ts";
import { bodyOf } from "./attempt.ts";
import { createdBy, differences, lowerOnce, volatile, withAddresses } from "./model.ts";
import type { Step } from "./steps.ts";
import type { World } from "./words.ts";

/** A webhook as it must be. */
type Known = {
  id: string;
  /** How it was created, to repeat that. */
  creation: { call: Call; answer: Exchange };
  record: JsonObject;
  addresses: Set<string>;
  secret?: string;
  /** Until when the secret before this one signs too. */
  until?: Json | undefined;
  rotated: boolean;
  replays: Set<string>;
};

/** All of them. */
type State = { probe: Probe; world: World; live: Known[]; gone: Known[] };

const mostWebhooks = 3;
const dayMs = 86_400_000;
const clocksDifferMs = 600_000;

/** Takes the steps until one fails, and looks at everything at the end. */
export async function trySequence(
  probe: Probe,
  steps: readonly Step[],
  world: World,
  failed: () => boolean,
): Promise<void> {
  const state: State = { probe, world, live: [], gone: [] };
  for (const step of steps) {
    await take(state, step);
    if (failed()) return;
  }
  const last: Step[] = state.live.flatMap((_, which): Step[] => [
    { do: "get", which, upper: false },
    { do: "addresses", which, pageSize: 2 },
  ]);
  for (const step of [...last, { do: "list", status: undefined, pageSize: 2 } as const]) {
    await take(state, step);
    if (failed()) return;
  }
}

async function take(state: State, step: Step): Promise<void> {
  if (step.do === "create") return create(state, step);
  if (step.do === "list") return list(state, step);
  const known = picked(step.do === "gone" ? state.gone : state.live, step.which);
  if (!known) return;
  const { probe } = state;
  const path = { id: known.id };
  switch (step.do) {
    case "repeat":
      return repeat(state, known, step.other);
    case "update":
      return update(state, known, step.body);
    case "add":
    case "remove":
      return changeAddresses(state, known, step.do, step.addresses);
    case "get": {
      const answer = await probe.send("getWebhook", { path: { id: step.upper ? known.id.toUpperCase() : known.id } });
      if (succeeded(probe, answer, step.upper ? "id-in-any-case" : "status-expected"))
        compare(probe, answer, "reads-as-written", known.record, asObject(answer.json));
      return;
    }
    case "addresses":
      return listAddresses(state, known, step.pageSize);
    case "secret":
    case "rotate":
      return secret(state, known, step.do);
    case "delete": {
      const answer = await probe.send("deleteWebhook", { path });
      if (!succeeded(probe, answer)) return;
      state.live = state.live.filter((one) => one !== known);
      state.gone.push(known);
      compare(
        probe,
        answer,
        "delete-answers-the-record",
        { ...known.record, status: "inactive" },
        asObject(answer.json),
        ["statusReason", "statusSince"],
      );
      return;
    }
    case "gone":
      return gone(state, known, step.how);
    case "unknown":
      return unknown(state, known, step.how);
    case "replay":
      return replay(state, known, step);
  }
}

const isRecent = (at: Json | undefined) => Math.abs(Number(at) - Date.now()) < clocksDifferMs;

const picked = (all: readonly Known[], which: number): Known | undefined => all[which % Math.max(1, all.length)];

function succeeded(
  probe: Probe,
  answer: Exchange,
  rule: "status-expected" | "id-in-any-case" = "status-expected",
): boolean {
  // Documented, and no fault: a node or the database failed.
  if (answer.status === 502 || answer.status === 503) return false;
  return probe.check(answer, rule, answer.status < 300, "a success, since the request is valid");
}

function compare(
  probe: Probe,
  answer: Exchange,
  rule: Parameters<Probe["check"]>[1],
  expected: JsonObject,
  came: JsonObject,
  except: readonly string[] = [],
): void {
  const wrong = differences(expected, came, [...volatile, ...except]);
  probe.check(answer, rule, wrong.length === 0, wrong.join(", "));
}

async function create(state: State, { body, withKey }: Step & { do: "create" }): Promise<void> {
  const { probe, live } = state;
  if (live.length >= mostWebhooks) return;
  const call: Call = { body, ...(withKey && { headers: { "Idempotency-Key": unused() } }) };
  const answer = await probe.send("createWebhook", call);
  // A quota of few webhooks; that of one was tried when the cases began.
  if (answer.status === 403 && live.length > 0) return;
  if (!succeeded(probe, answer)) return;
  const record = asObject(answer.json);
  compare(probe, answer, "created-as-asked", createdBy(body), record);
  const id = idOf(record);
  const recent = [record.createdAt, record.statusSince].every(
    (at) => Math.abs(Number(at) - Date.now()) < clocksDifferMs,
  );
  probe.check(answer, "created-as-asked", recent, "createdAt and statusSince now, in ms");
  const others = [...live, ...state.gone].some((one) => one.id === id);
  probe.check(answer, "created-as-asked", !others, "an id that no other webhook has");
  const addresses = new Set(lowerOnce(asArray(asObject(body.metadata).addresses)));
  live.push({ id, creation: { call, answer }, record, addresses, rotated: false, replays: new Set() });
}

async function repeat({ probe, gone }: State, known: Known, other: boolean): Promise<void> {
  const { call, answer: first } = known.creation;
  if (!call.headers) return;
  const body = other ? { ...call.body, name: `${call.body?.name ?? ""}!`.slice(-200) } : (call.body ?? {});
  const answer = await probe.send("createWebhook", { ...call, body });
  if (other) return void probe.status(answer, "idempotency-conflict", 409);
  if (gone.includes(known)) return void probe.status(answer, "idempotent-after-delete", 409);
  const same = answer.status === first.status && answer.body.equals(first.body);
  const record = asObject(first.json);
  const equal = same || (answer.status === first.status && differences(record, asObject(answer.json)).length === 0);
  probe.check(answer, "idempotent-answer", equal, `the first answer, ${first.status} and the same record`);
}

async function update({ probe }: State, known: Known, body: JsonObject): Promise<void> {
  const { record } = known;
  const answer = await probe.send("updateWebhook", { path: { id: known.id }, body });
  if (!succeeded(probe, answer)) return;
  const came = asObject(answer.json);
  compare(probe, answer, "update-changes-what-is-given", body, came);
  const changes = body.status !== undefined && body.status !== record.status;
  // A status has its reason and its time; only with a new one, another block can be the first.
  const own = changes ? ["statusReason", "statusSince", "effectiveFromBlock"] : [];
  compare(probe, answer, "update-leaves-the-rest", { ...record, ...body }, came, own);
  if (changes) {
    compare(probe, answer, "pause-and-resume", { statusReason: "requested" }, came);
    const later = Number(came.statusSince) >= Number(record.statusSince);
    probe.check(
      answer,
      "pause-and-resume",
      later && isRecent(came.statusSince),
      "a statusSince that is now, and not before the one of the status before",
    );
  }
  known.record = came;
}

async function changeAddresses({ probe }: State, known: Known, how: "add" | "remove", given: string[]): Promise<void> {
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
  compare(probe, answer, "addresses-count-once", counts, came);
  // Where the answer has the record, too.
  const { effectiveFromBlock: _, ...record } = known.record;
  if (came.id !== undefined) compare(probe, answer, "reads-as-written", record, came);
}

async function list({ probe, world, live, gone }: State, { status, pageSize }: Step & { do: "list" }): Promise<void> {
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
      if (known) compare(probe, page, "reads-as-written", known.record, item);
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

async function listAddresses({ probe }: State, known: Known, pageSize: number | undefined): Promise<void> {
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

async function secret({ probe, live }: State, known: Known, how: "secret" | "rotate"): Promise<void> {
  const operation = how === "secret" ? "getWebhookSecret" : "rotateWebhookSecret";
  const answer = await probe.send(operation, { path: { id: known.id } });
  const came = bodyOf(answer);
  if (!succeeded(probe, answer) || !came) return;
  const own = String(came.secret);
  if (how === "rotate") known.rotated = true;
  const others = live.filter((one) => one !== known && one.secret === own);
  probe.check(answer, "secret-of-its-own", others.length === 0, "another secret than that of another webhook");
  if (how === "rotate")
    probe.check(answer, "rotation-makes-another-secret", known.secret !== own, "another secret than the one before");
  else if (known.secret !== undefined)
    probe.check(answer, "reads-as-written", known.secret === own, "the secret of the webhook, as read before");
  known.secret = own;
  const { previousSecretExpiresAt: until } = came;
  const right = known.rotated ? Math.abs(Number(until) - Date.now() - dayMs) < clocksDifferMs : until === undefined;
  const expected = known.rotated ? "previousSecretExpiresAt in 24 hours, in ms" : "no previousSecretExpiresAt";
  probe.check(answer, "rotation-shows-previous-secret", right, expected);
  if (how === "secret" && known.until !== undefined)
    probe.check(answer, "reads-as-written", until === known.until, `previousSecretExpiresAt: ${known.until}`);
  known.until = until;
}

/** Every operation on a webhook that was deleted. */
async function gone({ probe }: State, known: Known, how: number): Promise<void> {
  if (how === 0) return repeat({ probe, gone: [known] } as unknown as State, known, false);
  const onOne = operationIds.filter((id) => namesInPath(id).length > 0);
  const operation = onOne[how % onOne.length];
  if (!operation) return;
  const path = Object.fromEntries(namesInPath(operation).map((name) => [name, known.id]));
  const bodies: Record<string, JsonObject> = {
    updateWebhook: { name: "again" },
    addWebhookAddresses: { addresses: [probe.target.address] },
    removeWebhookAddresses: { addresses: [probe.target.address] },
    createReplay: { fromBlock: "0", toBlock: "0" },
  };
  const body = bodies[operation];
  probe.status(await probe.send(operation, { path, ...(body && { body }) }), "deleted-is-gone", 404);
}

/** What a webhook that is there does not have. */
async function unknown({ probe }: State, known: Known, how: number): Promise<void> {
  const onTwo = operationIds.filter((id) => namesInPath(id).length > 1);
  const operation = onTwo[how % onTwo.length];
  if (!operation) return;
  const path = Object.fromEntries(namesInPath(operation).map((name) => [name, name === "id" ? known.id : nothing]));
  probe.status(await probe.send(operation, { path }), "unknown-is-404", 404);
}

const namesInPath = (operation: OperationId) =>
  parametersOf(operation).flatMap(({ in: place, name }) => (place === "path" ? [name] : []));

async function replay(
  { probe, world }: State,
  known: Known,
  { fromBlock, ahead }: Step & { do: "replay" },
): Promise<void> {
  const path = { id: known.id };
  const { followedBlock } = world.target;
  const toBlock = ahead && BigInt(fromBlock) > 0n ? String(BigInt(fromBlock) - 1n) : fromBlock;
  const answer = await probe.send("createReplay", { path, body: { fromBlock, toBlock } });
  if (toBlock !== fromBlock) return void probe.status(answer, "bad-request-400", 400);
  if (answer.status === 400 && followedBlock === undefined) return;
  if (answer.status === 409 && known.replays.size >= 10) return;
  if (!succeeded(probe, answer)) return;
  const came = asObject(answer.json);
  // Nobody takes part in transactions by these addresses.
  const asked = { webhookId: known.id, fromBlock, toBlock, resentCount: 0, addedCount: 0 };
  compare(probe, answer, "created-as-asked", asked, came);
  const replayId = idOf(came);
  probe.check(answer, "created-as-asked", !known.replays.has(replayId), "an id that no other replay has");
  probe.check(answer, "created-as-asked", isRecent(came.createdAt), "createdAt now, in ms");
  known.replays.add(replayId);
  const place = `/v1/webhooks/${known.id}/replays/${replayId}`;
  probe.check(answer, "location", answer.headers.location === place, `Location: ${place}`);
  const read = await probe.send("getReplay", { path: { ...path, replayId } });
  if (!succeeded(probe, read)) return;
  const after = asObject(read.json);
  const { id, createdAt } = came;
  // One that is finished stays as it is.
  compare(probe, read, "reads-as-written", hasEnded(came) ? came : { id, createdAt, ...asked }, after);
  for (const [exchange, shown] of [
    [answer, came],
    [read, after],
  ] as const)
    probe.check(
      exchange,
      "replay-finishes",
      hasEnded(shown) === (shown.finishedAt !== undefined),
      "finishedAt where the status is done or failed, and only there",
    );
}

const hasEnded = ({ status }: JsonObject) => status === "done" || status === "failed";

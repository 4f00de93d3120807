/**
 * Two accounts: what the other one has is sought through every operation of the contract, and must be neither found nor changed. The
 * operations come from the contract, so that one that is added to it is examined as well.
 */
import { apiKeyHeader, type OperationId, operationTable, requiredScopes } from "../../../../generated/operations.ts";
import { asArray, asObject, sameJson } from "../../../document/json.ts";
import { describedParameters, exampleBodies, followed, operationIds } from "../contract.ts";
import { type RecordedExchange, withoutIds } from "../exchange.ts";
import { summary } from "../findings.ts";
import { idOf, itemsOf, newWebhook, nothing, type Probe, type ProbeCall, unused, watchingActivity } from "../probe.ts";
import { allSettledOf } from "../together.ts";
import { walk } from "./pages.ts";
import { finished } from "./replay.ts";

/** What the other account has, and texts that occur nowhere else. */
type Theirs = { values: Record<string, string>; marks: string[]; idempotent: ProbeCall; pageToken: string | undefined };

const pathNames = (operation: OperationId) =>
  describedParameters(operation).flatMap(({ name, in: place }) => (place === "path" ? [name] : []));
const ofAccounts = operationIds.filter((operation) => operation in requiredScopes);
const ofOneThing = ofAccounts.filter((operation) => pathNames(operation).length > 0);
const reads = (operation: OperationId) => operationTable[operation].method === "get";
// Theirs are the newest, so they would be among the first.
const mostPages = 5;

/** @param exchanges all of the run, in which no text of theirs may occur @param otherKey of an account that is not the target's */
export async function checkOtherAccount(
  probe: Probe,
  otherKey: string,
  exchanges: readonly RecordedExchange[],
): Promise<void> {
  const theirs = await createTheirs(probe, otherKey);
  if (!theirs) return;
  const before = await readOwn(probe, otherKey, theirs);
  const own = await probe.create({ name: "Of the account of --key" });
  await allSettledOf(ofOneThing.map((operation) => () => checkOperation(probe, operation, theirs, own && idOf(own))));
  if (own) await checkOurs(probe, idOf(own), otherKey);
  await checkLists(probe, theirs);
  const repeated = await probe.send("createWebhook", theirs.idempotent);
  probe.status(repeated, "other-account-unseen", 201);
  scan(probe, exchanges, otherKey, theirs.marks);

  for (const [operation, exchange] of Object.entries(await readOwn(probe, otherKey, theirs))) {
    const expected = `what ${operation} returned to the other account before`;
    const unchanged = sameJson(exchange.json, before[operation]?.json);
    probe.check(exchange, "other-account-unchanged", unchanged, expected);
  }
}

/** Two webhooks, both inactive so that nothing about them changes by itself; one with a replay and what that notifies. */
async function createTheirs(probe: Probe, key: string): Promise<Theirs | undefined> {
  const { target } = probe;
  const mark = `Of another account: ${unused()}`;
  const url = `${target.url}/${unused()}`;
  const headers = { "idempotency-key": unused() };
  const body = newWebhook(target, { ...watchingActivity(target), name: mark, url });
  const first = await probe.send("createWebhook", { key, body });
  if (first.status === 401 || first.status === 403)
    return void probe.note(`Another account: --other-key must have the scopes read and write (${first.status}).`);
  if (!probe.status(first, "status-expected", 201)) return undefined;
  const other = asObject(first.json);
  const record = await probe.succeed("createWebhook", { key, body, headers });
  if (!record) return undefined;
  const path = { id: idOf(record) };
  for (const { id } of [record, other])
    await probe.succeed("updateWebhook", { key, path: { id: String(id) }, body: { status: "inactive" } });
  const block = String(target.followedBlock ?? 0);
  const from = target.followedBlock !== undefined && target.followedBlock > 99n ? target.followedBlock - 99n : 0n;
  const range = { fromBlock: String(from), toBlock: block, includeEarlier: true };
  const replay = await probe.send("createReplay", { key, path, body: range });
  const replayId = replay.status === 202 ? idOf(asObject(replay.json)) : nothing;
  if (replay.status === 202) await finished(probe, path.id, replayId, key);
  const listed = await probe.send("listNotifications", { key, path });
  const [notification] = itemsOf(asObject(listed.json), "notifications");
  const messageId = String(notification?.messageId ?? nothing);
  if (replayId === nothing) probe.note("Another account's replay: the server refused to create one.");
  if (messageId === nothing) probe.note("Another account's notification: it has none; --address makes some.");
  const secret = await probe.succeed("getWebhookSecret", { key, path });
  const shared = await probe.succeed("getSharedSecret", { key });
  const page = await probe.succeed("listWebhooks", { key, query: { pageSize: 1 } });
  const found = [path.id, idOf(other), replayId, messageId].filter((id) => id !== nothing);
  return {
    values: { id: path.id, replayId, messageId },
    marks: [mark, url, String(secret?.secret), ...(shared ? [String(shared.secret)] : []), ...found],
    // Under their Idempotency-Key.
    idempotent: { body: newWebhook(target), headers },
    pageToken: typeof page?.nextPageToken === "string" ? page.nextPageToken : undefined,
  };
}

/** What each operation that reads one of an account's things returns to it. */
async function readOwn(
  probe: Probe,
  key: string,
  { values }: Pick<Theirs, "values">,
): Promise<Record<string, RecordedExchange>> {
  const readable = ofOneThing.filter(
    (operation) => reads(operation) && pathNames(operation).every((name) => (values[name] ?? nothing) !== nothing),
  );
  const read = (operation: OperationId) => async () =>
    [operation, await probe.send(operation, { key, path: values })] as const;
  return Object.fromEntries(await allSettledOf(readable.map(read)));
}

/** Their things must be answered as what does not exist: below their webhook, and below one of our own. */
async function checkOperation(
  probe: Probe,
  operation: OperationId,
  { values }: Theirs,
  own: string | undefined,
): Promise<void> {
  const names = pathNames(operation);
  const none = Object.fromEntries(names.map((name) => [name, nothing]));
  const pairs = [{ theirs: { ...none, ...values }, none }];
  // A client makes up the identifier of a change: under our own webhook, theirs would begin one.
  const isOfServer = names.some((name) => name !== "id" && (values[name] ?? nothing) !== nothing);
  if (own !== undefined && isOfServer)
    pairs.push({ theirs: { ...none, ...values, id: own }, none: { ...none, id: own } });
  const bodies = exampleBodies(operation);
  for (const { theirs, none } of pairs)
    for (const body of bodies.length > 0 ? bodies : [undefined]) {
      const call = { ...(body && { body }), query: requiredQuery(operation) };
      const absent = await probe.send(operation, { path: none, ...call });
      const found = await probe.send(operation, { path: theirs, ...call });
      const alike = found.status === 404 && shapeOf(found) === shapeOf(absent);
      const expected = `404, in nothing different from the answer about what does not exist: ${summary(absent)}`;
      probe.check(found, "other-account-unseen", alike, expected);
    }
}

/** And the other way round: nor does the other account find or change what is ours. A server may know one of the two keys better. */
async function checkOurs(probe: Probe, id: string, otherKey: string): Promise<void> {
  const read = () => readOwn(probe, probe.target.apiKey, { values: { id } });
  const before = await read();
  await allSettledOf(
    ofOneThing.map((operation) => async () => {
      const path = { ...Object.fromEntries(pathNames(operation).map((name) => [name, nothing])), id };
      const [body] = exampleBodies(operation);
      const call = { path, query: requiredQuery(operation), ...(body && { body }) };
      probe.status(await probe.send(operation, { ...call, key: otherKey }), "other-account-unseen", 404);
    }),
  );
  for (const [operation, exchange] of Object.entries(await read())) {
    const expected = `what ${operation} returned before the other account sent requests`;
    const unchanged = sameJson(exchange.json, before[operation]?.json);
    probe.check(exchange, "other-account-unchanged", unchanged, expected);
  }
}

/** The parameters that an operation asks for, as the contract's examples have them. */
function requiredQuery(operation: OperationId): Record<string, string> {
  const required = describedParameters(operation).filter((one) => one.in === "query" && one.required);
  return Object.fromEntries(required.map(({ name, schema }) => [name, String(followed(schema).example)]));
}

/** The status, the names of the headers, and the body without the identifiers that the request had. */
function shapeOf(exchange: RecordedExchange): string {
  const changing = /^(connection|keep-alive|content-length|transfer-encoding)$/;
  const names = Object.keys(exchange.headers).filter((name) => !changing.test(name));
  return `${exchange.status} ${names.sort().join(" ")} ${withoutIds(exchange)}`;
}

/** Lists have nothing of theirs, whatever they are filtered by, and also behind a page token of theirs. */
async function checkLists(probe: Probe, { pageToken }: Theirs): Promise<void> {
  const isList = (one: OperationId) => describedParameters(one).some(({ name }) => name === "pageSize");
  for (const operation of ofAccounts.filter((one) => isList(one) && pathNames(one).length === 0)) {
    const queries: Record<string, string>[] = [{}];
    for (const { name, in: place, schema } of describedParameters(operation))
      if (place === "query")
        queries.push(...asArray(followed(schema).enum).map((value) => ({ [name]: String(value) })));
    for (const query of queries)
      await walk(probe, operation, { pageSize: 100, query, until: (pages) => pages.length === mostPages });
    // It may be refused. It must not lead to theirs.
    if (pageToken !== undefined) await probe.send(operation, { query: { pageToken } });
  }
}

/** No answer to a key of ours holds a text of theirs, but those that the request itself had. */
function scan(probe: Probe, exchanges: readonly RecordedExchange[], otherKey: string, marks: readonly string[]): void {
  for (const exchange of exchanges) {
    const { headers, path, body: sent = "" } = exchange.request;
    if (headers[apiKeyHeader] === otherKey) continue;
    const text = `${exchange.body} ${JSON.stringify(exchange.headers)}`;
    const asked = `${path} ${sent}`;
    const leaked = marks.filter((mark) => text.includes(mark) && !asked.includes(mark));
    const expected = "nothing of the other account";
    if (leaked.length > 0) probe.check(exchange, "other-account-unseen", false, expected, `${leaked.join(", ")}`);
  }
}

/** What a server must refuse whatever the operation: unknown keys, other methods and paths, and bodies that it cannot read. */
import { operationTable, requiredScopes } from "../../../../generated/operations.ts";
import { asObject, type JsonObject, sameJson } from "../../../document/json.ts";
import { describedParameters, mebibyte, operationIds, operationOfUrl, requestSchema } from "../contract.ts";
import { idOf, newWebhook, nothing, type Probe, type ProbeCall, quietAddress } from "../probe.ts";
import { allSettledOf } from "../together.ts";

const withBody = operationIds.filter((operation) => requestSchema(operation) !== undefined);

/** Sends what must be refused. */
export async function checkRefusals(probe: Probe): Promise<void> {
  const ofAccounts = operationIds.filter((operation) => operation in requiredScopes);
  const unknownKey = ofAccounts.map((operation) => async () => {
    const call = { path: namesOf(operation), ...(withBody.includes(operation) && { body: {} }) };
    const answer = await probe.send(operation, { ...call, key: "a-key-that-nobody-has" });
    probe.status(answer, "unknown-key-401", 401);
  });
  await allSettledOf(unknownKey);
  // With an existing webhook: the contract leaves open whether its absence or a bad body is reported first.
  const webhook = await probe.create();
  const path = { id: webhook ? idOf(webhook) : nothing, changeId: nothing };
  const unreadable = withBody.flatMap((operation) =>
    ['{"name":', "[]", '"a text"', ""].map((text) => async () => {
      probe.status(await probe.send(operation, { path, text }), "malformed-json-400", 400);
    }),
  );
  await allSettledOf([...unreadable, ...withBody.map((operation) => () => checkTooLarge(probe, operation, { path }))]);
  await checkConditions(probe);
  await checkAccept(probe);
  await checkEncodings(probe, path.id);
  await checkMethods(probe);
  const unknown = await probe.sendRaw("GET", `/v1/webhooks/${nothing}/no-such-thing`);
  probe.status(unknown, "unknown-path-404", 404);
}

const comparison = { field: "transfer.value", op: "gte", value: "1000000000000000000000" };
/** Each has what the schema allows, and is wrong all the same. */
const wrongComparisons: JsonObject[] = [
  { ...comparison, field: "transfer.amount" },
  { ...comparison, field: "args.amount" },
  { ...comparison, field: "transfer.to", value: quietAddress },
  { ...comparison, value: "much" },
  { ...comparison, value: ["1"] },
  { field: "transaction.status", op: "eq", value: "2" },
  { field: "transaction.method", op: "eq", value: "0xa9059c" },
  { field: "transaction.from", op: "eq", value: "0x5a" },
  { field: "transfer.standard", op: "eq", value: "ERC20" },
  { field: "transfer.direction", op: "gt", value: "in" },
  { field: "transfer.contract", op: "lte", value: quietAddress },
  { field: "transfer.tokenId", op: "in", value: "7" },
  { field: "transaction.value", op: "eq", value: "-1" },
  { field: "transaction.value", op: "eq", value: String(2n ** 256n) },
];
/** Each has not one of the four forms, wherever it stands. */
const wrongForms: JsonObject[] = [
  { ...comparison, not: comparison },
  { all: [comparison], any: [comparison] },
  { not: comparison, any: [comparison] },
  {},
  { field: "transaction.value", op: "eq" },
];
/** So many levels, and so many comparisons in two lists. */
const nested = (levels: number): JsonObject => (levels <= 1 ? comparison : { not: nested(levels - 1) });
const many = (count: number): JsonObject => {
  const half = Math.floor(count / 2);
  const of = (length: number) => Array.from({ length }, (_, n) => ({ ...comparison, value: `${n}` }));
  return { any: [{ all: of(half) }, { any: of(count - half) }] };
};
/** As JSON, each list of addresses has 4,500 characters. */
const listOf = (length: number): JsonObject => ({
  ...{ field: "transaction.to", op: "in" },
  value: Array.from({ length }, (_, n) => `0x${n.toString(16).padStart(40, "0")}`),
});
/** At the limits that the contract states in words, and just beyond. */
const limits: [conditions: JsonObject, isTaken: boolean][] = [
  [nested(8), true],
  [nested(9), false],
  [many(50), true],
  [many(51), false],
  [{ all: [listOf(90), listOf(80)] }, true],
  [{ all: [listOf(100), listOf(100)] }, false],
];

async function checkConditions(probe: Probe): Promise<void> {
  const { address } = probe.target;
  const create = (conditions: JsonObject) =>
    probe.send("createWebhook", { body: newWebhook(probe.target, { metadata: { addresses: [address], conditions } }) });
  const conditions = { any: [comparison, { not: { field: "transaction.status", op: "eq", value: "1" } }] };
  const created = await create(conditions);
  if (!probe.status(created, "status-expected", 201)) return;
  const shown = asObject(asObject(created.json).metadata).conditions;
  probe.check(
    created,
    "conditions-shown",
    sameJson(shown, conditions),
    `metadata.conditions ${JSON.stringify(conditions)}`,
  );
  await probe.succeed("deleteWebhook", { path: { id: idOf(asObject(created.json)) } });
  const wrong = [...wrongForms, ...[...wrongForms, ...wrongComparisons].map((one) => ({ all: [comparison, one] }))];
  await allSettledOf(
    wrong.map((one) => async () => {
      probe.status(await create(one), "conditions-refused", 400);
    }),
  );
  for (const [of, isTaken] of limits) {
    const answer = await create(of);
    if (isTaken) probe.status(answer, "bounds-taken", 201);
    else probe.status(answer, "conditions-refused", 400);
    if (answer.status === 201) await probe.succeed("deleteWebhook", { path: { id: idOf(asObject(answer.json)) } });
  }
}

const accepted = [
  "text/html,application/xhtml+xml,*/*;q=0.8",
  "application/*",
  "Application/JSON",
  "text/plain, */*;q=0.1",
];

/** Whatever a client says to accept, a browser's list too, it gets JSON. */
async function checkAccept(probe: Probe): Promise<void> {
  for (const accept of accepted) {
    probe.status(await probe.send("listChains", { headers: { accept } }), "accept-any", 200);
    const absent = await probe.send("getWebhook", { path: { id: nothing }, headers: { accept } });
    probe.status(absent, "accept-any", 404);
  }
}

/** What decoding a URL can stumble over: malformed encodings, and a zero byte. */
async function checkEncodings(probe: Probe, id: string): Promise<void> {
  for (const path of [
    "/v1/webhooks/%zz",
    "/v1/webhooks/%00",
    `/v1/webhooks/${id}%00`,
    "/v1/webhooks?status=%zz",
    "/v1/webhooks?pageToken=%00",
  ])
    probe.status(await probe.sendRaw("GET", path), "bad-request-400", 400);
  const long = await probe.sendRaw("GET", `/v1/webhooks?pageToken=${"x".repeat(9_000)}`);
  probe.status(long, "long-url-414", 414);
}

/** A server may answer before it has read all, and close the connection: that is no answer to be judged. */
async function checkTooLarge(probe: Probe, operation: (typeof withBody)[number], call: ProbeCall): Promise<void> {
  const text = JSON.stringify({ name: "x".repeat(mebibyte) });
  try {
    probe.status(await probe.send(operation, { ...call, text }), "too-large-413", 413);
  } catch {
    probe.note(`${operation} 413: the server closed the connection before its answer could be read.`);
  }
}

async function checkMethods(probe: Probe): Promise<void> {
  const paths = new Set(Object.values(operationTable).map(({ path }) => path));
  const others = [...paths].map((template) => async () => {
    const path = template.replace(/{\w+}/g, nothing);
    for (const method of ["GET", "PUT", "POST", "PATCH", "DELETE"])
      if (operationOfUrl(method, path) === undefined)
        probe.status(await probe.sendRaw(method, path), "method-405", 405);
  });
  await allSettledOf(others);
}

function namesOf(operation: (typeof operationIds)[number]): Record<string, string> {
  const inPath = describedParameters(operation).filter((parameter) => parameter.in === "path");
  return Object.fromEntries(inPath.map(({ name }) => [name, nothing]));
}

/** A key of one scope is enough for what needs that scope. */
export async function checkScopes(
  probe: Probe,
  keys: { read: string | undefined; write: string | undefined },
): Promise<void> {
  // The account's own operational webhook is left as it is.
  const changesIt = (operation: (typeof operationIds)[number]) =>
    operation.includes("Operational") && operationTable[operation].method !== "get";
  const ofAccounts = operationIds.filter((operation) => operation in requiredScopes && !changesIt(operation));
  await allSettledOf(
    ofAccounts.map((operation) => async () => {
      const scopes: readonly string[] = requiredScopes[operation as keyof typeof requiredScopes];
      const key = scopes.includes("read") ? keys.read : keys.write;
      if (key === undefined) return;
      const call = { path: namesOf(operation), key, ...(withBody.includes(operation) && { body: {} }) };
      const answer = await probe.send(operation, call);
      const isLetIn = answer.status !== 401 && answer.status !== 403;
      const expected = `no ${answer.status}, since the key has the scope ${scopes}`;
      probe.check(answer, "scope-suffices", isLetIn, expected);
    }),
  );
}

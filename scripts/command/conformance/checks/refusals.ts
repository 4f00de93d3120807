/** What a server must refuse whatever the operation: unknown keys, other methods and paths, and bodies that it cannot read. */
import { operationTable, requiredScopes } from "../../../../generated/operations.ts";
import { asObject, type JsonObject, same } from "../../../document/json.ts";
import { mebibyte, operationIds, operationOf, parametersOf, requestSchema } from "../contract.ts";
import { type Call, idOf, newWebhook, nothing, type Probe, quietAddress } from "../probe.ts";
import { together } from "../together.ts";

const withBody = operationIds.filter((operation) => requestSchema(operation) !== undefined);

/** Sends what must be refused. */
export async function checkRefusals(probe: Probe): Promise<void> {
  const ofAccounts = operationIds.filter((operation) => operation in requiredScopes);
  const unknownKey = ofAccounts.map((operation) => async () => {
    const call = { path: namesOf(operation), ...(withBody.includes(operation) && { body: {} }) };
    const answer = await probe.send(operation, { ...call, key: "a-key-that-nobody-has" });
    probe.status(answer, "unknown-key-401", 401);
  });
  await together(unknownKey);
  // With an existing webhook: the contract leaves open whether its absence or a bad body is reported first.
  const webhook = await probe.create();
  const path = { id: webhook ? idOf(webhook) : nothing };
  const unreadable = withBody.flatMap((operation) =>
    ['{"name":', "[]", '"a text"', ""].map((text) => async () => {
      probe.status(await probe.send(operation, { path, text }), "malformed-json-400", 400);
    }),
  );
  await together([...unreadable, ...withBody.map((operation) => () => checkTooLarge(probe, operation, { path }))]);
  await checkConditions(probe);
  await checkMethods(probe);
  const unknown = await probe.sendRaw("GET", `/v1/webhooks/${nothing}/no-such-thing`);
  probe.status(unknown, "unknown-path-404", 404);
}

const comparison = { field: "transfer.value", op: "gte", value: "1000000000000000000000" };
/** Each has what the schema allows, and is wrong all the same. */
const wrongComparisons = [
  { ...comparison, field: "transfer.amount" },
  { ...comparison, field: "args.amount" },
  { ...comparison, field: "transfer.to", value: quietAddress },
  { ...comparison, value: "much" },
  { ...comparison, value: ["1"] },
  { ...comparison, not: comparison },
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
    same(shown, conditions),
    `metadata.conditions ${JSON.stringify(conditions)}`,
  );
  await probe.succeed("deleteWebhook", { path: { id: idOf(asObject(created.json)) } });
  await together(
    wrongComparisons.map((wrong) => async () => {
      probe.status(await create({ all: [comparison, wrong] }), "conditions-refused", 400);
    }),
  );
}

/** A server may answer before it has read all, and close the connection: that is no answer to be judged. */
async function checkTooLarge(probe: Probe, operation: (typeof withBody)[number], call: Call): Promise<void> {
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
    const method = ["PUT", "POST", "DELETE"].find((name) => operationOf(name, path) === undefined) ?? "PUT";
    probe.status(await probe.sendRaw(method, path), "method-405", 405);
  });
  await together(others);
}

function namesOf(operation: (typeof operationIds)[number]): Record<string, string> {
  const inPath = parametersOf(operation).filter((parameter) => parameter.in === "path");
  return Object.fromEntries(inPath.map(({ name }) => [name, nothing]));
}

/** Every pair of fields that can be updated: an update of the one alone must leave the other as it is, whatever both are. */
import { asArray, type Json, type JsonObject, sameJson } from "../../../document/json.ts";
import { secretValue } from "../cases/known-values.ts";
import { differences, shownOf } from "../cases/model.ts";
import { followed, requestSchema } from "../contract.ts";
import type { RecordedExchange } from "../exchange.ts";
import { idOf, type Probe } from "../probe.ts";
import { changesByItself, sameRecord } from "../records.ts";

/** What may change with a field besides the field itself. */
const follows: Record<string, readonly string[]> = {
  status: ["statusReason", "statusSince", "effectiveFromBlock"],
};

/** Two values for each field, neither of them what a new webhook has: a reset to either is noticed while the field has the other. */
type Values = Record<string, readonly [Json, Json]>;

/** Updates each field alone, there and back, while all others have their first value, and again while they have their second. */
export async function checkFields(probe: Probe): Promise<void> {
  const values = valuesOf(probe);
  const created = await probe.create({ name: "Every pair of fields" });
  if (!created) return;
  const path = { id: idOf(created) };
  const all = (which: 0 | 1) => Object.fromEntries(Object.entries(values).map(([name, pair]) => [name, pair[which]]));
  for (const [base, other] of [
    [0, 1],
    [1, 0],
  ] as const) {
    const update = async (body: JsonObject, before: JsonObject) => {
      const answer = await probe.send("updateWebhook", { path, body });
      if (!probe.status(answer, "status-expected", 200)) return before;
      compare(probe, answer, body, before);
      return answer.json as JsonObject;
    };
    let record = await update(all(base), created);
    for (const [name, pair] of Object.entries(values)) {
      record = await update({ [name]: pair[other] }, record);
      record = await update({ [name]: pair[base] }, record);
      // After a fault the others are set again.
      if (differences(shownOf(all(base)), record).length > 0) record = await update(all(base), record);
    }
    const read = await probe.send("getWebhook", { path });
    if (read.status === 200)
      probe.check(read, "reads-as-written", sameRecord(read.json, record), "the record as updated last");
  }
  await probe.succeed("deleteWebhook", { path });
}

function compare(probe: Probe, answer: RecordedExchange, body: JsonObject, before: JsonObject): void {
  const after = answer.json as JsonObject;
  const shown = shownOf(body);
  const given = Object.keys(shown);
  const touched = [...given, ...given.flatMap((name) => follows[name] ?? []), ...changesByItself];
  const what = `an update of ${given.join(", ")} alone`;
  for (const [name, value] of Object.entries(shown))
    probe.check(
      answer,
      "update-changes-what-is-given",
      differences({ [name]: value }, after).length === 0,
      `${name}: ${JSON.stringify(value)}`,
      `${name}: ${JSON.stringify(after[name])}`,
    );
  for (const name of Object.keys(before)) {
    if (touched.includes(name) || sameJson(after[name], before[name])) continue;
    const was = `${name}: ${JSON.stringify(before[name])}`;
    const is = `${name}: ${JSON.stringify(after[name])}`;
    probe.check(answer, "update-leaves-the-rest", false, `${what} leaves ${was}`, is);
  }
}

/** From the contract, so that a field that is added to it is examined as well. */
function valuesOf({ target, note }: Probe): Values {
  const values: Values = {};
  for (const [name, described] of Object.entries((requestSchema("updateWebhook")?.properties ?? {}) as JsonObject)) {
    if (name === "includeInternalTxs" && !target.traces) continue;
    const pair = pairFor(name, followed(described), target.url);
    if (pair) values[name] = pair;
    else note(`update-leaves-the-rest: no values for ${name} follow from the contract.`);
  }
  return values;
}

function pairFor(name: string, schema: JsonObject, url: string): readonly [Json, Json] | undefined {
  if (name === "headers") return [{ "X-One": secretValue }, { "X-Another": secretValue, "x-third": "a b" }];
  const { type, enum: listed, format } = schema;
  // A new webhook has the minimum where that is 0.
  const least = Math.max(1, Number(schema.minimum ?? 1));
  const [first, second] = asArray(listed);
  if (first !== undefined && second !== undefined) return [second, first];
  if (type === "boolean") return [true, false];
  if (type === "integer") return [least + 1, least];
  if (type === "string" && format === "uri") return [`${url}/one`, `${url}/another`];
  return type === "string" && listed === undefined ? [`One ${name}`, `Another ${name}`] : undefined;
}

/**
 * What is at a bound is taken: each request has, in every field at once, a value that is just allowed. A server that refuses one of them
 * names it in its answer; one that loses it shows another record.
 */
import type { OperationId } from "../../../../generated/operations.ts";
import { asObject, type JsonObject } from "../../../document/json.ts";
import { withField } from "../bounds/candidates.ts";
import { eachInBody, type OneOther, withParents } from "../bounds/one-each.ts";
import { parameterCandidates, withParameter } from "../bounds/parameters.ts";
import { judgeBody, mended } from "../cases/bodies.ts";
import { differences, shownOf } from "../cases/model.ts";
import { judge, judgeParameter, samplesOf, type World, worst } from "../cases/words.ts";
import {
  constraintsBroken,
  constraintsBrokenByText,
  describedParameters,
  requestSchema,
  successOf,
} from "../contract.ts";
import type { RecordedExchange } from "../exchange.ts";
import { idOf, type Probe } from "../probe.ts";
import type { Rule } from "../rules.ts";
import { allSettledOf } from "../together.ts";
import { compareShown } from "./options.ts";
import { validBodies, type WithBody, worldOf } from "./requests.ts";

const read = ["listWebhooks", "listWebhookAddresses", "listNotifications", "getWebhook", "getWebhookSecret"] as const;
/** Replays and previews are of blocks, which are known elsewhere. */
const written = ["createWebhook", "updateWebhook", "addWebhookAddresses", "removeWebhookAddresses"] as const;

/** Sends them. */
export async function checkBoundsTaken(probe: Probe): Promise<void> {
  const webhook = await probe.create();
  if (!webhook) return;
  const path = { id: idOf(webhook) };
  const world = await worldOf(probe, path.id);
  const valid = validBodies(probe);
  const parameters = read.flatMap((operation) =>
    textsTaken(operation, world).map(([name, place, text]) => async () => {
      const call = withParameter({ path }, place, name, text);
      const rule = place === "path" ? "id-in-any-case" : "bounds-taken";
      taken(probe, await probe.send(operation, call), { says: `${name} ${text}`, rule });
    }),
  );
  const key = "k".repeat(219) + crypto.randomUUID();
  const longestKey = async () => {
    const call = { body: valid.createWebhook, headers: { "idempotency-key": key } };
    const answer = await probe.send("createWebhook", call);
    if (taken(probe, answer, { says: "an Idempotency-Key of 255 characters" })) await remove(probe, answer);
  };
  await allSettledOf([...parameters, longestKey, ...created(probe, valid.createWebhook, world)]);
  for (const operation of written) {
    if (operation === "createWebhook") continue;
    for (const { body, says } of fullBodies(operation, valid[operation], world)) {
      const answer = await probe.send(operation, { path, body });
      if (!taken(probe, answer, { says }) || operation !== "updateWebhook") continue;
      for (const [name, value] of Object.entries(body)) {
        const wrong = differences(shownOf({ [name]: value }), asObject(answer.json));
        const isForeign = typeof value === "string" && /[\u0080-\u{10ffff}]/u.test(value);
        const rule = isForeign ? "charset-utf-8" : "update-changes-what-is-given";
        probe.check(answer, rule, wrong.length === 0, wrong.join(", ").slice(0, 400));
      }
    }
  }
  await probe.succeed("deleteWebhook", { path });
}

function created(probe: Probe, valid: JsonObject, world: World): (() => Promise<void>)[] {
  return fullBodies("createWebhook", valid, world).map(({ body, says }) => async () => {
    const answer = await probe.send("createWebhook", { body });
    if (!taken(probe, answer, { says })) return;
    compareShown(probe, answer, body);
    await remove(probe, answer);
  });
}

async function remove(probe: Probe, { json }: RecordedExchange): Promise<void> {
  await probe.succeed("deleteWebhook", { path: { id: idOf(asObject(json)) } });
}

/** A quota may have no room for it, which is no fault. */
function taken(
  probe: Probe,
  answer: RecordedExchange,
  { says, rule = "bounds-taken" }: { says: string; rule?: Rule },
): boolean {
  const { status, operation } = answer;
  if (status === 403)
    probe.note(`bounds-taken: ${operation} returned 403 ${answer.body.subarray(0, 200)} for ${says.slice(0, 200)}`);
  if (status === 403 || status === 502 || status === 503) return false;
  const success = operation ? successOf(operation) : 200;
  const expected = `${success}, since all of it is allowed: ${says}`;
  return probe.check(answer, rule, status === success, expected.slice(0, 800));
}

/** The texts of a parameter that are allowed at its bounds. */
function textsTaken(operation: OperationId, world: World): [name: string, place: string, text: string][] {
  return describedParameters(operation).flatMap((parameter) =>
    parameterCandidates(parameter, samplesOf(world)).flatMap(({ value }): [string, string, string][] => {
      const isAllowed = constraintsBrokenByText(parameter, String(value)).length === 0;
      const isOther = parameter.in === "path" && String(value).toLowerCase() !== world.webhookId;
      if (!isAllowed || isOther || judgeParameter(parameter.name) !== "valid") return [];
      return [[parameter.name, parameter.in, String(value)]];
    }),
  );
}

/** Bodies that together have each allowed candidate of each field once. */
export function fullBodies(operation: WithBody, valid: JsonObject, world: World): { body: JsonObject; says: string }[] {
  const schema = requestSchema(operation) ?? {};
  const samples = samplesOf(world);
  const isValid = (body: JsonObject) =>
    constraintsBroken(schema, body).length === 0 &&
    worst([judge(schema, body, world), judgeBody(body, world)]) === "valid";
  const ofField = new Map<string, OneOther[]>();
  for (const one of eachInBody(valid, schema, samples)) {
    if (one.value === undefined || !isValid(one.body)) continue;
    const place = one.at.join(".");
    ofField.set(place, [...(ofField.get(place) ?? []), one]);
  }
  const rounds = Math.max(0, ...[...ofField.values()].map((all) => all.length));
  return Array.from({ length: rounds }, (_, round) => {
    let body = valid;
    const said: string[] = [];
    for (const all of ofField.values()) {
      const one = all[round];
      if (!one) continue;
      const parents = withParents(body, schema, one.at, samples);
      const next = mended(operation, asObject(withField(parents, one.at, one.value)), world);
      // Two that are valid alone may not fit together.
      if (!isValid(next)) continue;
      body = next;
      said.push(`${one.at.join(".")} is ${one.what}`);
    }
    return { body, says: said.join(", ") };
  });
}

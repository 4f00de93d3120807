/** Requests with one fault each, made from the contract's schemas and words: they must be refused, and the fault be named. */
import type { OperationId } from "../../../../generated/operations.ts";
import { asObject, type JsonObject } from "../../../document/json.ts";
import { eachInBody, faultsIn, type OneOther, wrongTexts } from "../bounds/one-each.ts";
import { withParameter } from "../bounds/parameters.ts";
import { judgeBody } from "../cases/bodies.ts";
import { judge, samplesOf, type World, worst } from "../cases/words.ts";
import {
  constraintsBroken,
  type DescribedPart,
  describedParameters,
  operationIds,
  requestSchema,
} from "../contract.ts";
import type { RecordedExchange } from "../exchange.ts";
import { idOf, itemsOf, newWebhook, nothing, type Probe, type ProbeCall } from "../probe.ts";
import type { Rule } from "../rules.ts";
import { allSettledOf } from "../together.ts";

/** The operations that take a body. */
export type WithBody =
  | "createWebhook"
  | "updateWebhook"
  | "addWebhookAddresses"
  | "removeWebhookAddresses"
  | "createReplay"
  | "previewWebhook";

/** A body of each that is valid as far as can be known. */
export function validBodies({ target }: Probe): Record<WithBody, JsonObject> {
  const metadata = { addresses: [target.address], eventSignatures: [], includeLogs: true };
  const { address, chainId, followedBlock } = target;
  return {
    createWebhook: newWebhook(target, { metadata }),
    updateWebhook: {},
    addWebhookAddresses: { addresses: [address] },
    removeWebhookAddresses: { addresses: [address] },
    createReplay: { fromBlock: "0", toBlock: "0", includeEarlier: true },
    previewWebhook: { chainId, metadata, blockNumber: String(followedBlock ?? 0) },
  };
}

/** What the contract's words are about, on this server. @param webhookId of a webhook that is there */
export async function worldOf(probe: Probe, webhookId: string): Promise<World> {
  const { target } = probe;
  const chains = itemsOf(asObject((await probe.send("listChains")).json), "chains");
  const chainIds = [target.chainId, ...chains.map(({ chainId }) => String(chainId))];
  const finality = chains.some(({ chainId, finality }) => chainId === target.chainId && finality !== undefined);
  return { target, chainIds, finality, webhookId, crowded: false };
}

/** Sends them. */
export async function checkRequests(probe: Probe): Promise<void> {
  const webhook = await probe.create();
  const path = { id: webhook ? idOf(webhook) : "" };
  if (!webhook) return;
  const world = await worldOf(probe, path.id);
  const samples = samplesOf(world);
  const valid = validBodies(probe);
  const { metadata } = valid.createWebhook;
  const shared = sharedWithCreation();
  const bodies = (Object.entries(valid) as [WithBody, JsonObject][]).flatMap(([operation, body]) => {
    const schema = requestSchema(operation) ?? {};
    const bySchema = faultsIn(body, schema, samples).map((fault) => {
      const rule: Rule = fault.what === "unknown" ? "unknown-field-refused" : "bad-request-400";
      return { ...fault, rule };
    });
    const faults = [...bySchema, ...faultsByWords(body, schema, world)].filter((fault) => !shared(operation, fault));
    return faults.map(({ rule, at, what, body }) => async () => {
      const answer = await probe.send(operation, { path, body });
      refused(probe, answer, rule, nameOf(at), `${at.join(".")} is ${what}`);
    });
  });
  const parameters = operationIds.flatMap((operation) =>
    describedParameters(operation).map((parameter) => () => {
      // With everything else as it should be.
      const others = Object.fromEntries(
        describedParameters(operation).flatMap(({ name, in: place }) => (place === "path" ? [[name, nothing]] : [])),
      );
      const body = requestSchema(operation) && { body: valid[operation as WithBody] };
      return checkParameter(probe, operation, parameter, { samples, call: { path: { ...others, ...path }, ...body } });
    }),
  );
  const lists = ["listWebhooks", "listWebhookAddresses", "listNotifications", "listChains"] as const;
  const unknown = lists.map((operation) => async () => {
    const answer = await probe.send(operation, { path, query: { colour: "red" } });
    refused(probe, answer, "unknown-field-refused", "colour", "the query parameter colour is unknown");
  });
  const watchesNothing = async () => {
    const answer = await probe.send("createWebhook", { body: newWebhook(probe.target, { metadata: {} }) });
    refused(probe, answer, "bad-request-400", "addresses", "metadata has neither addresses nor createdBy");
  };
  const anyAndSome = async () => {
    const body = newWebhook(probe.target, { metadata: { ...asObject(metadata), anyAddress: true } });
    const answer = await probe.send("createWebhook", { body });
    // The operator may not allow it, and need not look further.
    if (answer.status === 403) return;
    refused(probe, answer, "bad-request-400", "anyAddress", "metadata has anyAddress and addresses");
  };
  const fixed = Object.entries(whatCannotChange(probe)).map(([name, value]) => async () => {
    const answer = await probe.send("updateWebhook", { path, body: { [name]: value } });
    refused(probe, answer, "unknown-field-refused", name, `${name} cannot be changed`);
  });
  const places = { txHash: `0x${"0".repeat(63)}1`, blockNumber: "9999999999999999999" };
  const nowhere = Object.entries(places).map(([name, value]) => async () => {
    const { chainId } = probe.target;
    const answer = await probe.send("previewWebhook", { body: { chainId, metadata, [name]: value } });
    refused(probe, answer, "bad-request-400", name, `the chain has no such ${name}`);
  });
  await allSettledOf([...bodies, ...parameters, ...unknown, ...nowhere, ...fixed, watchesNothing, anyAndSome]);
  await probe.succeed("deleteWebhook", { path });
}

/** Whether a preview need not be sent a fault: one for each field that it shares with a creation shows whether that is looked at. */
function sharedWithCreation(): (operation: WithBody, fault: OneOther & { rule: Rule }) => boolean {
  const known = new Set<string>();
  return (operation, { at, what, rule }) => {
    const place = at.join(".");
    if (operation === "createWebhook") known.add(`${place} ${what}`);
    if (operation !== "previewWebhook" || !known.has(`${place} ${what}`)) return false;
    const isTried = known.has(`${place} ${rule}`);
    known.add(`${place} ${rule}`);
    return isTried;
  };
}

/** What schemas allow and words do not: one for each place, rule and kind of value. */
function faultsByWords(body: JsonObject, schema: JsonObject, world: World): (OneOther & { rule: Rule })[] {
  const chosen = new Map<string, OneOther & { rule: Rule }>();
  for (const one of eachInBody(body, schema, samplesOf(world))) {
    if (constraintsBroken(schema, one.body).length > 0) continue;
    const judgement = worst([judge(schema, one.body, world), judgeBody(one.body, world)]);
    if (typeof judgement !== "object") continue;
    // Of an address, one wrong checksum is enough, in each place of a list.
    const what = judgement.rule === "checksum-refused" ? one.what.split(" ", 2).join(" ") : one.what;
    const key = [...one.at, judgement.rule, what].join(" ");
    if (!chosen.has(key)) chosen.set(key, { ...one, rule: judgement.rule });
  }
  return [...chosen.values()];
}

/** What a message must name: a field, and of an item of a list that list. */
const nameOf = (at: readonly string[]) => at.findLast((name) => !/^\d+$/.test(name)) ?? "";

/** The fields of a creation that no update has, and the options of its metadata, as if they were fields of an update. */
function whatCannotChange({ target }: Probe): JsonObject {
  const { url: _, metadata, ...others } = newWebhook(target);
  const options = { ordered: true, batch: { maxItems: 2 }, includeTransfers: true, addresses: [target.address] };
  return { ...others, metadata, finality: { confirmations: 1 }, delivery: "url", ...options };
}

async function checkParameter(
  probe: Probe,
  operation: OperationId,
  parameter: DescribedPart,
  { samples, call }: { samples: ReturnType<typeof samplesOf>; call: ProbeCall },
): Promise<void> {
  const { name, in: place } = parameter;
  for (const { what, value } of wrongTexts(parameter, samples)) {
    const answer = await probe.send(operation, withParameter(call, place, name, String(value)));
    refused(probe, answer, "bad-request-400", name, `${name} is ${what}`);
  }
}

function refused(probe: Probe, answer: RecordedExchange, rule: Rule, field: string, why: string): void {
  if (answer.status !== 400) {
    probe.status(answer, rule, 400);
    return;
  }
  const { message } = asObject(answer.json);
  const named = String(message).toLowerCase().includes(field.toLowerCase());
  // A preview of a block that is not there is refused as well, and then for that.
  const { operation } = answer;
  if (!named && operation === "previewWebhook" && /blockNumber|txHash/.test(String(message)))
    return void probe.check(answer, rule, false, `400 for ${field}, since ${why}`, `${message}`);
  probe.check(answer, "error-names-the-field", named, `a message that names ${field}, since ${why}`, `${message}`);
}

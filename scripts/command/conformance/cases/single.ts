/** A case of one request: whether it was taken or refused as the contract wants, and what its answer means. */
import type { Arbitrary } from "fast-check";
import type { OperationId } from "../../../../generated/operations.ts";
import { asObject, type Json, type JsonObject } from "../../../document/json.ts";
import { describedParameters, followed, requestSchema, successOf } from "../contract.ts";
import type { RecordedExchange } from "../exchange.ts";
import { itemsOf, nothing, type Probe, type ProbeCall, unused } from "../probe.ts";
import { arbitraryOf } from "./arbitraries.ts";
import { type Aspect, judgementOf } from "./aspects.ts";
import { bodyOf } from "./attempt.ts";
import { mended } from "./bodies.ts";
import type { FastCheck } from "./fast-check.ts";
import { createdBy, differences, shownOf } from "./model.ts";
import type { World } from "./words.ts";

/** Elsewhere these are tried for what they do: a test calls somebody, a deleted webhook is gone, and a feed waits. */
const onNothing: readonly OperationId[] = ["deleteWebhook", "testWebhook", "readFeed"];

/** Valid calls of an operation on the webhook that is there. */
export function callsOf(fc: FastCheck, operation: OperationId, world: World): Arbitrary<ProbeCall> {
  const described = describedParameters(operation);
  const path = Object.fromEntries(
    described
      .filter(({ in: place }) => place === "path")
      .map(({ name }) => [name, name === "id" && !onNothing.includes(operation) ? world.webhookId : nothing]),
  );
  const query = Object.fromEntries(
    described
      // A page token is valid if a page gave it out: sequences follow those.
      .filter(({ in: place, name }) => place === "query" && name !== "pageToken")
      .map(({ name, schema }): [string, Arbitrary<Json>] => [name, arbitraryOf(fc, schema, world)]),
  );
  const schema = requestSchema(operation);
  const body: Arbitrary<Json | undefined> = schema ? arbitraryOf(fc, schema, world) : fc.constant(undefined);
  const requiredKeys = described.flatMap(({ name, required }) => (required && name in query ? [name] : []));
  const queries = fc.record(query, { requiredKeys, noNullPrototype: true });
  return fc.record({ query: queries, body }).map(({ query: asked, body: sent }) => ({
    path,
    ...(Object.keys(asked).length > 0 && { query: asked as Record<string, string | number> }),
    ...(sent !== undefined && { body: mended(operation, asObject(sent), world) }),
  }));
}

/** The call on nothing, where it would end or use up the webhook that all cases share. */
function sparing(operation: OperationId, call: ProbeCall, { webhookId }: World): ProbeCall {
  const isShared = onNothing.includes(operation) && call.path?.id?.toLowerCase() === webhookId;
  return isShared ? { ...call, path: { ...call.path, id: nothing } } : call;
}

/** Sends it and examines the answer. */
export async function trySingle(probe: Probe, call: ProbeCall, aspect: Aspect, world: World): Promise<void> {
  const { operation, field, says } = aspect;
  const changed = sparing(operation, aspect.change(call), world);
  const judgement = judgementOf(operation, changed, aspect, world);
  const answer = await probe.send(operation, withOwnKey(changed));
  const ok = answer.status < 300;
  if (typeof judgement === "object") {
    const status = judgement.rule === "media-type-415" ? 415 : 400;
    if (!probe.check(answer, judgement.rule, answer.status === status, `${status}, since ${says}`)) return;
    const message = String(asObject(answer.json).message);
    if (status === 400 && field !== undefined)
      probe.check(answer, "error-names-the-field", names(message, field), `a message that names ${field}`, message);
    return;
  }
  if (isUnknown(changed, world)) return void probe.status(answer, "unknown-is-404", 404);
  if (!ok && isExcused(answer, changed)) return;
  // What is left to the server may be another field than the one that was changed, so any may be named.
  if (judgement === "either" && answer.status === 400) return;
  if (
    !probe.check(
      answer,
      "status-expected",
      answer.status === successOf(operation),
      `${successOf(operation)}, since ${says} is valid`,
    )
  )
    return;
  await examineMeaning(probe, operation, changed, answer);
}

const names = (message: string, field: string) => message.toLowerCase().includes(field.toLowerCase());

/** A key that was used before would answer for that request. A short one cannot be made another. */
function withOwnKey(call: ProbeCall): ProbeCall {
  const key = call.headers?.["Idempotency-Key"];
  if (key === undefined || key.length < 37 || !/^[!-~]+$/.test(key)) return call;
  return { ...call, headers: { ...call.headers, "Idempotency-Key": unused() + key.slice(36) } };
}

/** Whether the path names something that there is not: no case has a notification or a replay. A client makes up the changes. */
function isUnknown({ path: { id, changeId: _, ...others } = {} }: ProbeCall, { webhookId }: World): boolean {
  return Object.keys(others).length > 0 || (id !== undefined && id.toLowerCase() !== webhookId);
}

/** A documented reason not to do what is asked, which is no fault of the server. */
function isExcused({ status, operation }: RecordedExchange, { headers = {}, body }: ProbeCall): boolean {
  if (status === 502 || status === 503) return true;
  if (status === 409) return operation === "createReplay" || headers["Idempotency-Key"] !== undefined;
  if (status === 403 && operation === "createReplay") return true;
  return status === 403 && (addressesIn(body) > provenAddresses || asObject(body?.metadata).anyAddress === true);
}

/** A quota allows these: as many are added when the cases begin. */
export const provenAddresses = 6;

function addressesIn(body: JsonObject = {}): number {
  const { addresses } = { ...asObject(body.metadata), ...body };
  return Array.isArray(addresses) ? addresses.length : 0;
}

async function examineMeaning(
  probe: Probe,
  operation: OperationId,
  call: ProbeCall,
  answer: RecordedExchange,
): Promise<void> {
  const came = bodyOf(answer);
  if (!came) return;
  const { body = {}, query = {} } = call;
  if (operation === "createWebhook") {
    const wrong = differences(createdBy(body), came);
    probe.check(answer, "created-as-asked", wrong.length === 0, wrong.join(", "));
    const location = answer.headers.location;
    probe.check(answer, "location", location === `/v1/webhooks/${came.id}`, `Location: /v1/webhooks/${came.id}`);
  }
  if (operation === "updateWebhook") {
    const wrong = differences(shownOf(body), came);
    probe.check(answer, "update-changes-what-is-given", wrong.length === 0, wrong.join(", "));
  }
  if (operation === "createReplay") {
    const { fromBlock, toBlock } = body;
    const wrong = differences({ webhookId: call.path?.id?.toLowerCase(), fromBlock, toBlock }, came);
    probe.check(answer, "created-as-asked", wrong.length === 0, wrong.join(", "));
  }
  if (operation === "previewWebhook") {
    const { chainId, blockNumber } = body;
    const wrong = differences({ chainId, ...(blockNumber !== undefined && { blockNumber }) }, came);
    probe.check(answer, "preview-of-block", wrong.length === 0, wrong.join(", "));
  }
  if (operation === "listChains") {
    const ids = itemsOf(came, "chains").map(({ chainId }) => BigInt(String(chainId)));
    const ascending = ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? id));
    probe.check(answer, "chains-ascending", ascending, "chainId ascending", ids.join(", "));
  }
  const items = Object.values(came).find(Array.isArray);
  const most = query.pageSize ?? defaultOf(operation, "pageSize");
  if (items && most !== undefined)
    probe.check(
      answer,
      "pagination-page-size",
      items.length <= Number(most),
      `at most ${most} items`,
      `${items.length}`,
    );
  if (items && query.status !== undefined) {
    const others = items.filter((item) => asObject(item).status !== query.status);
    probe.check(answer, "list-by-status", others.length === 0, `only items of the status ${query.status}`);
  }
}

function defaultOf(operation: OperationId, parameter: string): Json | undefined {
  const found = describedParameters(operation).find(({ name }) => name === parameter);
  return found && followed(found.schema).default;
}

/** What can be tried at each operation: every bound of every parameter, header and field, other bodies, and other media types. */
import type { OperationId } from "../../../../generated/operations.ts";
import { asObject, type JsonObject } from "../../../document/json.ts";
import { allowedBy, fieldCandidates, withField } from "../bounds/candidates.ts";
import { withParents } from "../bounds/one-each.ts";
import { parameterCandidates, withParameter } from "../bounds/parameters.ts";
import { type DescribedPart, describedParameters, faultsOfText, operationIds, requestSchema } from "../contract.ts";
import type { ProbeCall } from "../probe.ts";
import type { Rule } from "../rules.ts";
import { judgeBody, watchingNothing, withoutExcluded } from "./bodies.ts";
import { secretValue } from "./known-values.ts";
import { type Judgement, judge, judgeParameter, samplesOf, type World, worst } from "./words.ts";

/** One thing about a request. Everything else of the request is random and as the contract wants it. */
export type Aspect = {
  operation: OperationId;
  /** What an error must name; undefined where it is no field. */
  field: string | undefined;
  /** Such as `name is 201 characters long`. */
  says: string;
  change(call: ProbeCall): ProbeCall;
  /** Where no schema can tell: the rule by which a server refuses it. */
  refusedBy?: Rule;
};

/** The operations that take a body. */
const withBody = operationIds.filter((operation) => requestSchema(operation) !== undefined);

/** An account has one operational webhook, and a run leaves it alone where there is one. Where there is none, `checks/operational.ts` looks at it. */
const tried = operationIds.filter((operation) => !operation.includes("Operational"));

/** All of them, in the order of the contract. */
export function aspectsOf(world: World): Aspect[] {
  return tried.flatMap((operation) => [
    { operation, field: undefined, says: "a valid request", change: (call: ProbeCall) => call },
    ...describedParameters(operation).flatMap((parameter) => ofParameter(operation, parameter, world)),
    ...(operation.startsWith("list") ? [unknownParameter(operation)] : []),
    ...(withBody.includes(operation)
      ? [...ofFields(operation, world), ...ofFieldsTogether(operation), ...ofBody(operation), ...ofMediaType(operation)]
      : []),
  ]);
}

function ofParameter(operation: OperationId, parameter: DescribedPart, world: World): Aspect[] {
  const { name, in: place } = parameter;
  return parameterCandidates(parameter, samplesOf(world)).map(({ what, value }) => ({
    operation,
    field: name,
    says: `${name} is ${what}`,
    change: (call) => withParameter(call, place, name, String(value)),
  }));
}

function unknownParameter(operation: OperationId): Aspect {
  const change = (call: ProbeCall) => withParameter(call, "query", "colour", "red");
  return { operation, field: "colour", says: "colour is unknown", change, refusedBy: "unknown-field-refused" };
}

function ofFields(operation: OperationId, world: World): Aspect[] {
  const schema = requestSchema(operation) ?? {};
  const samples = samplesOf(world);
  return fieldCandidates(schema, samples).map(({ at, what, value }) => ({
    operation,
    field: at.at(-1),
    says: `${at.join(".")} is ${what}`,
    change: (call) => {
      const body = withParents(withoutExcluded(call.body ?? {}, at), schema, at, samples);
      return { ...call, body: asObject(withField(body, at, value)) };
    },
    ...(what === "unknown" && { refusedBy: "unknown-field-refused" as const }),
  }));
}

/** What is wrong with fields of which each is valid. */
function ofFieldsTogether(operation: OperationId): Aspect[] {
  const properties = asObject(requestSchema(operation)?.properties);
  const wrong = (field: string | undefined, says: string, change: (body: JsonObject) => JsonObject): Aspect => ({
    ...{ operation, field, says, refusedBy: "bad-request-400" },
    change: (call) => ({ ...call, body: change(call.body ?? {}) }),
  });
  const { txHash, blockNumber, metadata, compatibility, delivery } = properties;
  const inGlaciersForm = (body: JsonObject, options: JsonObject) => ({
    ...{ ...body, compatibility: "glacier" },
    metadata: { ...asObject(withoutExcluded(body, ["compatibility"]).metadata), ...options },
  });
  return [
    ...(compatibility
      ? [
          wrong("batch", "compatibility has a batch", (body) => inGlaciersForm(body, { batch: { maxItems: 2 } })),
          wrong("includeTransfers", "compatibility is without transfers", (body) =>
            inGlaciersForm(body, { includeTransfers: false }),
          ),
        ]
      : []),
    ...(delivery ? ofDelivery(operation, wrong) : []),
    ...(metadata ? [wrong("addresses", "metadata has neither addresses nor createdBy", watchingNothing)] : []),
    ...(txHash && blockNumber
      ? [
          wrong(undefined, "txHash and blockNumber are both there", (body) => ({
            ...body,
            ...{ txHash: `0x${"5a".repeat(32)}`, blockNumber: "1" },
          })),
          wrong(undefined, "txHash and blockNumber are absent", ({ txHash: _, blockNumber: __, ...body }) => body),
        ]
      : []),
  ];
}

type Wrong = (field: string | undefined, says: string, change: (body: JsonObject) => JsonObject) => Aspect;

/** A webhook that is only read by its feed has nowhere to send to, and no other may be without. */
function ofDelivery(operation: OperationId, wrong: Wrong): Aspect[] {
  const feedOnly = (body: JsonObject) => ({ ...withoutExcluded(body, ["delivery"]), delivery: "feed" });
  const withOption = (body: JsonObject, option: JsonObject) => {
    const own: JsonObject = feedOnly(body);
    return { ...own, metadata: { ...asObject(own.metadata), ...option } };
  };
  const url = "https://receiver.example.com/";
  return [
    wrong("url", "a webhook with the delivery feed has a url", (body) => ({ ...feedOnly(body), url })),
    wrong("compatibility", "a webhook with the delivery feed has a compatibility", (body) => ({
      ...feedOnly(body),
      compatibility: "glacier",
    })),
    wrong("maxPerSecond", "a webhook with the delivery feed has a maxPerSecond", (body) => ({
      ...feedOnly(body),
      maxPerSecond: 1,
    })),
    wrong("headers", "a webhook with the delivery feed has headers", (body) => ({
      ...feedOnly(body),
      headers: { "X-Key": secretValue },
    })),
    wrong("batch", "a webhook with the delivery feed has a batch", (body) =>
      withOption(body, { batch: { maxItems: 2 } }),
    ),
    wrong("ordered", "a webhook with the delivery feed is ordered", (body) => withOption(body, { ordered: true })),
    ...(operation === "createWebhook"
      ? [wrong("url", "a webhook with the delivery url has no url", ({ url: _, ...body }) => body)]
      : []),
  ];
}

const texts: [what: string, text: (body: string) => string][] = [
  ["is empty", () => ""],
  ["is null", () => "null"],
  ["is an array", (body) => `[${body}]`],
  ["is a text", () => '"a text"'],
  ["is a number", () => "7"],
  ["is cut off", (body) => body.slice(0, -1)],
  ["has text after its end", (body) => `${body}x`],
  ["has a comma too many", (body) => body.replace(/}$/, ",}")],
  ["has a field twice", (body) => body.replace(/}$/, `${body === "{}" ? "" : ","}"colour":1,"colour":2}`)],
  ["has half of a surrogate pair", () => '{"name":"\\ud800"}'],
];

function ofBody(operation: OperationId): Aspect[] {
  return texts.map(([what, text]) => ({
    operation,
    field: undefined,
    says: `the body ${what}`,
    change: ({ body, ...call }) => ({ ...call, text: text(JSON.stringify(body ?? {})) }),
    refusedBy: "malformed-json-400",
  }));
}

const refusedTypes = [
  "text/plain",
  "application/xml",
  "application/x-www-form-urlencoded",
  "application/merge-patch+json",
  "application/json; charset=iso-8859-1",
];
const takenTypes = ["application/json; charset=utf-8", "Application/JSON", 'application/json;charset="UTF-8"'];

function ofMediaType(operation: OperationId): Aspect[] {
  return [...refusedTypes, ...takenTypes].map((type) => ({
    operation,
    field: undefined,
    says: `the content-type is ${type}`,
    change: (call) => withParameter(call, "header", "content-type", type),
    ...(refusedTypes.includes(type) && { refusedBy: "media-type-415" as const }),
  }));
}

/** Whether a server must take a request, by the schemas and then by the words. */
export function judgementOf(operation: OperationId, call: ProbeCall, { refusedBy }: Aspect, world: World): Judgement {
  if (refusedBy) return { rule: refusedBy };
  const ofParameters = describedParameters(operation).map((parameter) => judgeText(parameter, call));
  const schema = requestSchema(operation);
  if (!schema) return worst(ofParameters);
  const body = call.body ?? {};
  if (!allowedBy(schema, body)) return { rule: "bad-request-400" };
  return worst([...ofParameters, judge(schema, body, world), judgeBody(body, world)]);
}

function judgeText(parameter: DescribedPart, call: ProbeCall): Judgement {
  const { name, in: place } = parameter;
  const given = { path: call.path, query: call.query, header: call.headers }[place as "path"]?.[name];
  if (given === undefined) return "valid";
  if (faultsOfText(parameter, String(given)).length > 0) return { rule: "bad-request-400" };
  return judgeParameter(name);
}

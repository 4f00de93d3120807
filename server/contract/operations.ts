/** Finds the contract's operation of a request: prepared once, without trying each path's pattern in turn. */
import type { Request } from "express";
import { type OperationId, operationTable } from "../../generated/operations.ts";
import { edits } from "../base/edits.ts";
import { type Contract, operationsOf, parametersOf } from "./contract.ts";

/** An operation, and the parameters in the path as the client wrote them. */
export type FoundOperation = {
  operationId: OperationId;
  parameters: Readonly<Record<string, string>>;
  /** The contract's path, where the client called another name of it. */
  aliasOf?: string;
};

type Template = { segments: string[]; methods: Map<string, OperationId>; aliasOf?: string };

const templates = new Map<string, Template>();
for (const [operationId, { method, path }] of Object.entries(operationTable)) {
  const template = templates.get(path) ?? { segments: path.split("/"), methods: new Map() };
  template.methods.set(method.toUpperCase(), operationId as OperationId);
  templates.set(path, template);
}

/**
 * What AvaCloud's SDK calls. A colon in a path fights Express's path syntax, and the validator's, so these are other names of operations at the
 * edge, and no paths of the contract.
 */
const aliases: Readonly<Record<string, OperationId>> = {
  "/v1/webhooks:getSharedSecret": "getSharedSecret",
  "/v1/webhooks:generateOrRotateSharedSecret": "rotateSharedSecret",
};
for (const [alias, operationId] of Object.entries(aliases)) {
  const { method, path } = operationTable[operationId];
  const methods = new Map([[method.toUpperCase(), operationId]]);
  templates.set(alias, { segments: alias.split("/"), methods, aliasOf: path });
}

/** @returns the operation of which the path is another name, whatever the method */
export function aliased(path: string): { operationId: OperationId; method: string } | undefined {
  const operationId = Object.hasOwn(aliases, path) ? aliases[path] : undefined;
  return operationId && { operationId, method: operationTable[operationId].method.toUpperCase() };
}

const parametersIn = ({ segments }: Template) => segments.filter(isParameter).length;

/** The contract's paths, by how many segments they have. A path without parameters is found before one that it fits. */
const byLength = new Map<number, Template[]>();
for (const template of [...templates.values()].sort((a, b) => parametersIn(a) - parametersIn(b))) {
  const { length } = template.segments;
  byLength.set(length, [...(byLength.get(length) ?? []), template]);
}

/** @param path without its query @returns undefined for what the contract does not have */
export function findOperation(method: string, path: string): FoundOperation | undefined {
  const segments = path.split("/");
  const template = byLength.get(segments.length)?.find((one) => fits(one.segments, segments));
  // HEAD is answered as GET is.
  const operationId = template?.methods.get(method === "HEAD" ? "GET" : method);
  if (!template || operationId === undefined) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of template.segments.entries())
    if (isParameter(segment)) parameters[segment.slice(1, -1)] = segments[index] ?? "";
  return { operationId, parameters, ...(template.aliasOf && { aliasOf: template.aliasOf }) };
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{");
}

function fits(template: readonly string[], segments: readonly string[]): boolean {
  return template.every((part, index) => (isParameter(part) ? segments[index] !== "" : part === segments[index]));
}

/** What the validator notes at a request of one of the contract's operations. */
export type Described = { pathParams: Record<string, string>; schema: { operationId?: string } };

/** @returns undefined before the validator has seen the request, and for what the contract does not have */
export function describedBy(request: Request): Described | undefined {
  return (request as { openapi?: Described }).openapi;
}

/** The operation of a request, once the validator has seen it. */
export function operationOf(request: Request): string | undefined {
  return describedBy(request)?.schema.operationId;
}

type Parameters = Record<string, string>;

/**
 * Brings the path's parameters, and the request's url, into their one form: decoded, and UUIDs in lower case. A client may write a
 * UUID in any letter case (RFC 9562). Handlers and an app's own routes see it in lower case, and the contract's path for an alias.
 *
 * @returns what does it; that returns undefined where a parameter is not validly percent-encoded
 */
export function pathParameters(
  contract: Contract,
): (request: Pick<Request, "url">, found: FoundOperation) => Parameters | undefined {
  const uuids = uuidsOf(contract);
  return (request, { parameters: written, aliasOf }) => {
    const parameters = decoded(written);
    if (aliasOf !== undefined) request.url = request.url.replace(/^[^?]*/, aliasOf);
    for (const [name, value] of Object.entries(parameters ?? {})) {
      const lower = value.toLowerCase();
      if (!parameters || lower === value || !uuids.has(name)) continue;
      parameters[name] = lower;
      request.url = request.url.replace(`/${written[name]}`, `/${encodeURIComponent(lower)}`);
    }
    return parameters;
  };
}

/** The names of the parameters in paths that are UUIDs. */
function uuidsOf(contract: Contract): ReadonlySet<string | undefined> {
  const uuids = parametersOf(contract).filter(({ in: place, schema }) => place === "path" && schema?.$ref === uuid);
  return new Set(uuids.map(({ name }) => name));
}

const uuid = "#/components/schemas/UuidInput";

function decoded(parameters: Readonly<Parameters>): Parameters | undefined {
  try {
    return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    return undefined;
  }
}

/** Longer paths are not compared. The longest of the contract has 160 characters, with its ids. */
const longestCompared = 256;

/** What other APIs call an operation, and what a request of ours must hold for it. */
const otherNames: readonly { words: readonly string[]; operationId: OperationId; body?: string }[] = [
  { words: ["create", "register", "subscribe"], operationId: "createWebhook" },
  { words: ["list", "subscriptions", "hooks"], operationId: "listWebhooks" },
  { words: ["update", "edit"], operationId: "updateWebhook" },
  { words: ["delete", "remove", "unsubscribe"], operationId: "deleteWebhook" },
  {
    words: ["pause", "deactivate", "disable", "stop", "suspend"],
    operationId: "updateWebhook",
    body: '{"status": "inactive"}',
  },
  {
    words: ["resume", "unpause", "activate", "enable", "start"],
    operationId: "updateWebhook",
    body: '{"status": "active"}',
  },
  { words: ["events", "deliveries", "messages", "attempts", "logs"], operationId: "listNotifications" },
  { words: ["resend", "retry", "redeliver"], operationId: "resendNotification" },
  { words: ["backfill"], operationId: "createReplay" },
  { words: ["ping", "trigger"], operationId: "testWebhook" },
  { words: ["rotate"], operationId: "rotateWebhookSecret" },
  { words: ["networks"], operationId: "listChains" },
];

/**
 * Finds what a client probably meant by a path that does not exist. Nothing of the path is in the answer, since it may hold a key. Comparing
 * takes at most 0.1 ms, whatever the path.
 *
 * @param pages paths of the server besides the contract's
 * @returns what does it; that returns a path such as `/v1/webhooks/{id}`, or an operation; undefined where nothing is near
 */
export function pathMeant(contract: Contract, pages: readonly string[] = []): (path: string) => string | undefined {
  const others = Object.keys(aliases).filter((path) => {
    const { operationId } = aliased(path) ?? {};
    return operationId && operationTable[operationId].path in contract.paths;
  });
  const known = [...Object.keys(contract.paths), ...others, ...pages].map((path) => ({ path, words: wordsOf(path) }));
  const named = new Map<string, string>();
  for (const { operationId, method, path } of operationsOf(contract))
    for (const { words, body } of otherNames.filter((names) => names.operationId === operationId))
      for (const word of words)
        named.set(word, `${method.toUpperCase()} ${path}${body === undefined ? "" : ` with ${body}`}`);
  return (path) => {
    if (path.length > longestCompared) return undefined;
    const given = wordsOf(path);
    const [nearest] = known
      .map((one) => ({ path: one.path, distance: distanceOf(given, one.words) }))
      .sort((a, b) => a.distance - b.distance);
    if (nearest && nearest.distance < Number.POSITIVE_INFINITY) return nearest.path;
    return named.get(given.at(-1) ?? "");
  };
}

/** A path's segments, without what people put before them: `/api`, and a version. */
const wordsOf = (path: string) =>
  path
    .toLowerCase()
    .replace(/^\/+(api\/+)?(v\d+(?![^/]))?/, "")
    .split("/")
    .filter((word) => word !== "");

function distanceOf(given: readonly string[], known: readonly string[]): number {
  if (given.length !== known.length || given.length === 0) return Number.POSITIVE_INFINITY;
  return known.reduce((sum, word, index) => sum + (isParameter(word) ? 0 : typos(given[index] ?? "", word)), 0);
}

/** @returns an infinity for another word */
function typos(given: string, word: string): number {
  const most = Math.floor(word.length / 3);
  if (given.length >= 4 && word.startsWith(given)) return 1;
  if (Math.abs(given.length - word.length) > most) return Number.POSITIVE_INFINITY;
  const found = edits(given, word);
  return found <= most ? found : Number.POSITIVE_INFINITY;
}

/** The contract brought down to OpenAPI 3.0.3, for generators that stop there. */
import { asArray, asObject, isObject, type Json, type JsonObject, pointedAt } from "../../document/json.ts";
import { isOfSeveralTypes, schemaTo30 } from "./schema.ts";
import { type ShapeName, shapeNamed, shapes } from "./shapes.ts";

/**
 * A bundled OpenAPI 3.1 document as OpenAPI 3.0.3: the same operations, parameters, bodies, statuses and examples. 3.0 has no
 * `webhooks`, so a callback's path item is inlined where 3.1 refers to it. It has no lists of types either: those values are of any type.
 *
 * @throws on anything that 3.0 has no place for and that no rule here turns into something it has, with the place.
 */
export function toOpenApi30(bundle: JsonObject): JsonObject {
  const document = structuredClone(bundle);
  if (!/^3\.1\./.test(String(document.openapi)))
    throw new Error(`The document is OpenAPI ${document.openapi}, not 3.1.`);
  const info = infoTo30(asObject(document.info));
  inlineCallbacks(document);
  moveScopes(document);
  const { webhooks: _, ...rest } = structuredClone(document);
  dropSeveralTypes(rest);
  return converted(document, "#", "document", { ...rest, openapi: "3.0.3", info });
}

/** What refers to a schema of several types has a copy of it, so that none is left to become a generated type. */
function dropSeveralTypes({ components }: JsonObject): void {
  const schemas = asObject(asObject(components).schemas);
  for (const [name, schema] of Object.entries(schemas)) if (isOfSeveralTypes(asObject(schema))) delete schemas[name];
}

function infoTo30({ summary, license, ...info }: JsonObject): JsonObject {
  const { identifier, ...named } = asObject(license);
  const url = identifier === undefined ? named.url : `https://spdx.org/licenses/${identifier}.html`;
  const description = [summary, info.description].filter((text) => text !== undefined).join("\n\n");
  return { ...info, ...(description ? { description } : {}), ...(license ? { license: { ...named, url } } : {}) };
}

/** The first callback that sends a notification takes its operationId along; a further one needs another. */
function inlineCallbacks(document: JsonObject): void {
  const sent = new Set<string>();
  for (const { operation } of operations(document.paths)) {
    for (const callback of Object.values(asObject(operation.callbacks)).map(asObject)) {
      for (const [url, { $ref }] of Object.entries(callback).map(([key, item]) => [key, asObject(item)] as const)) {
        if (typeof $ref !== "string" || !$ref.startsWith("#/webhooks/")) continue;
        const item = structuredClone(asObject(pointedAt(document, $ref)));
        if (sent.has($ref))
          for (const { operation: one } of operations({ item }))
            one.operationId = `${operation.operationId}_${one.operationId}`;
        sent.add($ref);
        callback[url] = item;
      }
    }
  }
  const lost = Object.keys(asObject(document.webhooks)).find((name) => !sent.has(`#/webhooks/${name}`));
  if (lost)
    throw new Error(`#/webhooks/${lost} is no operation's callback, and OpenAPI 3.0 has no other place for it.`);
}

/** Only OAuth has scopes in 3.0. The description has those of an API key. */
function moveScopes(document: JsonObject): void {
  for (const { operation } of operations(document.paths)) {
    const demands = asArray(operation.security).map(asObject);
    const scopes = new Set(demands.flatMap((way) => Object.values(way).flatMap((one) => asArray(one))));
    if (scopes.size === 0) continue;
    if (demands.length > 1) throw new Error(`${operation.operationId} has scopes in more than one way in.`);
    operation.security = demands.map((way) => Object.fromEntries(Object.keys(way).map((scheme) => [scheme, []])));
    const scopeText = `Scope: ${[...scopes].map((scope) => `\`${scope}\``).join(" and ")}.`;
    operation.description = [operation.description, scopeText].filter((text) => text !== undefined).join("\n\n");
  }
}

function operations(items: Json | undefined): { operation: JsonObject }[] {
  return Object.values(asObject(items)).flatMap((item) =>
    ["get", "put", "post", "delete", "options", "head", "patch", "trace"].flatMap((method) => {
      const operation = asObject(item)[method];
      return isObject(operation) ? [{ operation }] : [];
    }),
  );
}

function converted(document: JsonObject, place: string, shape: ShapeName, value: Json | undefined): JsonObject {
  if (shape === "schema") return schemaTo30(document, place, value);
  if (!isObject(value)) throw new Error(`${place} is not an object.`);
  // Keys next to a reference only describe it again, and 3.0 ignores them.
  if (typeof value.$ref === "string") {
    if (!value.$ref.startsWith("#/components/"))
      throw new Error(`${place} refers to ${value.$ref}, which 3.0 does not have.`);
    return { $ref: value.$ref };
  }
  if (shape === "callback")
    return mapped(value, (key, item) => converted(document, `${place}/${key}`, "pathItem", item));
  if (shape === "securityScheme" && value.type === "mutualTLS")
    throw new Error(`${place} is mutualTLS, which 3.0 does not have.`);
  const keys: Record<string, string> = shapes[shape];
  return mapped(value, (key, one) => {
    const held = keys[key];
    const at = `${place}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (key.startsWith("x-")) return one;
    if (!held) throw new Error(`${at} has no place in OpenAPI 3.0.`);
    return heldTo30(document, at, held, one);
  });
}

function heldTo30(document: JsonObject, place: string, held: string, value: Json | undefined): Json | undefined {
  if (held === "copy") return value;
  if (held.endsWith("[]")) {
    const shape = shapeNamed(held.slice(0, -2));
    return asArray(value).map((one, index) => converted(document, `${place}/${index}`, shape, one));
  }
  if (held.endsWith("{}")) {
    const shape = shapeNamed(held.slice(0, -2));
    return mapped(asObject(value), (key, one) =>
      converted(document, `${place}/${key.replaceAll("/", "~1")}`, shape, one),
    );
  }
  return converted(document, place, shapeNamed(held), value);
}

function mapped(object: JsonObject, convert: (key: string, value: Json | undefined) => Json | undefined): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, convert(key, value)]));
}

/** Edits of what callers send. */
import { add, at, type Edit, field, omit, parameter, schema, set, take } from "./edit.ts";

const create = ["components", "schemas", "WebhookCreate", "properties"];

export const requestEdits: readonly Edit[] = [
  {
    name: "a required field is added to a request",
    rating: "major",
    edit: (c) => {
      set(at(c, ...create), { team: { type: "string" } });
      add(schema(c, "WebhookCreate"), "required", "team");
    },
  },
  {
    name: "an optional field is added to a request",
    rating: "minor",
    edit: (c) => set(at(c, ...create), { labels: { type: "string" } }),
  },
  { name: "a field is removed from a request", rating: "major", edit: (c) => take(at(c, ...create), "description") },
  {
    name: "an optional field of a request becomes required",
    rating: "major",
    edit: (c) => add(schema(c, "WebhookCreate"), "required", "name"),
  },
  {
    name: "a required field of a request becomes optional",
    rating: "minor",
    redocly: "patch",
    edit: (c) => omit(schema(c, "WebhookCreate"), "required", "eventType"),
  },
  {
    name: "a field of a request gets another type",
    rating: "major",
    edit: (c) => set(at(c, ...create), { includeLogs: { type: "string" } }),
  },
  {
    name: "a field of a request can be null",
    rating: "minor",
    redocly: "patch",
    edit: (c) => {
      const fields = at(c, "components", "schemas", "WebhookUpdate", "properties");
      set(fields, { description: { ...schema(c, "WebhookDescription"), type: ["string", "null"] } });
    },
  },
  {
    name: "fewer items are accepted",
    rating: "major",
    edit: (c) => set(field(c, "WebhookMetadataInput", "addresses"), { maxItems: 100 }),
  },
  {
    name: "more items are accepted",
    rating: "minor",
    redocly: "patch",
    edit: (c) => set(field(c, "AddressListInput", "addresses"), { maxItems: 20000 }),
  },
  {
    name: "a pattern that a request must match is dropped",
    rating: "minor",
    redocly: "patch",
    edit: (c) => take(schema(c, "EventSignatureInput"), "pattern"),
  },
  {
    name: "a request must match a pattern",
    rating: "major",
    edit: (c) => set(at(c, "components", "parameters", "PageToken", "schema"), { pattern: "^[0-9]*$" }),
  },
  {
    name: "a request must match another pattern, and which values that takes is not judged",
    rating: "major",
    edit: (c) => set(schema(c, "AddressInput"), { pattern: "^0x[0-9a-f]{40}$" }),
  },
  {
    name: "a request refers to a narrower schema",
    rating: "major",
    edit: (c) => set(field(c, "AddressListInput", "addresses"), { items: { $ref: "#/components/schemas/Address" } }),
  },
  {
    name: "a request may hold other fields",
    rating: "minor",
    redocly: "patch",
    edit: (c) => take(schema(c, "WebhookMetadataInput"), "additionalProperties"),
  },
  {
    name: "a request must fit a keyword that the comparison does not know",
    rating: "major",
    redocly: "minor",
    edit: (c) => set(schema(c, "WebhookUpdate"), { patternProperties: { "^n": { maxLength: 3 } } }),
  },
  {
    name: "a body may be left out",
    rating: "minor",
    redocly: "patch",
    edit: (c) => set(at(c, "paths", "/v1/webhooks/{id}", "patch", "requestBody"), { required: false }),
  },
  {
    name: "a body is accepted as another media type only",
    rating: "major",
    edit: (c) => {
      const content = at(c, "paths", "/v1/webhooks/{id}", "patch", "requestBody", "content");
      set(content, { "application/merge-patch+json": take(content, "application/json") });
    },
  },
  {
    name: "a required parameter is added",
    rating: "major",
    edit: (c) =>
      add(at(c, "paths", "/v1/chains", "get"), "parameters", {
        name: "network",
        in: "query",
        required: true,
        schema: { type: "string" },
      }),
  },
  {
    name: "an optional parameter is added",
    rating: "minor",
    edit: (c) =>
      add(at(c, "paths", "/v1/chains", "get"), "parameters", { name: "name", in: "query", schema: { type: "string" } }),
  },
  {
    name: "a parameter is removed",
    rating: "major",
    edit: (c) => take(at(c, "paths", "/v1/webhooks", "post"), "parameters"),
  },
  {
    name: "an optional parameter becomes required",
    rating: "major",
    edit: (c) => set(at(c, "components", "parameters", "IdempotencyKey"), { required: true }),
  },
  {
    name: "a parameter's maximum falls",
    rating: "major",
    edit: (c) => set(at(parameter(at(c, "paths", "/v1/webhooks", "get"), "pageSize"), "schema"), { maximum: 50 }),
  },
  {
    name: "a parameter's maximum rises",
    rating: "minor",
    redocly: "patch",
    edit: (c) => set(at(parameter(at(c, "paths", "/v1/webhooks", "get"), "pageSize"), "schema"), { maximum: 500 }),
  },
  {
    name: "a parameter must be longer",
    rating: "major",
    edit: (c) => set(at(c, "components", "parameters", "IdempotencyKey", "schema"), { minLength: 8 }),
  },
  {
    name: "a parameter may be longer",
    rating: "minor",
    redocly: "patch",
    edit: (c) => set(at(c, "components", "parameters", "IdempotencyKey", "schema"), { maxLength: 1000 }),
  },
  {
    name: "a parameter has another default",
    rating: "major",
    redocly: "patch",
    edit: (c) =>
      set(at(parameter(at(c, "paths", "/v1/webhooks/{id}/addresses", "get"), "pageSize"), "schema"), { default: 50 }),
  },
  {
    name: "a parameter moves from a path to its operation",
    rating: "none",
    redocly: "major",
    edit: (c) => {
      const path = at(c, "paths", "/v1/webhooks/{id}/secret/rotate");
      set(at(path, "post"), { parameters: take(path, "parameters") });
    },
  },
];

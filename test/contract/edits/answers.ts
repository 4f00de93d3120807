/** Edits of what callers get. */
import { add, at, type Edit, field, omit, schema, set, take } from "./edit.ts";

export const answerEdits: readonly Edit[] = [
  {
    name: "a field of an answer is removed",
    rating: "major",
    edit: (c) => take(at(c, "components", "schemas", "Chain", "properties"), "lagBlocks"),
  },
  {
    name: "a field is added to an answer",
    rating: "minor",
    edit: (c) => {
      set(at(c, "components", "schemas", "Chain", "properties"), { symbol: { type: "string" } });
      add(schema(c, "Chain"), "required", "symbol");
    },
  },
  {
    name: "a required field of an answer becomes optional",
    rating: "major",
    edit: (c) => omit(schema(c, "AddressPage"), "required", "totalAddresses"),
  },
  {
    name: "an optional field of an answer becomes required",
    rating: "minor",
    redocly: "patch",
    edit: (c) => add(schema(c, "WebhookSecret"), "required", "previousSecretExpiresAt"),
  },
  {
    name: "a value is added to an enumeration of answers",
    rating: "minor",
    redocly: "major",
    edit: (c) => add(schema(c, "StatusReason"), "enum", "quota_exceeded"),
  },
  {
    name: "a value is removed from an enumeration of answers",
    rating: "minor",
    redocly: "patch",
    edit: (c) => omit(schema(c, "StatusReason"), "enum", "requested"),
  },
  {
    name: "an answer no longer lists its values",
    rating: "major",
    edit: (c) => take(schema(c, "StatusReason"), "enum"),
  },
  {
    name: "a value is added to an enumeration of requests and answers",
    rating: "minor",
    redocly: "major",
    edit: (c) => add(schema(c, "WebhookStatus"), "enum", "paused"),
  },
  {
    name: "a value is removed from an enumeration of requests and answers",
    rating: "major",
    edit: (c) => omit(schema(c, "WebhookStatus"), "enum", "inactive"),
  },
  {
    name: "a text of requests and answers may be longer, which only may break who reads it",
    rating: "minor",
    redocly: "major",
    edit: (c) => set(schema(c, "WebhookName"), { maxLength: 300 }),
  },
  {
    name: "a text of requests and answers must be shorter, which breaks who sends it",
    rating: "major",
    edit: (c) => set(schema(c, "WebhookName"), { maxLength: 100 }),
  },
  {
    name: "an answer has more items",
    rating: "major",
    edit: (c) => set(field(c, "WebhookMetadata", "addresses"), { maxItems: 2000 }),
  },
  {
    name: "an answer has fewer items",
    rating: "minor",
    redocly: "patch",
    edit: (c) => set(field(c, "WebhookMetadata", "addresses"), { maxItems: 500 }),
  },
  {
    name: "the minimum of an answer is dropped",
    rating: "major",
    edit: (c) => take(field(c, "AddressChange", "changed"), "minimum"),
  },
  {
    name: "an answer can be one of two",
    rating: "major",
    edit: (c) =>
      set(at(c, "components", "responses", "NotFound", "content", "application/json"), {
        schema: { oneOf: [{ $ref: "#/components/schemas/ApiError" }, { $ref: "#/components/schemas/Chain" }] },
      }),
  },
  {
    name: "an answer refers to another response",
    rating: "major",
    edit: (c) => {
      set(at(c, "components", "responses"), {
        Another: at(c, "paths", "/v1/webhooks/{id}", "get", "responses", "200"),
      });
      set(at(c, "paths", "/v1/chains", "get", "responses"), { "400": { $ref: "#/components/responses/Another" } });
    },
  },
  {
    name: "an answer's body has no schema any more",
    rating: "major",
    redocly: "patch",
    edit: (c) => take(at(c, "components", "responses", "Conflict", "content", "application/json"), "schema"),
  },
  {
    name: "an answer has no body any more",
    rating: "major",
    edit: (c) => take(at(c, "components", "responses", "NotFound"), "content"),
  },
  {
    name: "an answer can be had as another media type",
    rating: "minor",
    edit: (c) =>
      set(at(c, "paths", "/v1/chains", "get", "responses", "200", "content"), { "text/csv": { schema: {} } }),
  },
  {
    name: "a header of an answer is removed",
    rating: "major",
    edit: (c) => take(at(c, "paths", "/v1/webhooks", "post", "responses", "201"), "headers"),
  },
  {
    name: "a header of an answer becomes optional",
    rating: "major",
    redocly: "patch",
    edit: (c) =>
      set(at(c, "paths", "/v1/webhooks", "post", "responses", "201", "headers", "Location"), { required: false }),
  },
  {
    name: "a header of an answer gets another type",
    rating: "major",
    edit: (c) => set(at(c, "components", "headers", "RetryAfter", "schema"), { type: "string" }),
  },
  {
    name: "a header is added to an answer",
    rating: "minor",
    edit: (c) =>
      set(at(c, "components", "responses", "TooManyRequests", "headers"), {
        "X-Reset": { schema: { type: "string" } },
      }),
  },
  {
    name: "a status of success is removed",
    rating: "major",
    edit: (c) => take(at(c, "paths", "/v1/chains", "get", "responses"), "200"),
  },
  {
    name: "a success has another status",
    rating: "major",
    edit: (c) => {
      const responses = at(c, "paths", "/v1/webhooks", "post", "responses");
      set(responses, { "200": take(responses, "201") });
    },
  },
  {
    name: "a success can have another status too",
    rating: "major",
    redocly: "minor",
    edit: (c) => set(at(c, "paths", "/v1/webhooks", "post", "responses"), { "202": { description: "Accepted." } }),
  },
  {
    name: "an error's status is removed",
    rating: "minor",
    redocly: "major",
    edit: (c) => take(at(c, "paths", "/v1/webhooks", "post", "responses"), "409"),
  },
  {
    name: "an error's status is added",
    rating: "minor",
    edit: (c) =>
      set(at(c, "paths", "/v1/chains", "get", "responses"), { "404": { $ref: "#/components/responses/NotFound" } }),
  },
];

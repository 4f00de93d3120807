/** Edits that change how the contract says something, and not what. */
import { asArray } from "../../../scripts/document/json.ts";
import { at, type Edit, field, notification, schema, set, take } from "./edit.ts";

export const wordEdits: readonly Edit[] = [
  {
    name: "the document is described otherwise",
    rating: "patch",
    edit: (c) => set(at(c, "info"), { description: "Other." }),
  },
  {
    name: "a field is described otherwise, beside its reference",
    rating: "patch",
    edit: (c) => set(field(c, "Transaction", "to"), { description: "Other." }),
  },
  { name: "a schema has another example", rating: "patch", edit: (c) => set(schema(c, "Uuid"), { example: "other" }) },
  {
    name: "an example of an answer is changed",
    rating: "patch",
    redocly: "none",
    edit: (c) => set(at(c, "components", "examples", "error.400", "value"), { message: "Other." }),
  },
  {
    name: "an example of the payload is removed",
    rating: "patch",
    edit: (c) => take(at(notification(c), "requestBody", "content", "application/json", "examples"), "retraction"),
  },
  {
    name: "an operation has another tag",
    rating: "patch",
    edit: (c) => set(at(c, "paths", "/v1/chains", "get"), { tags: ["Webhooks"] }),
  },
  {
    name: "a shared schema has another name",
    rating: "patch",
    edit: (c) => {
      set(at(c, "components", "schemas"), { FollowedChain: take(at(c, "components", "schemas"), "Chain") });
      set(field(c, "ChainList", "chains"), { items: { $ref: "#/components/schemas/FollowedChain" } });
    },
  },
  {
    name: "a shared schema is written out where it is used",
    rating: "none",
    edit: (c) => set(field(c, "WebhookPage", "webhooks"), { items: { ...schema(c, "Webhook") } }),
  },
  {
    name: "a schema moves to a component of its own",
    rating: "patch",
    edit: (c) => {
      const fields = at(c, "components", "schemas", "Log", "properties");
      set(at(c, "components", "schemas"), { LogIndex: take(fields, "logIndex") });
      set(fields, { logIndex: { $ref: "#/components/schemas/LogIndex" } });
    },
  },
  {
    name: "a reference gets a wrapper",
    rating: "none",
    redocly: "major",
    edit: (c) =>
      set(at(c, "components", "schemas", "Log", "properties"), {
        topic1: { allOf: [{ $ref: "#/components/schemas/Topic" }] },
      }),
  },
  {
    name: "a response is written out where it is used",
    rating: "none",
    edit: (c) =>
      set(at(c, "paths", "/v1/chains", "get", "responses"), { "400": at(c, "components", "responses", "BadRequest") }),
  },
  {
    name: "a shared schema is added that nobody uses",
    rating: "patch",
    edit: (c) => set(at(c, "components", "schemas"), { Fee: { type: "string" } }),
  },
  {
    name: "a list of one value is written as a constant",
    rating: "none",
    redocly: "major",
    edit: (c) => set(schema(c, "EventType"), { const: asArray(take(schema(c, "EventType"), "enum"))[0] }),
  },
  {
    name: "a type is written as a list of one",
    rating: "none",
    redocly: "patch",
    edit: (c) => set(schema(c, "Hash"), { type: ["string"] }),
  },
  {
    name: "lists have another order",
    rating: "none",
    redocly: "patch",
    edit: (c) => {
      set(schema(c, "Webhook"), { required: asArray(schema(c, "Webhook").required).toReversed() });
      const list = at(c, "paths", "/v1/webhooks", "get");
      set(list, { parameters: asArray(list.parameters).toReversed() });
    },
  },
  {
    name: "only the version is another",
    rating: "none",
    edit: (c) => set(at(c, "info"), { version: "1.0.1" }),
  },
];

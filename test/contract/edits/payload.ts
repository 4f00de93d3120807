/** Edits of the payload of a notification. */
import { add, at, type Edit, field, notification, omit, schema, set, take } from "./edit.ts";

export const payloadEdits: readonly Edit[] = [
  {
    name: "a required field of the payload is removed",
    rating: "major",
    edit: (c) => {
      take(at(c, "components", "schemas", "Log", "properties"), "data");
      omit(schema(c, "Log"), "required", "data");
    },
  },
  {
    name: "an optional field of the payload is removed",
    rating: "major",
    edit: (c) => take(at(c, "components", "schemas", "AddressActivityEvent", "properties"), "removed"),
  },
  {
    name: "a field of the payload gets another type",
    rating: "major",
    edit: (c) => set(field(c, "Log", "logIndex"), { type: "string" }),
  },
  {
    name: "a field of the payload gets a wider type",
    rating: "major",
    edit: (c) => set(field(c, "Log", "transactionIndex"), { type: "number" }),
  },
  {
    name: "a field of the payload refers to another schema",
    rating: "major",
    edit: (c) => set(field(c, "Transaction", "value"), { $ref: "#/components/schemas/HexData" }),
  },
  {
    name: "a required field of the payload becomes optional",
    rating: "major",
    edit: (c) => omit(schema(c, "Transaction"), "required", "input"),
  },
  {
    name: "an optional field of the payload becomes required",
    rating: "minor",
    redocly: "patch",
    edit: (c) => add(schema(c, "AddressActivityEvent"), "required", "logs"),
  },
  {
    name: "an optional field is added to the payload",
    rating: "minor",
    edit: (c) => set(at(c, "components", "schemas", "Log", "properties"), { blockHash: { type: "string" } }),
  },
  {
    name: "a required field is added to the payload",
    rating: "minor",
    edit: (c) => {
      set(at(c, "components", "schemas", "Transaction", "properties"), { methodId: { type: "string" } });
      add(schema(c, "Transaction"), "required", "methodId");
    },
  },
  {
    name: "a field of the payload can be null",
    rating: "major",
    edit: (c) => set(field(c, "Log", "removed"), { type: ["boolean", "null"] }),
  },
  {
    name: "a field of the payload can no longer be null",
    rating: "minor",
    redocly: "patch",
    edit: (c) => set(schema(c, "Topic"), { type: "string" }),
  },
  {
    name: "a value is added to an enumeration of the payload",
    rating: "minor",
    redocly: "major",
    edit: (c) => add(field(c, "Transaction", "txStatus"), "enum", "2"),
  },
  {
    name: "a value is removed from an enumeration of the payload",
    rating: "minor",
    redocly: "patch",
    edit: (c) => omit(field(c, "Transaction", "txStatus"), "enum", "0"),
  },
  {
    name: "a pattern of the payload is dropped",
    rating: "major",
    edit: (c) => take(field(c, "InternalTransaction", "internalTxType"), "pattern"),
  },
  {
    name: "a limit is added to the payload",
    rating: "minor",
    redocly: "patch",
    edit: (c) => set(field(c, "Transaction", "type"), { maximum: 255 }),
  },
  {
    name: "the payload may hold other fields",
    rating: "minor",
    redocly: "major",
    edit: (c) => take(schema(c, "InternalTransaction"), "additionalProperties"),
  },
  {
    name: "the payload need not be there",
    rating: "major",
    redocly: "patch",
    edit: (c) => set(at(notification(c), "requestBody"), { required: false }),
  },
  {
    name: "the payload comes as another media type",
    rating: "major",
    edit: (c) => {
      const content = at(notification(c), "requestBody", "content");
      set(content, { "application/cloudevents+json": take(content, "application/json") });
    },
  },
];

/** Edits of what the shop sends to receivers, and what they answer: name, level, whom it breaks, and why. */
import { add, at, omit, schema, take } from "./edit.ts";
import { hook, op, prop, props, put, renameKey, type ShopEdit, why } from "./shop.ts";

// biome-ignore format: a table is read by its lines.
export const notificationEdits: readonly ShopEdit[] = [
  ["a field of a notification is removed", "breaking", ["receivers"], why.notFound, (s) => take(props(s, "Shipped"), "weight")],
  ["a required field of a notification becomes optional", "breaking", ["receivers"], why.receive, (s) => omit(schema(s, "Shipped"), "required", "carrier")],
  ["an optional field of a notification becomes required", "info", ["servers"], why.less, (s) => add(schema(s, "Shipped"), "required", "weight")],
  ["a field is added to a notification that allowed no others", "warning", ["receivers"], "The old document allowed no other fields. Readers that validate refuse it.", (s) => put(props(s, "Shipped"), { at: { type: "string" } })],
  ["a field is added to a callback's open body", "info", [], "Readers pass over fields that they do not know.", (s) => put(props(s, "Paid"), { by: { type: "string" } })],
  ["a notification may hold other fields", "warning", ["receivers"], "The old document allowed no other fields. Readers that validate refuse them once they come.", (s) => take(schema(s, "Shipped"), "additionalProperties")],
  ["a value is added to a list of a notification", "warning", ["receivers"], "Readers that know only the listed values meet a new one.", (s) => add(prop(s, "Shipped", "carrier"), "enum", "gls")],
  ["a value is removed from a list of a notification", "warning", ["receivers"], "Nobody gets it any more. Generated code that names it no longer compiles.", (s) => omit(prop(s, "Shipped", "carrier"), "enum", "ups")],
  ["a maximum of a notification is raised", "breaking", ["receivers"], why.receive, (s) => put(prop(s, "Shipped", "weight"), { maximum: 2000 })],
  ["a maximum of a notification is lowered", "info", ["servers"], why.less, (s) => put(prop(s, "Shipped", "weight"), { maximum: 500 })],
  ["a format of a callback's body is dropped", "breaking", ["receivers"], why.receive, (s) => take(prop(s, "Paid", "at"), "format")],
  ["a notification is removed", "breaking", ["receivers"], "They wait for what never comes.", (s) => take(at(s, "webhooks"), "shipped")],
  ["a notification is added", "info", ["servers"], "Nobody relies on it yet.", (s) => put(at(s, "webhooks"), { lost: { post: { responses: {} } } })],
  ["a notification comes with another method", "breaking", ["receivers"], "They wait for what never comes.", (s) => renameKey(at(s, "webhooks", "shipped"), "post", "put")],
  ["a notification comes as a further media type", "breaking", ["receivers"], "A receiver cannot choose the media type that it gets.", (s) => put(at(hook(s), "requestBody", "content"), { "application/xml": {} })],
  ["a notification comes as another media type", "breaking", ["receivers"], "They no longer get what they ask for.", (s) => renameKey(at(hook(s), "requestBody", "content"), "application/json", "application/cloudevents+json")],
  ["a notification need not have a body", "breaking", ["receivers"], why.receive, (s) => put(at(hook(s), "requestBody"), { required: false })],
  ["a header of a notification is removed", "breaking", ["receivers"], why.notFound, (s) => take(hook(s), "parameters")],
  ["a header of a notification need not be there", "breaking", ["receivers"], why.receive, (s) => put(at(hook(s), "parameters", "0"), { required: false })],
  ["a header is added to a notification", "info", [], "Readers pass over what they do not know.", (s) => add(hook(s), "parameters", { name: "X-Id", in: "header", required: true, schema: {} })],
  ["a header of a notification is restricted", "info", ["servers"], why.less, (s) => put(at(hook(s), "parameters", "0", "schema"), { maxLength: 88 })],
  ["what a receiver answers loses its meaning", "breaking", ["receivers"], why.answers, (s) => take(at(hook(s), "responses"), "410")],
  ["what a receiver answers gets a meaning", "info", ["servers"], "Servers that implement the old document do not understand what receivers may answer now.", (s) => put(at(hook(s), "responses"), { "409": { description: "Known." } })],
  ["a receiver must answer with a body", "breaking", ["receivers"], why.answers, (s) => put(at(hook(s), "responses", "2XX"), { content: { "application/json": { schema: { required: ["ok"] } } } })],
  ["a callback is removed", "breaking", ["receivers"], "They wait there for what never comes.", (s) => take(op(s, "POST /orders"), "callbacks")],
  ["a callback goes to another address", "breaking", ["receivers"], "They wait there for what never comes.", (s) => renameKey(at(op(s, "POST /orders"), "callbacks", "paid"), "{$request.body#/notifyUrl}", "{$request.header.notify}")],
  ["a further callback is made", "info", ["servers"], "Nobody waits for it yet.", (s) => put(at(op(s, "POST /orders"), "callbacks"), { sent: { "{$request.body#/notifyUrl}": { post: { responses: {} } } } })],
  ["a callback's answer loses its meaning", "breaking", ["receivers"], why.answers, (s) => take(at(op(s, "POST /orders"), "callbacks", "paid", "{$request.body#/notifyUrl}", "post", "responses"), "410")],
];

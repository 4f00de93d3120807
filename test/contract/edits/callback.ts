/** Edits of what stands around the payload: the callback, its headers, and what a receiver may answer. */
import { notificationHeader } from "../../../generated/notification-header.ts";
import { asObject } from "../../../scripts/document/json.ts";
import { add, at, type Edit, notification, omit, parameter, schema, set, take } from "./edit.ts";

export const callbackEdits: readonly Edit[] = [
  {
    name: "a header is removed from the callback",
    rating: "major",
    redocly: "patch",
    edit: (c) => {
      const sent = notification(c);
      omit(sent, "parameters", parameter(sent, notificationHeader.signature));
    },
  },
  {
    name: "a header of the callback becomes optional",
    rating: "major",
    redocly: "patch",
    edit: (c) => set(parameter(notification(c), notificationHeader.id), { required: false }),
  },
  {
    name: "a header is added to the callback",
    rating: "minor",
    edit: (c) =>
      add(notification(c), "parameters", {
        name: "webhook-attempt",
        in: "header",
        required: true,
        description: "Which attempt it is.",
        schema: { type: "string" },
      }),
  },
  {
    name: "a header of the callback may hold anything",
    rating: "major",
    edit: (c) => take(schema(c, "NotificationTimestamp"), "pattern"),
  },
  {
    name: "a header of the callback is written in other letters",
    rating: "none",
    redocly: "patch",
    edit: (c) => set(parameter(notification(c), notificationHeader.sequence), { name: "Webhook-Sequence" }),
  },
  {
    name: "an answer of the receiver loses its meaning",
    rating: "major",
    edit: (c) => take(at(notification(c), "responses"), "410"),
  },
  {
    name: "an answer of the receiver gets a meaning",
    rating: "minor",
    edit: (c) => set(at(notification(c), "responses"), { "409": { description: "Known already." } }),
  },
  {
    name: "the callback is removed, the notification stays described",
    rating: "major",
    edit: (c) => take(at(c, "paths", "/v1/webhooks", "post"), "callbacks"),
  },
  {
    name: "the callback goes to another address",
    rating: "major",
    redocly: "patch",
    edit: (c) => {
      const callback = at(c, "paths", "/v1/webhooks", "post", "callbacks", "addressActivity");
      set(callback, { "{$request.body#/callbackUrl}": take(callback, "{$request.body#/url}") });
    },
  },
  {
    name: "the callback's item is written out instead of referred to",
    rating: "none",
    redocly: "major",
    edit: (c) => {
      const { operationId: _, ...post } = notification(c);
      set(at(c, "paths", "/v1/webhooks", "post", "callbacks", "addressActivity"), { "{$request.body#/url}": { post } });
    },
  },
  {
    name: "a field is removed from a payload that only the callback describes",
    rating: "major",
    edit: (c) => {
      const { operationId: _, ...post } = notification(c);
      const { AddressActivityNotification: inline } = asObject(asObject(c.components).schemas);
      const body = { required: true, content: { "application/json": { schema: structuredClone(inline) } } };
      take(at(body, "content", "application/json", "schema", "properties"), "webhookId");
      set(at(c, "paths", "/v1/webhooks", "post", "callbacks", "addressActivity"), {
        "{$request.body#/url}": { post: { ...post, requestBody: body } },
      });
    },
  },
  {
    name: "another kind of notification is added",
    rating: "minor",
    edit: (c) =>
      set(at(c, "webhooks"), { blockActivity: { post: { operationId: "blockActivity", responses: { "2XX": {} } } } }),
  },
  {
    name: "a notification is no longer described",
    rating: "major",
    edit: (c) => {
      take(at(c, "paths", "/v1/webhooks", "post"), "callbacks");
      take(at(c, "paths", "/v1/operational-webhook", "put"), "callbacks");
      take(c, "webhooks");
    },
  },
];

/** Edits of which operations there are, who may call them, and where. */
import { add, at, type Edit, set, take } from "./edit.ts";

const chains = ["paths", "/v1/chains", "get"];
const list = ["paths", "/v1/webhooks", "get"];
const create = ["paths", "/v1/webhooks", "post"];

export const operationEdits: readonly Edit[] = [
  {
    name: "an operation is removed",
    rating: "major",
    edit: (c) => take(at(c, "paths", "/v1/webhooks/{id}/secret"), "get"),
  },
  {
    name: "an operation is added",
    rating: "minor",
    edit: (c) =>
      set(at(c, "paths"), {
        "/v1/fees": { get: { operationId: "listFees", responses: { "200": { description: "Fees." } } } },
      }),
  },
  {
    name: "a path is changed",
    rating: "major",
    edit: (c) => set(at(c, "paths"), { "/v1/networks": take(at(c, "paths"), "/v1/chains") }),
  },
  {
    name: "a path's variable has another name, which is not sent",
    rating: "patch",
    edit: (c) => {
      const path = take(at(c, "paths"), "/v1/webhooks/{id}/secret/rotate");
      set(at(c, "paths"), { "/v1/webhooks/{webhookId}/secret/rotate": path });
      set(at(c, "paths", "/v1/webhooks/{webhookId}/secret/rotate"), {
        parameters: [{ ...at(c, "components", "parameters", "WebhookId"), name: "webhookId" }],
      });
    },
  },
  {
    name: "an operationId is changed, which generated code uses",
    rating: "major",
    edit: (c) => set(at(c, ...chains), { operationId: "getChains" }),
  },
  {
    name: "an operation is deprecated",
    rating: "minor",
    redocly: "patch",
    edit: (c) => set(at(c, ...list), { deprecated: true }),
  },
  {
    name: "another scope is asked for",
    rating: "major",
    edit: (c) => set(at(c, ...list), { security: [{ apiKey: ["write"] }] }),
  },
  {
    name: "a further scope is asked for",
    rating: "major",
    edit: (c) => set(at(c, ...list), { security: [{ apiKey: ["read", "write"] }] }),
  },
  {
    name: "no scope is asked for any more",
    rating: "minor",
    redocly: "patch",
    edit: (c) => set(at(c, ...create), { security: [{ apiKey: [] }] }),
  },
  {
    name: "another scope suffices too",
    rating: "minor",
    edit: (c) =>
      set(at(c, "paths", "/v1/webhooks/{id}", "get"), { security: [{ apiKey: ["read"] }, { apiKey: ["write"] }] }),
  },
  {
    name: "an open operation asks for a key",
    rating: "major",
    edit: (c) => set(at(c, ...chains), { security: [{ apiKey: [] }] }),
  },
  {
    name: "an open operation asks for a key, by the document's rule",
    rating: "major",
    redocly: "patch",
    edit: (c) => take(at(c, ...chains), "security"),
  },
  {
    name: "an operation is opened",
    rating: "minor",
    redocly: "patch",
    edit: (c) => set(at(c, "paths", "/v1/webhooks/{id}/addresses", "get"), { security: [] }),
  },
  {
    name: "the key goes into another header",
    rating: "major",
    edit: (c) => set(at(c, "components", "securitySchemes", "apiKey"), { name: "x-api-key" }),
  },
  {
    name: "a server is added",
    rating: "minor",
    edit: (c) => add(c, "servers", { url: "https://webhooks.example.com", description: "Hosted." }),
  },
  { name: "a server is removed", rating: "major", edit: (c) => set(c, { servers: [{ url: "https://example.com" }] }) },
  {
    name: "a server has another default address",
    rating: "major",
    redocly: "patch",
    edit: (c) => set(at(c, "servers", "0", "variables", "base_url"), { default: "https://example.com" }),
  },
];

/** What `npm run diff` says of known edits of the contract. */
import { expect, test } from "vitest";
import { compareContracts } from "../../scripts/command/diff/contract.ts";
import { total } from "../../scripts/command/diff/finding.ts";
import { placeInDocument } from "../../scripts/command/diff/outcome.ts";
import type { JsonObject } from "../../scripts/document/json.ts";
import type { Edit } from "./edits/edit.ts";
import { contract, edited, edits } from "./edits/edited.ts";

const unedited = contract();
const changesOf = (edit: Edit["edit"]) => compareContracts(unedited, edited({ name: "", rating: "none", edit }));
const named = (name: string) => edits.find((edit) => edit.name === name)?.edit ?? expect.fail(name);

test.each(edits)("$rating: $name", ({ edit, rating }) => {
  const changes = changesOf(edit);
  expect(total(changes) ?? "none", JSON.stringify(changes, null, 2)).toBe(rating);
});

test("an unchanged contract has no changes", () => {
  expect(compareContracts(contract(), contract())).toEqual([]);
});

test("a change names the place, the sender, and the previous value", () => {
  const inWords = (name: string) =>
    changesOf(named(name)).map((change) => `${placeInDocument(change)}: ${change.what}`);
  expect(inWords("a field of the payload gets another type")).toEqual([
    "Log.logIndex, in notifications: type from integer to string",
    "Log.logIndex, in responses: type from integer to string",
  ]);
  expect(inWords("fewer items are accepted")).toEqual([
    "WebhookMetadataInput.addresses, in requests: maxItems from 10000 to 100",
  ]);
  expect(inWords("another scope is asked for")).toEqual([
    "GET /v1/webhooks: security from apiKey read to apiKey write",
  ]);
  expect(inWords("a header is removed from the callback")).toEqual([
    "POST notification addressActivity, in notifications: header webhook-signature removed",
  ]);
});

test("a limit that is raised where it is sent and read is a warning for readers", () => {
  const found = changesOf(named("a text of requests and answers may be longer, which only may break who reads it"));
  expect(found.map(({ level, where, flow, breaks }) => ({ level, where, flow, breaks }))).toEqual([
    { level: "warning", where: "WebhookName", flow: "responses", breaks: ["clients"] },
    { level: "info", where: "WebhookName", flow: "requests", breaks: ["servers"] },
  ]);
});

test("every edit there and back again is seen both ways", () => {
  for (const { name, edit, rating } of edits) {
    if (rating === "none") continue;
    expect(compareContracts(edited({ name, rating, edit }), unedited), name).not.toEqual([]);
  }
});

test("a schema that holds itself is compared to its end, also under another name", () => {
  const tree = (name: string, limits: JsonObject) => ({
    openapi: "3.1.0",
    paths: {
      "/trees": { post: { requestBody: { content: { "*/*": { schema: { $ref: `#/components/schemas/${name}` } } } } } },
    },
    components: {
      schemas: {
        [name]: { properties: { leaf: limits, children: { items: { $ref: `#/components/schemas/${name}` } } } },
      },
    },
  });
  const rating = (one: JsonObject, other: JsonObject) => total(compareContracts(one, other));
  expect(rating(tree("Tree", {}), tree("Tree", { maxLength: 3 }))).toBe("major");
  expect(rating(tree("Tree", { maxLength: 3 }), tree("Node", {}))).toBe("minor");
  expect(rating(tree("Tree", {}), tree("Node", {}))).toBe("patch");
});

test("a change that no rule covers is major", () => {
  const rating = (edit: Edit["edit"]) => total(changesOf(edit));
  expect(rating((c) => Object.assign(c, { jsonSchemaDialect: "https://example.com/dialect" }))).toBe("major");
  expect(rating((c) => Object.assign(c.paths as JsonObject, { "/v1/chains": { get: {}, query: {} } }))).toBe("major");
});

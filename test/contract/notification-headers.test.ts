/** The published documents have the notification's headers as a schema, for generators that make types of schemas only. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { asArray, asObject, type JsonObject, pointedAt, resolvedObject } from "../../scripts/document/json.ts";
import { withHeaderSchemas } from "../../scripts/maintain/notification-headers.ts";

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../generated/${name}`, import.meta.url), "utf8")) as JsonObject;
const callback = "#/paths/~1v1~1webhooks/post/callbacks/addressActivity/{$request.body#~1url}";

test.each(["openapi.json", "openapi-3.0.json"])("in %s the schema says what the callback's parameters say", (file) => {
  const document = read(file);
  const { post } = resolvedObject(document, pointedAt(document, callback));
  const { properties, required } = asObject(pointedAt(document, "#/components/schemas/AddressActivityHeaders"));
  const headers = asArray(asObject(post).parameters).map((one) => resolvedObject(document, one));
  expect(headers.length).toBeGreaterThan(3);
  expect(required).toEqual(headers.filter((one) => one.required).map(({ name }) => name));
  expect(Object.keys(asObject(properties))).toEqual(headers.map(({ name }) => name));
  for (const { name, schema, description, example } of headers) {
    const property = resolvedObject(document, asObject(properties)[String(name)]);
    expect(property).toEqual({ ...resolvedObject(document, schema), description, example });
  }
});

test("the contract itself must not have a schema of that name", () => {
  expect(() => withHeaderSchemas(read("openapi.json"))).toThrow(
    "#/components/schemas/AddressActivityHeaders is made from addressActivity.",
  );
});

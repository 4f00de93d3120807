/** `chain-webhooks/zod` judges every example and every changed one as the contract does: requests as the service, notifications as the receiver. */
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { components } from "../../generated/types.ts";
import isNotification from "../../generated/validate-notification.js";
import * as schemas from "../../generated/zod.ts";
import { asObject, type Json } from "../../scripts/document/json.ts";
import { mutations } from "./mutations.ts";
import { published, shown } from "./shown-examples.ts";

type Schemas = components["schemas"];
type Name = keyof typeof schemas & keyof Schemas;

const named = schemas as unknown as Record<string, z.ZodType>;
const names = Object.keys(asObject(asObject(published.components).schemas));

/** The document as a reader must take it: `/v1` may add values to what answers list. */
const open = JSON.parse(JSON.stringify(published), (key, value) =>
  key === "enum" && Array.isArray(value) ? undefined : value,
);
const ajvOf = (document: object, id: string) => {
  const ajv = addFormats.default(new Ajv2020({ strict: false }) as never, { formats: ["uri"] }) as unknown as Ajv2020;
  ajv.addFormat("int64", true).addSchema(document, id);
  return (name: string) => ajv.compile({ $ref: `${id}#/components/schemas/${name}` });
};
const [asService, asReader] = [ajvOf(published, "contract"), ajvOf(open, "open")];
const isRequest = (name: string) =>
  asObject(asObject(asObject(published.components).schemas)[name]).additionalProperties === false;

test("there is one for each schema of the contract, and its types are the contract's", () => {
  expect(Object.keys(schemas).toSorted()).toEqual(names.toSorted());
  // The names of those whose parsed value would not fit, or that would not take the contract's.
  type Unfit = { [N in Name]: z.output<(typeof schemas)[N]> extends Schemas[N] ? never : N }[Name];
  type Refused = { [N in Name]: Schemas[N] extends z.input<(typeof schemas)[N]> ? never : N }[Name];
  expectTypeOf<Unfit>().toBeNever();
  expectTypeOf<Refused>().toBeNever();
  expectTypeOf<
    z.output<typeof schemas.AddressActivityNotification>["event"]["transaction"]["value"]
  >().toEqualTypeOf<string>();
  expectTypeOf<z.output<typeof schemas.WebhookCreate>["eventType"]>().toEqualTypeOf<"address_activity">();
});

test("they accept every example unchanged, and judge every changed one as the contract does", () => {
  const judged = { valid: 0, invalid: 0 };
  for (const { title, value } of shown) {
    const schema = named[title];
    if (!schema) throw new Error(`There is no ${title}.`);
    const expected =
      title === "AddressActivityNotification" ? isNotification : (isRequest(title) ? asService : asReader)(title);
    expect(schema.parse(value)).toEqual(value);
    expect(schema["~standard"].validate(value)).toEqual({ value });
    for (const { value: changed, what } of mutations(value as Json)) {
      const verdict = expected(changed) as boolean;
      if (schema.safeParse(changed).success !== verdict)
        expect.fail(`${title}, ${what}: ${verdict} in the contract only.`);
      judged[verdict ? "valid" : "invalid"] += 1;
    }
  }
  expect(judged.valid).toBeGreaterThan(300);
  expect(judged.invalid).toBeGreaterThan(1000);
});

test.each([
  ...["https://a", "https://a/b?c#d", "https://a b/", "https://ex\u00e4mple.com/", "https://a/<", "https://a/%zz"],
  ...[
    "https://[::1]/",
    "https://[::1/",
    "http:///a",
    "HTTPS://A/",
    "https://a/{b}",
    `https://a/${"x".repeat(2039)}`,
    "https://a:b@c/",
  ],
  ...[
    "https://a/\\",
    "https://a/|",
    "https://a/`",
    'https://a/"',
    "https://a/[b]",
    "https://a/#a#b",
    "https://%61/",
    "https://a:/",
  ],
])("%j is a webhook's url for zod only if it is one for the service", (url) => {
  const isUrl = asService("WebhookUrl")(url);
  expect(named.WebhookUrl?.safeParse(url).success).toBe(isUrl);
});

test("a name's length is counted in characters, as the service does", () => {
  for (const count of [200, 201]) {
    const name = "\u{1f600}".repeat(count);
    expect(schemas.WebhookName.safeParse(name).success).toBe(asService("WebhookName")(name));
    expect(schemas.WebhookName.safeParse(name).success).toBe(count === 200);
  }
});

test("a notification with fields and values that /v1 may get one day passes, and keeps them", () => {
  const { value } = shown.find(({ title }) => title === "AddressActivityNotification") ?? {};
  const later = { ...asObject(value as Json), eventType: "contract_activity", addedLater: 1 };
  expect(schemas.AddressActivityNotification.parse(later)).toEqual(later);
  expect(schemas.EventType.safeParse("contract_activity").success).toBe(true);
  const asked = shown.find(({ title }) => title === "WebhookCreate")?.value;
  expect(schemas.WebhookCreate.safeParse({ ...asObject(asked as Json), eventType: "contract_activity" }).success).toBe(
    false,
  );
});

/** What the contract owes its readers, beyond what its linter asks for. */
import { readdirSync, readFileSync } from "node:fs";
import { STATUS_CODES } from "node:http";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { expect, expectTypeOf, test } from "vitest";
import { parse } from "yaml";
import type { components, operations, webhooks } from "../../generated/types.ts";
import { loadContract } from "../../server/contract/contract.ts";
import { reasonPhrases } from "../../server/contract/errors.ts";

const source = readFileSync(new URL("../../openapi/openapi.yaml", import.meta.url), "utf8");
const examplesFolder = fileURLToPath(new URL("../../openapi/examples/", import.meta.url));
type Example = { summary: string; value: { statusCode?: number; error?: string } };
type Response = { content?: { "application/json": { examples?: Record<string, Example> } } };
type Operation = {
  operationId: string;
  requestBody?: unknown;
  security?: unknown[];
  responses: Record<string, Response>;
  callbacks?: unknown;
};
type Described = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
};

const contract = (await loadContract()) as unknown as Described;
const bundle = JSON.parse(readFileSync(new URL("../../generated/openapi.json", import.meta.url), "utf8"));
const all = Object.entries(contract.paths).flatMap(([path, item]) =>
  ["get", "post", "put", "patch", "delete"].flatMap((method) =>
    item[method] ? [{ path, method, operation: item[method] }] : [],
  ),
);

/** Follows a reference within the bundle. */
function resolve<T>(value: T | { $ref: string }): T {
  if (typeof value !== "object" || value === null || !("$ref" in value)) return value as T;
  return resolve(
    value.$ref
      .slice(2)
      .split("/")
      .reduce((at, key) => at[key.replaceAll("~1", "/").replaceAll("~0", "~")], bundle),
  );
}

test("it is OpenAPI 3.1 with the operations of the design and the notification", () => {
  expect(contract.openapi).toMatch(/^3\.1\./);
  expect(all.map(({ operation }) => operation.operationId).sort()).toEqual(
    [
      "createWebhook",
      "listWebhooks",
      "getWebhook",
      "updateWebhook",
      "deleteWebhook",
      "listWebhookAddresses",
      "listWebhookAddressDigests",
      "changeWebhookAddresses",
      "addWebhookAddresses",
      "removeWebhookAddresses",
      "getWebhookSecret",
      "rotateWebhookSecret",
      "getSharedSecret",
      "rotateSharedSecret",
      "testWebhook",
      "listNotifications",
      "getNotification",
      "readFeed",
      "resendNotification",
      "previewWebhook",
      "explainWebhook",
      "createReplay",
      "getReplay",
      "cancelReplay",
      "putOperationalWebhook",
      "getOperationalWebhook",
      "deleteOperationalWebhook",
      "getOperationalSecret",
      "rotateOperationalSecret",
      "testOperationalWebhook",
      "readOperationalFeed",
      "listChains",
    ].sort(),
  );
  expect(contract.webhooks.addressActivity?.post.operationId).toBe("addressActivity");
});

test("the callbacks of createWebhook are the notification, the batch and Glacier's form, by reference", () => {
  expect(contract.paths["/v1/webhooks"]?.post?.callbacks).toEqual({
    addressActivity: { "{$request.body#/url}": { $ref: "#/webhooks/addressActivity" } },
    addressActivityBatch: { "{$request.body#/url}": { $ref: "#/webhooks/addressActivityBatch" } },
    glacierActivity: { "{$request.body#/url}": { $ref: "#/webhooks/glacierActivity" } },
  });
});

test("the notification's type has the payload and the signature headers", () => {
  type Sent = webhooks["addressActivity"]["post"];
  expectTypeOf<Sent["requestBody"]["content"]["application/json"]>().toEqualTypeOf<
    components["schemas"]["AddressActivityNotification"]
  >();
  expectTypeOf<Sent["parameters"]["header"]>().toHaveProperty("webhook-signature");
  expectTypeOf<operations["addressActivity"]["parameters"]["header"]>().toHaveProperty("webhook-sequence");
});

test("every operation has every error it can answer, and the specification's update has all that are listed there", () => {
  for (const { path, method, operation } of all) {
    const keyed = path !== "/v1/chains";
    const expected = [
      "400",
      "429",
      "500",
      "503",
      ...(keyed ? ["401", "403"] : []),
      ...(path.includes("{id}") ? ["404"] : []),
    ];
    // What changes what is watched needs to know how far its chain was followed.
    const watching =
      method === "patch" ||
      operation.operationId === "createWebhook" ||
      operation.operationId === "removeWebhookAddresses";
    expect(Object.keys(operation.responses), operation.operationId).toEqual(
      expect.arrayContaining([
        ...expected,
        ...(operation.requestBody ? ["413", "415"] : []),
        ...(watching ? ["502"] : []),
      ]),
    );
  }
  const update = contract.paths["/v1/webhooks/{id}"]?.patch?.responses ?? {};
  expect(Object.keys(update)).toEqual(expect.arrayContaining(["400", "401", "403", "404", "429", "500", "502", "503"]));
});

test("every response has an example, and an error's example is one of that status", () => {
  for (const { operation } of all) {
    for (const [status, reference] of Object.entries(operation.responses)) {
      const examples = Object.values(resolve(reference).content?.["application/json"].examples ?? {}).map(resolve);
      expect(examples.length, `${operation.operationId} ${status}`).toBeGreaterThan(0);
      if (Number(status) < 400) continue;
      for (const { value } of examples)
        expect(value).toMatchObject({ statusCode: Number(status), error: reasonPhrases[Number(status) as 400] });
    }
  }
});

test("reason phrases are the standard ones", () => {
  // RFC 9110 renamed 413, and Node 20 has the old name.
  for (const [status, phrase] of Object.entries(reasonPhrases))
    if (status !== "413") expect(phrase).toBe(STATUS_CODES[status]);
  expect(reasonPhrases[413]).toBe("Content Too Large");
});

test("no two schemas of the source state the same fields", () => {
  type Source = { components: { schemas: Record<string, { properties?: Record<string, unknown> }> } };
  const { schemas } = (parse(source, { merge: true }) as Source).components;
  const fields = Object.entries(schemas).map(([name, { properties = {} }]) => ({ name, properties }));
  const repeated = fields.flatMap((one, index) =>
    fields.slice(index + 1).flatMap((other) => {
      const both = Object.keys(one.properties).filter((name) =>
        isDeepStrictEqual(one.properties[name], other.properties[name]),
      );
      // Eight settings of a webhook are in its record, too. What they mean stands once, where they refer to.
      return both.length > 8 ? [`${one.name} and ${other.name}: ${both}`] : [];
    }),
  );
  expect(repeated).toEqual([]);
});

test("every example file is shown somewhere", () => {
  for (const name of readdirSync(examplesFolder)) expect(source).toContain(`examples/${name}`);
});

test("the examples show the scenarios of the specification's users", () => {
  const scenarios = Object.keys(bundle.webhooks.addressActivity.post.requestBody.content["application/json"].examples);
  expect(scenarios).toEqual(
    expect.arrayContaining([
      "nonFungibleTransfer",
      "multiTokenTransfer",
      "fungibleTransfer",
      "nativeTransfer",
      "contractCreation",
      "failedTransaction",
      "internalTransactions",
      "retraction",
    ]),
  );
});

test("no field of a request, an answer or the payload is declared by hand where they are handled", () => {
  const names = [
    "receiptEffectiveGasPrice",
    "internalTxType",
    "transactionHash",
    "totalAddresses",
    "previousSecretExpiresAt",
    "statusSince",
    "effectiveFromBlock",
    "attemptCount",
    "addedCount",
  ];
  const declared = new RegExp(`^\\s*(?:readonly )?(${names.join("|")})\\??: (?:string|number|boolean)\\b`, "m");
  for (const folder of ["client", "server/api"]) {
    for (const entry of readdirSync(new URL(`../../${folder}/`, import.meta.url), {
      recursive: true,
      encoding: "utf8",
    })) {
      if (!entry.endsWith(".ts")) continue;
      expect(
        readFileSync(new URL(`../../${folder}/${entry}`, import.meta.url), "utf8"),
        `${folder}/${entry}`,
      ).not.toMatch(declared);
    }
  }
});

/**
 * What a client sees wherever nothing was there before: the answer of every operation, and every error that a client can
 * cause. It runs against the service and against the mock, and must find no difference.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWebhooksClient, type OperationName, type WebhooksClient } from "../../client/index.ts";
import { operationTable } from "../../generated/operations.ts";
import { loadContract } from "../../server/contract/contract.ts";
import { address, newWebhook, type Reply, send } from "../support/api.ts";
import { assertError } from "../support/contract-check.ts";

/** What the suite runs against. */
export type Subject = { url: string; key: string; close(): Promise<void> };

type Response = { content: { "application/json": { schema: object } } };
type Described = {
  paths: Record<string, Record<string, { responses: Record<string, Response | { $ref: string }> }>>;
  components: { responses: Record<string, Response> };
};

const contract = (await loadContract()) as unknown as Described;
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(contract, "contract");

/** The success that the contract has for an operation: its status, and a check of its body. */
function successOf(operation: OperationName) {
  const { path, method } = operationTable[operation];
  const responses = contract.paths[path]?.[method]?.responses ?? {};
  const [status = "", response] = Object.entries(responses).find(([code]) => code.startsWith("2")) ?? [];
  const place =
    response && "$ref" in response
      ? response.$ref.slice("#/".length)
      : `paths/${path.replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D")}/${method}/responses/${status}`;
  return {
    status: Number(status),
    validate: ajv.compile({ $ref: `contract#/${place}/content/application~1json/schema` }),
  };
}

const addresses = [address(1), address(2)];

type ClientCall = (client: WebhooksClient, id: string) => Promise<unknown>;

/** For an account that has an operational webhook. */
function registered(call: ClientCall): ClientCall {
  return async (client, id) => {
    await client.putOperationalWebhook({ body: {} });
    return call(client, id);
  };
}

/** A call of each operation that succeeds for a new webhook; null where it takes more than that. */
const calls: Record<OperationName, ClientCall | null> = {
  createWebhook: (client) => create(client),
  listWebhooks: (client) => client.listWebhooks({ query: { status: "active", pageSize: 1 } }),
  getWebhook: (client, id) => client.getWebhook({ path: { id } }),
  updateWebhook: (client, id) => client.updateWebhook({ path: { id }, body: { name: "New" } }),
  deleteWebhook: (client, id) => client.deleteWebhook({ path: { id } }),
  listWebhookAddresses: (client, id) => client.listWebhookAddresses({ path: { id } }),
  listWebhookAddressDigests: (client, id) =>
    client.listWebhookAddressDigests({ path: { id }, query: { prefix: "0x00" } }),
  addWebhookAddresses: (client, id) => client.addWebhookAddresses({ path: { id }, body: { addresses } }),
  removeWebhookAddresses: (client, id) => client.removeWebhookAddresses({ path: { id }, body: { addresses } }),
  changeWebhookAddresses: (client, id) =>
    client.changeWebhookAddresses({
      path: { id, changeId: crypto.randomUUID() },
      body: { add: addresses, commit: true },
    }),
  getWebhookSecret: (client, id) => client.getWebhookSecret({ path: { id } }),
  rotateWebhookSecret: (client, id) => client.rotateWebhookSecret({ path: { id } }),
  getSharedSecret: (client) => client.getSharedSecret(),
  rotateSharedSecret: (client) => client.rotateSharedSecret(),
  testWebhook: null,
  listNotifications: (client, id) => client.listNotifications({ path: { id }, query: { status: "pending" } }),
  readFeed: (client, id) => client.readFeed({ path: { id }, query: { after: 0, limit: 1 } }),
  getNotification: null,
  resendNotification: null,
  createReplay: (client, id) =>
    client.createReplay({ path: { id }, body: { fromBlock: "1", toBlock: "2", includeEarlier: true } }),
  getReplay: null,
  cancelReplay: null,
  previewWebhook: null,
  explainWebhook: null,
  putOperationalWebhook: (client) => client.putOperationalWebhook({ body: {} }),
  getOperationalWebhook: registered((client) => client.getOperationalWebhook()),
  deleteOperationalWebhook: registered((client) => client.deleteOperationalWebhook()),
  getOperationalSecret: registered((client) => client.getOperationalSecret()),
  rotateOperationalSecret: registered((client) => client.rotateOperationalSecret()),
  testOperationalWebhook: null,
  readOperationalFeed: registered((client) => client.readOperationalFeed({ query: { after: 0, limit: 1 } })),
  listChains: (client) => client.listChains(),
};

function create(client: WebhooksClient) {
  const metadata = { addresses: [address(1)], includeLogs: true };
  const body = { url: "https://127.0.0.1.example.com/hook", chainId: "43114", eventType: "address_activity" } as const;
  return client.createWebhook({ body: { ...body, metadata } });
}

const webhookPath = "/v1/webhooks/6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";
const json = { "content-type": "application/json" };
const wrongChecksum = "0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA86";

/** What a client can do wrong: the method and path, what goes with it, the status, and the sentence. */
const mistakes: [
  string,
  { key?: string; body?: unknown; headers?: Record<string, string> },
  number,
  string | RegExp,
][] = [
  ["GET /v1/webhooks", { key: "" }, 401, "The header x-service-api-key must hold a valid API key."],
  ["POST /v1/webhooks", { key: "", body: "{" }, 401, "The header x-service-api-key must hold a valid API key."],
  ["GET /v1/webhooks", { key: "", headers: { authorization: "Bearer k" } }, 401, /; .* as x-service-api-key: KEY\.$/],
  ["GET /v1/webhook", {}, 404, /; did you mean \/v1\/webhooks\? /],
  [`POST ${webhookPath}/pause`, {}, 404, /did you mean PATCH \/v1\/webhooks\/{id} with {"status": "inactive"}\? /],
  ["GET /v1/webhooks/%zz", { key: "" }, 401, /x-service-api-key/],
  ["GET /v1/webhooks/a/b/c", {}, 404, /^The path does not exist; GET \/docs /],
  ["GET /v2/webhooks", {}, 404, /^The path does not exist; did you mean \/v1\/webhooks\? GET \/docs /],
  ["GET /v1/webhooks/", {}, 404, /^The path does not exist; did you mean \/v1\/webhooks\? GET \/docs /],
  ["PUT /v1/webhooks", { body: {} }, 405, "The method must be one of GET, HEAD, POST."],
  [`POST ${webhookPath}/secret`, { body: {} }, 405, "The method must be one of GET, HEAD."],
  ["GET /v1/webhooks/%zz", {}, 400, "The path must be validly percent-encoded."],
  ["GET /v1/webhooks/7", {}, 400, "id must be a UUID."],
  ["GET /v1/webhooks?pageSize=0", {}, 400, "pageSize must be at least 1."],
  ["GET /v1/webhooks?colour=red", {}, 400, "colour is not a known query parameter."],
  ["GET /v1/webhooks?status=paused", {}, 400, "status must be one of active, inactive."],
  ["GET /v1/webhooks?pageToken=abc", {}, 400, "pageToken must be the nextPageToken of the page before."],
  ["POST /v1/webhooks", { body: '{"url":' }, 400, /^The body must be a JSON object; .* line 1, column 8/],
  ["POST /v1/webhooks", { body: "[]" }, 400, "The body must be an object."],
  ["POST /v1/webhooks", { body: newWebhook({ colour: "red" }) }, 400, "colour is not a known field."],
  ["POST /v1/webhooks", { body: newWebhook({ url: 7 }) }, 400, "url must be a string."],
  ["POST /v1/webhooks", { body: {} }, 400, /^chainId is required; /],
  [
    "POST /v1/webhooks",
    { body: newWebhook({ metadata: { addresses: [] } }) },
    400,
    "metadata.addresses must have at least 1 item.",
  ],
  [
    "POST /v1/webhooks",
    { body: newWebhook({ metadata: { addresses: [wrongChecksum] } }) },
    400,
    /^metadata\.addresses\.0 must have a right checksum/,
  ],
  [
    "POST /v1/webhooks",
    { body: newWebhook({ metadata: { addresses, includeLogs: true }, includeLogs: false }) },
    400,
    "includeLogs must be the same as metadata.includeLogs where both are given.",
  ],
  [
    "POST /v1/webhooks",
    { body: newWebhook(), headers: { "Idempotency-Key": "a b" } },
    400,
    /^The header idempotency-key/,
  ],
  ["GET /v1/webhooks/preview", {}, 405, "The method must be POST."],
  ["PATCH /v1/webhooks/preview", { body: {} }, 405, "The method must be POST."],
  ["POST /v1/webhooks/preview", { body: newWebhook() }, 400, "txHash or blockNumber is required."],
  [
    "POST /v1/webhooks/preview",
    { body: newWebhook({ txHash: `0x${"1".repeat(64)}`, blockNumber: "1" }) },
    400,
    "blockNumber must be left out where txHash is given.",
  ],
  ["POST /v1/webhooks/preview", { body: newWebhook({ blockNumber: "0x1" }) }, 400, /^blockNumber must be/],
  [`GET ${webhookPath}/explain`, {}, 400, "txHash is required."],
  [`GET ${webhookPath}/explain?txHash=0x12`, {}, 400, /^txHash must be/],
  [`PATCH ${webhookPath}/addresses`, { body: { addresses: ["0x1"] } }, 400, /^addresses\.0 must be an address/],
  ["POST /v1/webhooks", { body: "x", headers: { "content-type": "text/plain" } }, 415, /content-type/],
  ["POST /v1/webhooks", {}, 400, "The body is required and must be a JSON object."],
  ["POST /v1/webhooks", { body: "", headers: json }, 400, "The body is required and must be a JSON object."],
  [`PATCH ${webhookPath}`, { headers: json }, 400, "The body is required and must be a JSON object."],
  [`PATCH ${webhookPath.toUpperCase().replace("/V1/WEBHOOKS", "/v1/webhooks")}`, { body: "[]" }, 400, /an object/],
  [
    "POST /v1/webhooks",
    { body: "x", headers: { ...json, "content-encoding": "snappy" } },
    415,
    /^The header content-encoding/,
  ],
  ["POST /v1/webhooks", { body: JSON.stringify("x".repeat(1_048_577)) }, 413, "The body must be at most 1 MiB."],
];

/** Makes the tests. */
export function describeApi(name: string, start: () => Promise<Subject>): void {
  describe(name, () => {
    let subject: Subject;
    beforeAll(async () => {
      subject = await start();
    });
    afterAll(() => subject.close());

    const possible = Object.entries(calls).flatMap(([name, call]) =>
      call ? [[name as OperationName, call] as const] : [],
    );
    test.each(possible)("%s answers as the contract says", async (operation, call) => {
      const statuses: number[] = [];
      const watched: typeof fetch = async (...given) => {
        const response = await fetch(...given);
        statuses.push(response.status);
        return response;
      };
      const client = createWebhooksClient({ baseUrl: subject.url, apiKey: subject.key, fetch: watched });
      const { id } = await create(client);
      const body = await call(client, id);
      const { status, validate } = successOf(operation);
      expect(statuses.at(-1)).toBe(status);
      expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
    });

    test("the Location of a new webhook is its path", async () => {
      const created = await send(`${subject.url}/v1/webhooks`, "POST", { key: subject.key, body: newWebhook() });
      expect(created.headers.get("location")).toBe(`/v1/webhooks/${created.body.id}`);
    });

    test("the pages of a list come to an end", async () => {
      const client = createWebhooksClient({ baseUrl: subject.url, apiKey: subject.key });
      await create(client);
      await create(client);
      let pages = 0;
      for await (const { webhooks } of client.pages("listWebhooks", { query: { pageSize: 1 } })) {
        expect(webhooks.length).toBeLessThanOrEqual(1);
        pages += 1;
      }
      expect(pages).toBeGreaterThan(1);
    });

    test.each(mistakes)("%s with %o is a %d", async (line, call, status, message) => {
      const [method = "", path = ""] = line.split(" ");
      const reply: Reply = await send(subject.url + path, method, { key: subject.key, ...call });
      assertError(reply, status as 400, message);
    });
  });
}

/** What an agent can change by `chain-webhooks-tools mcp`, and what only with `--allow-write`. By the SDK's own client, on the real service. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OperationId, operationTable } from "../../generated/operations.ts";
import { type Agent, startAgent } from "../support/agent.ts";
import { type Api, newWebhook, startApi } from "../support/api.ts";

const operations = Object.keys(operationTable) as OperationId[];
/** A preview is a POST, since it has a body, and writes nothing. */
const isWrite = (id: OperationId) => operationTable[id].method !== "get" && id !== "previewWebhook";

let api: Api;
let reader: Agent;
let writer: Agent;
beforeAll(async () => {
  api = await startApi();
  [reader, writer] = await Promise.all([
    startAgent({ url: api.url, key: api.keys.both }),
    startAgent({ url: api.url, key: api.keys.both, args: ["--allow-write"] }),
  ]);
});
afterAll(async () => {
  await Promise.all([reader.close(), writer.close()]);
  await api.close();
});

const createWebhook = async (changes: Record<string, unknown> = {}) => {
  const { body } = await api.call("POST", "/v1/webhooks", { body: newWebhook(changes) });
  return body as { id: string };
};
const count = async () => (await api.call("GET", "/v1/webhooks?pageSize=100")).body.webhooks.length;

describe("an operation that writes", () => {
  test("is not called without --allow-write: the tool says what it would do, and what is missing", async () => {
    const { id } = await createWebhook();
    const before = await count();
    const { text, failed } = await reader.call("write_operation", { operationId: "deleteWebhook", path: { id } });
    expect(failed).toBe(true);
    expect(text).toContain("without --allow-write");
    expect(text).toContain(`This would send DELETE /v1/webhooks/${id}: Delete a webhook.`);
    for (const operationId of operations.filter(isWrite)) {
      const described = (await reader.call("describe_operation", { operationId })).text;
      const { tool, arguments: args } = JSON.parse(/^example: (.*)$/m.exec(described)?.[1] ?? "");
      expect(await reader.call(tool, args)).toMatchObject({
        failed: true,
        text: expect.stringContaining("--allow-write"),
      });
    }
    expect(await count()).toBe(before);
  });

  test("is not called by the tool that reads, nor the other way round", async () => {
    const { id } = await createWebhook();
    const wrong = await writer.call("read_operation", { operationId: "deleteWebhook", path: { id } });
    expect(wrong).toMatchObject({ failed: true, text: "deleteWebhook writes. Call write_operation." });
    expect((await api.call("GET", `/v1/webhooks/${id}`)).status).toBe(200);
    const read = await writer.call("write_operation", { operationId: "getWebhook", path: { id } });
    expect(read).toMatchObject({ failed: true, text: "getWebhook writes nothing. Call read_operation." });
  });

  test("is called with --allow-write, and reported to whoever started the server before", async () => {
    const body = newWebhook({ name: "By an agent" });
    const { text, data, failed } = await writer.call("write_operation", { operationId: "createWebhook", body });
    expect({ failed, text }).toMatchObject({
      failed: false,
      text: expect.stringContaining("POST /v1/webhooks succeeded"),
    });
    const { id } = data as { id: string };
    expect((await api.call("GET", `/v1/webhooks/${id}`)).body).toEqual(data);
    expect(writer.stderr()).toContain("Sending POST /v1/webhooks: Create a webhook.");
    const removed = await writer.call("write_operation", { operationId: "deleteWebhook", path: { id } });
    expect(removed.data).toMatchObject({ id, status: "inactive" });
  });

  test("with preview it only says what it would do, also with --allow-write", async () => {
    const { id } = await createWebhook({ name: "before" });
    const args = { operationId: "updateWebhook", path: { id }, body: { name: "after" }, preview: true };
    const { text, failed } = await writer.call("write_operation", args);
    expect(failed).toBe(false);
    expect(text).toMatch(/^This would send PATCH .*Update a webhook.*"name": "after".*Nothing was sent\.$/s);
    expect((await api.call("GET", `/v1/webhooks/${id}`)).body.name).toBe("before");
  });

  test.each([
    [{ operationId: "createWebhook" }, "The body is required and must be a JSON object."],
    [{ operationId: "createWebhook", body: { nam: "x" } }, "nam is not a known field; chainId is required;"],
    [
      { operationId: "createWebhook", headers: { "idempotency-key": "1" } },
      "headers.idempotency-key is not a parameter of createWebhook; did you mean Idempotency-Key?",
    ],
  ])("%j is refused by the contract's schemas, and not sent", async (args, sentence) => {
    const before = api.logged.length;
    const { text, failed } = await writer.call("write_operation", args);
    expect({ failed, text }).toMatchObject({
      failed: true,
      text: expect.stringContaining(`Nothing was sent: ${sentence}`),
    });
    expect(api.logged.length).toBe(before);
  });
});

test("nothing but the protocol came on standard output", () => {
  for (const agent of [reader, writer]) {
    expect(agent.strayOutput).toEqual([]);
    expect(agent.stderr()).not.toContain("A tool failed");
    expect(agent.stderr()).not.toContain(api.keys.both);
  }
});

/** The code samples of the docs page: they compile against the package's own client and receiver, and they do what they say. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { signNotification } from "../../client/receiver/index.ts";
import { operationTable } from "../../generated/operations.ts";
import { pageOperations } from "../../scripts/maintain/docs-page/operations.ts";
import { keyHeaderOf } from "../../scripts/maintain/docs-page/page-document.ts";
import { curlSample } from "../../scripts/maintain/docs-page/samples/curl.ts";
import { receiverSamples } from "../../scripts/maintain/docs-page/samples/receivers.ts";
import { typescriptSample } from "../../scripts/maintain/docs-page/samples/typescript.ts";
import { notification } from "../client/examples.ts";
import { complaints } from "../support/compile.ts";
import { type StatelessMock, startStatelessMock } from "../support/mock.ts";
import { sentHeaders } from "../support/sent-headers.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const contract = JSON.parse(readFileSync(join(root, "generated/openapi.json"), "utf8"));
const operations = pageOperations(contract);
const names = operations.map(({ operationId }) => operationId);
const operation = (name: string) => operations.find(({ operationId }) => operationId === name) ?? expect.fail(name);
const samples = new Map([
  ...operations.map((one): [string, string] => [one.operationId, typescriptSample(contract, one)]),
  ...receiverSamples.map(({ source }, index): [string, string] => [`receiver${index}`, source]),
]);

let mock: StatelessMock;
beforeAll(async () => {
  mock = await startStatelessMock();
});
afterAll(() => mock.close());

test("there is a sample of every operation", () => {
  expect(names).toEqual(Object.keys(operationTable));
});

test("the samples compile, by the project's own strict rules", () => {
  expect(complaints(samples)).toEqual([]);
});

test("a sample that does not fit the client would not compile", () => {
  const source = samples.get("createWebhook") ?? "";
  const wrong = source.replace('chainId: "43114"', "chainId: 43114").replace("createWebhook(", "makeWebhook(");
  expect(complaints(new Map([["wrong", source.replace('chainId: "43114"', "chainId: 43114")]]))[0]).toMatch(
    /not assignable/,
  );
  expect(complaints(new Map([["wrong", wrong]]))[0]).toMatch(/makeWebhook/);
});

test.each(names)("%s: the client's sample gets the contract's answer", async (name) => {
  vi.stubEnv("BASE_URL", mock.url).stubEnv("API_KEY", "any");
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  try {
    await runSample(samples.get(name) ?? "");
    expect(log).toHaveBeenCalledWith(expect.anything());
  } finally {
    log.mockRestore();
    vi.unstubAllEnvs();
  }
  const { method, path } = operation(name);
  const place = new RegExp(`^${method} ${path.replaceAll(/\{\w+\}/g, "[^/?]+")}(\\?\\S+)? 2\\d\\d$`);
  expect(mock.said.at(-1)).toMatch(place);
});

test.each(names)("%s: the curl sample gets the contract's answer", async (name) => {
  const sample = curlSample(operation(name), keyHeaderOf(contract));
  const strict = `curl() { command curl --silent --show-error --fail-with-body "$@"; }\n${sample}`;
  const env = { ...process.env, BASE_URL: mock.url, API_KEY: "any" };
  const { stdout } = await promisify(execFile)("sh", ["-c", strict], { env });
  expect(JSON.parse(stdout)).toEqual(expect.any(Object));
});

test("the receiver's sample for Fetch accepts a signed notification, and refuses another", async () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  vi.stubEnv("WEBHOOK_SECRET", secret);
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  try {
    const sample = receiverSamples.find(({ source }) => source.includes("createFetchReceiver"))?.source ?? "";
    const { POST } = await runSample(sample);
    const body = JSON.stringify(notification);
    const timestamp = Math.floor(Date.now() / 1000);
    const id = notification.messageId;
    const signature = await signNotification({ id, timestamp, body, secret });
    const headers = sentHeaders({ id, timestamp: `${timestamp}`, signature });
    const send = (text: string) => POST(new Request("http://localhost/hooks", { method: "POST", headers, body: text }));
    expect((await send(body)).status).toBe(204);
    expect(log).toHaveBeenCalledWith(id, notification.event.logs?.[0]?.address, notification.event.logs?.[0]?.topic0);
    expect((await send(`${body} `)).status).toBe(400);
  } finally {
    log.mockRestore();
    vi.unstubAllEnvs();
  }
});

/** Runs a sample as a module of its own, in this process. */
async function runSample(source: string): Promise<{ POST: (request: Request) => Promise<Response> }> {
  const { outputFiles } = await build({
    stdin: { contents: `${source}\n// ${Math.random()}`, loader: "ts", resolveDir: root },
    alias: { "chain-webhooks/client": "./client/index.ts", "chain-webhooks/receiver": "./client/receiver/index.ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
  });
  // Not a data: URL of the bare code, since modules are kept by their URL.
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.text ?? "").toString("base64")}`);
}

/** The samples of the reference: they compile against the package's own client, and get the contract's answers. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type OperationId, operationTable } from "../../generated/operations.ts";
import { describedOperations, readContract } from "../../scripts/maintain/docs-site/operations.ts";
import { callSamples } from "../../scripts/maintain/docs-site/samples.ts";
import { complaints } from "../support/compile.ts";
import { type StatelessMock, startStatelessMock } from "../support/mock.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const contract = readContract();
const names = Object.keys(operationTable) as OperationId[];
const samples = new Map(
  describedOperations(contract)
    .filter(({ path }) => path !== undefined)
    .map((operation) => [operation.id, callSamples(contract, operation)]),
);
const sample = (name: string, language: string) =>
  samples.get(name)?.find((each) => each.language === language)?.source ??
  expect.fail(`${name} has none in ${language}`);

let mock: StatelessMock;
beforeAll(async () => {
  mock = await startStatelessMock();
});
afterAll(() => mock.close());

test("every operation has them, in the same order", () => {
  expect([...samples.keys()]).toEqual(names);
  for (const each of samples.values()) expect(each.map(({ language }) => language)).toEqual(["TypeScript", "curl"]);
});

test("those of the client compile by the project's own strict rules, and would not if they did not fit", () => {
  const sources = names.map((name) => [name, sample(name, "TypeScript")] as const);
  const right = sample("createWebhook", "TypeScript");
  const wrong = right.replace('chainId: "43114"', "chainId: 43114");
  expect(wrong).not.toBe(right);
  const found = complaints(new Map([...sources, ["wrong", wrong]]));
  expect(found).toEqual([expect.stringMatching(/^wrong\.sample\.ts: .*not assignable/)]);
});

/** The request that the mock has seen since, besides what it says of its own notifications. */
function expectCalled(name: OperationId): void {
  const { method, path } = operationTable[name];
  const place = path.replaceAll(/\{\w+\}/g, "[^/?]+");
  expect(mock.said.splice(0).filter((line) => / \/v1\//.test(line))).toEqual([
    expect.stringMatching(new RegExp(`^${method.toUpperCase()} ${place}(\\?\\S+)? 2\\d\\d$`)),
  ]);
}

test.each(names)("%s: the client's sample prints the contract's answer", async (name) => {
  const { outputFiles } = await build({
    stdin: { contents: sample(name, "TypeScript"), loader: "ts", resolveDir: root },
    alias: { "chain-webhooks/client": "./client/index.ts" },
    ...{ bundle: true, write: false, format: "esm", platform: "node" },
  });
  vi.stubEnv("BASE_URL", mock.url).stubEnv("API_KEY", "any");
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  try {
    await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.text ?? "").toString("base64")}`);
    expect(log).toHaveBeenCalledExactlyOnceWith(expect.any(Object));
  } finally {
    log.mockRestore();
    vi.unstubAllEnvs();
  }
  expectCalled(name);
});

test.each(names)("%s: curl prints the contract's answer", async (name) => {
  const strict = `curl() { command curl --silent --show-error --fail-with-body "$@"; }\n${sample(name, "curl")}`;
  const env = { ...process.env, BASE_URL: mock.url, API_KEY: "any" };
  const { stdout } = await promisify(execFile)("sh", ["-c", strict], { env });
  expect(JSON.parse(stdout)).toEqual(expect.any(Object));
  expectCalled(name);
});

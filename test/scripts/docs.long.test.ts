/** `chain-webhooks-tools docs`: the documents, the site and nothing else. */
import { expect, test } from "vitest";
import { run } from "../../scripts/command/commands/docs.ts";
import { send } from "../support/api.ts";
import { runHere, startChainWebhooks } from "../support/command.ts";

test("it serves the documents, and answers everything else in the contract's shape", async () => {
  const docs = await startChainWebhooks("docs", ["--port", "0"]);
  const base = docs.url.replace(/\/docs$/, "");
  expect(await (await fetch(`${base}/openapi.json`)).json()).toMatchObject({ openapi: "3.1.0" });
  for (const path of ["/healthz", "/", "/%zz", "/v1", "/v1/webhooks"])
    expect(await send(base + path, "GET", {})).toMatchObject({ status: 404, body: { statusCode: 404 } });
  expect(await docs.end("SIGTERM")).toBe(0);
});

test("a command that cannot be understood ends with exit code 2 and a sentence", async () => {
  expect(await runHere(run, ["--port", "many"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^--port must/),
  });
  expect((await runHere(run, ["--help"])).stdout).toContain("--port PORT");
});

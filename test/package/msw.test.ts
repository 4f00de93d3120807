/**
 * The mock's own suites, through Mock Service Worker in Node, without any other process: a client that calls an address where nothing listens cannot tell
 * it from the mock, nor from the service.
 */
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { createWebhooksClient } from "../../client/index.ts";
import { createFetchReceiver } from "../../client/receiver/index.ts";
import type * as ofMock from "../../scripts/command/mock/page/msw.ts";
import { describeState, quotas } from "../client/stateful-suite.ts";
import { describeApi } from "../client/suite.ts";
import { newWebhook, send } from "../support/api.ts";
import { type Mock, mocks } from "../support/mock.ts";
import { installMsw, mswProject as project } from "../support/msw-project.ts";
import { strict, tsc } from "./stranger-project.ts";

const run = promisify(execFile);
const baseUrl = "https://api.example.com/base";

type Handler = { readonly info: object };
type Installed = ofMock.Msw<Handler>;
type Server = {
  listen(options: { onUnhandledRequest: "bypass" }): void;
  use(...handlers: Handler[]): void;
  close(): void;
};

async function install() {
  await installMsw();
  // Where a test of the project would find them.
  const names = ["msw", "msw/node", "chain-webhooks/msw"];
  const script = `console.log(JSON.stringify(${JSON.stringify(names)}.map((name) => import.meta.resolve(name))))`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], { cwd: project });
  const [msw, node, own] = await Promise.all(
    (JSON.parse(stdout) as string[]).map((url) => import(/* @vite-ignore */ url)),
  );
  return {
    msw: msw as Installed,
    setupServer: node.setupServer as (...handlers: Handler[]) => Server,
    mswMock: own.mswMock as typeof ofMock.mswMock,
  };
}

const installed = install();

async function behindMsw(options: Omit<ofMock.MswOptions, "baseUrl"> = {}) {
  const { msw, setupServer, mswMock } = await installed;
  const said: string[] = [];
  const sending = { deliver: (request: Request) => fetch(request), onLine: (line: string) => void said.push(line) };
  const mock = mswMock(msw, { ...sending, ...options, baseUrl: `${baseUrl}/` });
  const server = setupServer(...mock.handlers);
  server.listen({ onUnhandledRequest: "bypass" });
  const close = async () => {
    server.close();
    await mock.stop();
  };
  const call: Mock["call"] = (method, path, given = {}) => send(baseUrl + path, method, { key: "any", ...given });
  return { ...mock, said, url: baseUrl, key: "any", server, mock, call, close };
}

describeApi("the mock behind MSW", () => behindMsw());
describeState("what was created, in the mock behind MSW", () => behindMsw({ quotas }));

// They test each mock of this list.
mocks.splice(0, mocks.length, ["the mock behind MSW", behindMsw]);
await import("../scripts/mock.state.test.ts");
await import("../scripts/mock.control.test.ts");
await import("../scripts/mock.batches.test.ts");

test("a handler that the test adds answers first, and a receiver takes what is sent", async () => {
  const { msw } = await installed;
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const handled: string[] = [];
  const receive = createFetchReceiver({ secret, onNotification: ({ messageId }) => void handled.push(messageId) });
  const { server, control, close } = await behindMsw({ deliver: receive });
  onTestFinished(close);
  const client = createWebhooksClient({ baseUrl, apiKey: "any" });
  await client.createWebhook({ body: newWebhook() as never });
  const [sent] = await control.send();
  expect(sent?.answer?.responseStatus).toBe(204);
  expect(handled).toContain(sent?.messageId);
  server.use(msw.http.all(/\/v1\/chains$/, async () => Response.json("mine", { status: 418 })));
  expect((await send(`${baseUrl}/v1/chains`, "GET", { key: "any" })).status).toBe(418);
});

test("what the guide shows compiles, by MSW's own types", async () => {
  const guide = await readFile(new URL("../../docs/mock.md", import.meta.url), "utf8");
  const [, shown = ""] = /```js\n([^`]*mswMock[^`]*)```/.exec(guide) ?? [];
  expect(shown).toContain("setupServer(");
  const text = `${shown}mock.control.fail({ status: 503, count: 2 });\n`;
  await installed;
  await writeFile(join(project, "line.ts"), text);
  const args = [tsc, "line.ts", ...strict, "--noEmit", "--skipLibCheck", "--module", "nodenext"];
  const { stdout } = await run(process.execPath, args, { cwd: project }).catch(({ stdout }: { stdout: string }) => ({
    stdout,
  }));
  expect(stdout).toBe("");
});

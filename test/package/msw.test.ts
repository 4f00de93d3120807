/**
 * The mock's own suites, through Mock Service Worker: a client that calls an address where nothing listens cannot tell it from the mock, nor from the
 * service.
 */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import type * as ofClient from "../../client/msw.ts";
import { describeState, quotas } from "../client/stateful-suite.ts";
import { describeApi } from "../client/suite.ts";
import { send } from "../support/api.ts";
import { startMock } from "../support/mock.ts";
import { installMsw, mswProject as project } from "../support/msw-project.ts";
import { strict, tsc } from "./stranger-project.ts";

const run = promisify(execFile);
const baseUrl = "https://api.example.com/base";

type Handler = { readonly info: object };
type Installed = ofClient.Msw<Handler>;
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
    mswHandlers: own.mswHandlers as typeof ofClient.mswHandlers,
  };
}

const installed = install();

async function behindMsw(options: Parameters<typeof startMock>[0] = {}) {
  const [{ msw, setupServer, mswHandlers }, mock] = await Promise.all([installed, startMock(options)]);
  const server = setupServer(...mswHandlers(msw, { baseUrl: `${baseUrl}/`, mockUrl: mock.url }));
  server.listen({ onUnhandledRequest: "bypass" });
  const close = async () => {
    server.close();
    await mock.close();
  };
  return { url: baseUrl, key: "any", server, mock, close };
}

describeApi("the mock behind MSW", () => behindMsw());
describeState("what was created, in the mock behind MSW", () => behindMsw({ quotas }));

test("a handler that the test adds answers first, and the mock's control works as without MSW", async () => {
  const { server, mock, close } = await behindMsw();
  onTestFinished(close);
  const { msw } = await installed;
  mock.control.fail({ status: 503, retryAfter: 3, count: 1 });
  const busy = await send(`${baseUrl}/v1/chains`, "GET", { key: "any" });
  expect([busy.status, busy.headers.get("retry-after")]).toEqual([503, "3"]);
  expect((await send(`${baseUrl}/_mock`, "GET", {})).status).toBe(200);
  server.use(msw.http.all(/\/v1\/chains$/, async () => Response.json("mine", { status: 418 })));
  expect((await send(`${baseUrl}/v1/chains`, "GET", { key: "any" })).status).toBe(418);
});

test("the line of the guide compiles, by MSW's own types", async () => {
  const text = `import { mswHandlers } from "chain-webhooks/msw";
import { bypass, http } from "msw";
import { setupServer } from "msw/node";
export const server = setupServer(...mswHandlers({ http, bypass }, { baseUrl: "https://api.example.com", mockUrl: "http://127.0.0.1:4010" }));
`;
  await installed;
  await writeFile(join(project, "line.ts"), text);
  const args = [tsc, "line.ts", ...strict, "--noEmit", "--skipLibCheck", "--module", "nodenext"];
  const { stdout } = await run(process.execPath, args, { cwd: project }).catch(({ stdout }: { stdout: string }) => ({
    stdout,
  }));
  expect(stdout).toBe("");
});

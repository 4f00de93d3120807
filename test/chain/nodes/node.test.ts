/** A node is called over HTTP. Errors hide its address, and nothing is left behind. */
import { getEventListeners, once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createNetServer, type Server } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { connectNode } from "../../../server/chain/nodes/node.ts";
import { nodeAddress } from "../../../server/chain/nodes/node-address.ts";
import { type RpcAnswer, type RpcProxy, startRpcProxy } from "../../support/rpc-proxy.ts";

const key = "3f9c1b7a5d2e4086";
let stub: RpcProxy;
let over: AbortController;
beforeEach(async () => {
  stub = await startRpcProxy();
  stub.answer = () => ({ result: "0x1" });
  over = new AbortController();
});
afterEach(async () => {
  over.abort();
  await stub.close();
});

const connect = (url = stub.url) => connectNode(url, { signal: over.signal });
const failure = (url = stub.url) =>
  connect(url)
    .request("eth_blockNumber", [])
    .then(
      () => "none",
      (error: Error) => `${error.name}: ${error.message}${String(error.cause ?? "")}`,
    );

test("the result is returned unchanged, null too", async () => {
  for (const result of ["0x1", null, { number: "0x1" }, [1, 2], false]) {
    stub.answer = () => ({ result });
    expect(await connect().request("eth_any", [])).toEqual(result);
  }
});

test.each<[RpcAnswer, string]>([
  [{ error: { code: -32000, message: "header not found" } }, "header not found"],
  [{ status: 429, text: "<html>slow down</html>" }, "status 429"],
  [{ status: 500, text: '{"error":{"code":-32603,"message":"out of memory"}}' }, "out of memory"],
  [{ status: 200, text: "<html>" }, "no JSON-RPC answer"],
  [{ status: 200, text: "{}" }, "no JSON-RPC answer"],
  [{ status: 200, text: "null" }, "no JSON-RPC answer"],
  [{ status: 200, text: '{"error":"nope"}' }, "nope"],
  [{ status: 200, text: '{"error":{"code":-32000}}' }, "an error"],
  ["cut", "other side closed"],
])("%j is an error", async (answer, reason) => {
  stub.answer = () => answer;
  expect(await failure()).toBe(`NodeError: eth_blockNumber at ${stub.url}: ${reason}`);
});

/** @returns its address */
async function listening(server: Server, scheme = "http"): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answer = Buffer.from('{"result":"0x2"}');
test.each<[string, { status?: number; encoding: string; body: Buffer }, RegExp]>([
  ["that is compressed", { encoding: "gzip", body: gzipSync(answer) }, /^none$/],
  ["that is not, as it says", { encoding: "identity", body: answer }, /^none$/],
  ["that only says that it is compressed", { encoding: "gzip", body: answer }, /: incorrect header check$/],
  [
    "in an encoding that was not asked for",
    { encoding: "br", body: answer },
    /: the response has the content encoding br$/,
  ],
  ["without a body", { encoding: "gzip", body: Buffer.alloc(0) }, /: no JSON-RPC answer$/],
  ["of an error that cannot be decoded", { status: 429, encoding: "gzip", body: answer }, /: status 429$/],
])("a response %s is read as far as it can be", async (_, { status = 200, encoding, body }, outcome) => {
  let asked: string | undefined;
  const server = createServer((request, response) => {
    asked = request.headers["accept-encoding"];
    response.writeHead(status, { "content-encoding": encoding }).end(body);
  });
  expect(await failure(await listening(server))).toMatch(outcome);
  expect(asked).toBe("gzip");
});

test("a redirection is followed", async () => {
  const { url } = stub;
  const moved = createServer((_, response) => response.writeHead(308, { location: url }).end());
  expect(await connect(await listening(moved)).request("eth_blockNumber", [])).toBe("0x1");
});

test("a call is cancelled while its connection is being made", async () => {
  // It takes the connection and never answers the handshake.
  const silent = createNetServer((socket) => void socket.on("error", () => socket.destroy()));
  const node = connect(await listening(silent, "https"));
  const call = node.request("eth_blockNumber", []);
  await once(silent, "connection");
  node.cancel();
  await expect(call).rejects.toThrow("cancelled");
});

test("an error reports that nothing listens at the address", async () => {
  expect(await failure("http://127.0.0.1:1")).toBe(
    "NodeError: eth_blockNumber at http://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1",
  );
  const { url } = stub;
  await stub.close();
  expect(await failure(url)).toMatch(/ECONNREFUSED/);
  stub = await startRpcProxy();
});

describe("the key in a node's address is never shown", () => {
  const secret = (url: string) =>
    `${url.replace("http://", `http://${key}:p%40ss${key}@`)}/v3/${key}?token=q${key}#${key}`;
  const echoes: RpcAnswer[] = [
    { error: { code: -32000, message: `project id ${key} is over its limit, see /v3/${key}?token=q${key}` } },
    { error: { code: -32000, message: `user ${key} with p@ss${key} is unknown` } },
    { error: { code: -32000, message: `Basic ${Buffer.from(`${key}:p@ss${key}`).toString("base64")}` } },
    { status: 403, text: `no such key ${key}` },
    { status: 200, text: key },
    "cut",
  ];

  test.each(echoes)("by a node that responds with %j", async (answer) => {
    stub.answer = () => answer;
    const message = await failure(secret(stub.url));
    expect(message).toContain(stub.url);
    expect(message.toLowerCase()).not.toContain(key);
    expect(message).not.toContain(Buffer.from(`${key}:p@ss${key}`).toString("base64"));
  });

  test("by a node that cannot be reached", async () => {
    for (const url of ["http://127.0.0.1:1", "http://nowhere.invalid"])
      expect(await failure(secret(url))).not.toContain(key);
  });

  test("and yet it is sent", async () => {
    const { headers, href } = nodeAddress(secret("http://node.example"));
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`${key}:p@ss${key}`).toString("base64")}`);
    expect(href).toBe(`http://node.example/v3/${key}?token=q${key}#${key}`);
    expect(await failure(secret(stub.url))).toBe("none");
  });

  test("while short parts of a path leave sentences whole", () => {
    expect(nodeAddress("https://node.example/ext/bc/C/rpc").hide("Cannot find C/rpc\n  in bc")).toBe(
      "Cannot find C/rpc in bc",
    );
  });
});

test("cancelled calls end immediately, and later calls succeed", async () => {
  stub.answer = () => new Promise(() => undefined);
  const node = connect();
  const asked = Array.from({ length: 30 }, () => node.request("eth_any", []));
  await new Promise((resolve) => setTimeout(resolve, 50));
  node.cancel();
  for (const outcome of await Promise.allSettled(asked))
    expect(outcome).toMatchObject({ status: "rejected", reason: { message: `eth_any at ${stub.url}: cancelled` } });
  stub.answer = () => ({ result: "0x2" });
  expect(await node.request("eth_any", [])).toBe("0x2");
});

test.each<[string, unknown[], number]>([
  ["eth_chainId", [], 5_000],
  ["eth_getBlockByNumber", ["latest", false], 5_000],
  ["eth_getBlockByNumber", ["0x1", true], 15_000],
  ["eth_getBlockReceipts", [], 15_000],
  ["debug_traceBlockByHash", [], 60_000],
])("%s of %j is waited for no longer than %d ms", async (method, params, patienceMs) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    stub.answer = () => new Promise(() => undefined);
    let outcome = "none";
    const asked = connect()
      .request(method, params)
      .then(
        () => undefined,
        (error: Error) => {
          outcome = error.message;
        },
      );
    while (stub.calls.length === 0) await new Promise(setImmediate);
    vi.advanceTimersByTime(patienceMs - 1);
    await new Promise(setImmediate);
    expect(outcome).toBe("none");
    vi.advanceTimersByTime(1);
    await asked;
    expect(outcome).toBe(`${method} at ${stub.url}: no response in time`);
  } finally {
    vi.useRealTimers();
  }
});

test("calls fail as soon as the follower ends, and no new ones go out", async () => {
  stub.answer = () => new Promise(() => undefined);
  const node = connect();
  const asked = node.request("eth_any", []);
  over.abort();
  await expect(asked).rejects.toThrow("cancelled");
  const { length } = stub.calls;
  await expect(node.request("eth_any", [])).rejects.toThrow("cancelled");
  expect(stub.calls.length).toBe(length);
});

test("responses and listeners are released, however many calls were made", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  stub.answer = () => ({ result: { data: "x".repeat(10_000) } });
  const node = connect();
  const before = getEventListeners(over.signal, "abort").length;
  const answers: WeakRef<object>[] = [];
  for (let count = 0; count < 100; count += 1) answers.push(new WeakRef(await node.request<object>("eth_any", [])));
  await new Promise((resolve) => setTimeout(resolve, 20));
  collect();
  expect(answers.filter((answer) => answer.deref()).length).toBeLessThan(5);
  expect(getEventListeners(over.signal, "abort").length).toBe(before);
});

/** What the server answers is the contract's operations: each can be reached, and nothing else can. */
import { expect, test } from "vitest";
import { operationTable } from "../../generated/operations.ts";
import { FeedReaders } from "../../server/api/handlers/feed.ts";
import { createHandlers } from "../../server/api/handlers/index.ts";
import { loadContract } from "../../server/contract/contract.ts";
import { callHandlers } from "../../server/contract/handlers.ts";
import { findOperation } from "../../server/contract/operations.ts";
import { needsKey } from "../../server/contract/security.ts";
import { patternPhrases } from "../../server/contract/validation-message.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { createPool } from "../../server/store/pool.ts";
import { startApi } from "../support/api.ts";
import { assertError } from "../support/contract-check.ts";

const contract = await loadContract();
const pool = createPool("postgres://unused");
const handlers = createHandlers(
  { pool, keyring: noKeys, chains: [], allowPrivateTargets: false },
  new FeedReaders(pool),
);

test.each(Object.entries(operationTable))(
  "%s is found by its method and path, whatever its parameters' values",
  (id, at) => {
    const path = at.path.replace(/{\w+}/g, "a%20b");
    expect(findOperation(at.method.toUpperCase(), path)).toMatchObject({ operationId: id });
    expect(
      Object.values(findOperation(at.method.toUpperCase(), path)?.parameters ?? {}).every((value) => value === "a%20b"),
    ).toBe(true);
    for (const other of [`${path}/`, `/${path}`, path.toUpperCase(), `${path}/more/of/the/same`])
      expect(findOperation(at.method.toUpperCase(), other)).toBeUndefined();
    if (path !== at.path) expect(findOperation(at.method.toUpperCase(), at.path.replace(/{\w+}/g, ""))).toBeUndefined();
  },
);

test("a key is needed where the contract requires one, and for unknown paths below those", () => {
  for (const [id, at] of Object.entries(operationTable)) {
    const request = { method: at.method.toUpperCase(), path: at.path.replace(/{\w+}/g, "a") };
    expect([id, needsKey(request)]).toEqual([id, id !== "listChains"]);
  }
  for (const path of ["/v1/webhooks/", "/v1/webhooks/a/b/c"]) expect(needsKey({ method: "GET", path })).toBe(true);
  expect(needsKey({ method: "PUT", path: "/v1/webhooks" })).toBe(true);
  for (const path of ["/", "/v1", "/v1/", "/v1/webhook", "/v1/webhooks2", "/v1/chains/a", "/docs"])
    expect(needsKey({ method: "GET", path })).toBe(false);
});

test("an operation without a handler stops the start", async () => {
  const more = structuredClone(contract);
  more.paths["/v1/moons"] = { get: { operationId: "listMoons" } };
  expect(() => callHandlers(more, handlers)).toThrow("The operation listMoons has no handler.");
});

test("every operation is reached, and every other method of its path is a 405", async () => {
  const api = await startApi();
  const id = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";
  for (const path of Object.keys(contract.paths)) {
    const documented = Object.values(operationTable).filter((operation) => operation.path === path);
    for (const method of ["get", "post", "put", "patch", "delete"]) {
      const reply = await api.call(method.toUpperCase(), path.replace(/{\w+}/g, id), {
        body: method === "get" ? undefined : {},
      });
      if (documented.some((operation) => operation.method === method)) expect(reply.status).not.toBe(405);
      else assertError(reply, 405);
    }
  }
  await api.close();
});

test("HEAD answers as GET does, without the body", async () => {
  const api = await startApi();
  const head = await api.call("HEAD", "/v1/webhooks");
  expect(head.status).toBe(200);
  expect(head.body).toBeUndefined();
  expect(head.headers.get("content-length")).toBe(String('{"webhooks":[]}'.length));
  await api.close();
});

test("every pattern that a request can fail has words for it", () => {
  const inputs = JSON.stringify(contract).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g);
  const patterns = new Set([...inputs].map(([, text]) => JSON.parse(text ?? '""') as string));
  const requestPatterns = reachable(contract, patternsOfRequests());
  expect([...requestPatterns].filter((pattern) => !patternPhrases.has(pattern))).toEqual([]);
  expect([...patternPhrases.keys()].filter((pattern) => !patterns.has(pattern))).toEqual([]);
});

function patternsOfRequests(): unknown[] {
  return Object.values(contract.paths).flatMap((item) =>
    Object.values(item).map((operation) => ({ ...operation, responses: undefined, callbacks: undefined })),
  );
}

/** The patterns in these parts of the document and in whatever they refer to. */
function reachable(document: unknown, parts: unknown[]): Set<string> {
  const patterns = new Set<string>();
  const seen = new Set<string>();
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== "object") return;
    for (const [key, value] of Object.entries(node)) {
      if (key === "pattern" && typeof value === "string") patterns.add(value);
      if (key === "$ref" && typeof value === "string" && !seen.has(value)) {
        seen.add(value);
        visit(
          value
            .slice(2)
            .split("/")
            .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document),
        );
      }
      visit(value);
    }
  };
  for (const part of parts) visit(part);
  return patterns;
}

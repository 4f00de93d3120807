/** The routes are the contract's operations: each can be reached, and nothing else can. */

import { readdirSync, readFileSync } from "node:fs";
import type { Router } from "express";
import { expect, test } from "vitest";
import { operationTable } from "../../generated/operations.ts";
import { loadContract } from "../../server/http/contract.ts";
import { createHandlers } from "../../server/http/handlers/index.ts";
import { patternPhrases } from "../../server/http/pattern-phrases.ts";
import { routes } from "../../server/http/routes.ts";
import { noKeys } from "../../server/store/keyring.ts";
import { createPool } from "../../server/store/pool.ts";
import { startApi } from "../support/api.ts";
import { assertError } from "../support/contract-check.ts";

const contract = await loadContract();
const handlers = createHandlers({
  pool: createPool("postgres://unused"),
  keyring: noKeys,
  chains: [],
  allowPrivateTargets: false,
});

function registered(router: Router): string[] {
  return router.stack.flatMap(({ route }) =>
    route ? route.stack.map(({ method }) => `${method} ${String(route.path).replace(/:(\w+)/g, "{$1}")}`) : [],
  );
}

test("the routes are exactly the contract's operations", () => {
  const operations = Object.values(operationTable).map(({ method, path }) => `${method} ${path}`);
  expect(registered(routes(contract, handlers)).sort()).toEqual(operations.sort());
});

test("an operation without a handler stops the start", async () => {
  const more = structuredClone(contract);
  more.paths["/v1/moons"] = { get: { operationId: "listMoons" } };
  expect(() => routes(more, handlers)).toThrow("The operation listMoons has no handler.");
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

test("floors: http imports neither chain/ nor delivery/", () => {
  const folder = new URL("../../server/http/", import.meta.url);
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts")))
    expect(readFileSync(new URL(name, folder), "utf8")).not.toMatch(/from "(\.\.\/)+(chain|delivery)\//);
});

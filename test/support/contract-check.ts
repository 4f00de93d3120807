/** Holds answers against the contract itself, since the server's own validator does not see errors. */
import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { components } from "../../generated/types.ts";
import { loadContract } from "../../server/contract/contract.ts";
import { reasonPhrases } from "../../server/contract/errors.ts";
import type { Reply } from "./api.ts";

const contract = await loadContract();
const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(contract, "contract");

/** The contract's schema of that name, compiled. */
export function schema(name: string): ValidateFunction {
  return ajv.compile({ $ref: `contract#/components/schemas/${name}` });
}

const isApiError = schema("ApiError");

/** Asserts that an answer is an error of this status, in the contract's shape, and with the headers that go with it. */
export function assertError(reply: Reply, status: keyof typeof reasonPhrases, message?: string | RegExp): void {
  const said = JSON.stringify(reply.body);
  assert.equal(reply.status, status, said);
  assert.ok(isApiError(reply.body), said);
  const { statusCode, error, message: reported } = reply.body as components["schemas"]["ApiError"];
  assert.equal(statusCode, status);
  assert.equal(error, reasonPhrases[status]);
  assert.match(reported, /^[^.].*\.$/, "The message must be a sentence.");
  if (typeof message === "string") assert.equal(reported, message);
  else if (message) assert.match(reported, message);
  assert.match(reply.headers.get("content-type") ?? "", /^application\/json/);
  assert.equal(reply.headers.get("x-powered-by"), null);
  if (status === 503 || status === 429) assert.match(reply.headers.get("retry-after") ?? "", /^\d+$/);
  if (status === 405) assert.match(reply.headers.get("allow") ?? "", /^[A-Z]+(, [A-Z]+)*$/);
  if (status === 401) assert.ok(reply.headers.get("www-authenticate"));
}

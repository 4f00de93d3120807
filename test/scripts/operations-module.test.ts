/** `generated/operations.ts`: which operations need a key comes from the contract's security. */
import { expect, test } from "vitest";
import { operationsModule, type TableContract } from "../../scripts/maintain/operations-module.ts";

type Security = NonNullable<TableContract["security"]>;

function moduleOf(own: Security | undefined, everywhere: Security = []): string {
  const listMoons = { operationId: "listMoons", ...(own && { security: own }) };
  return operationsModule({
    security: everywhere,
    paths: { "/v1/moons": { get: listMoons } },
    components: { parameters: {}, securitySchemes: { apiKey: { name: "x-key" } } },
  });
}

const scoped = /requiredScopes = {\n {2}listMoons: \["write"\],\n}/;
const open = /requiredScopes = {\n\n}/;

test("an operation has its own security, else the document's", () => {
  expect(moduleOf([{ apiKey: ["write"] }])).toMatch(scoped);
  expect(moduleOf(undefined, [{ apiKey: ["write"] }])).toMatch(scoped);
  expect(moduleOf([], [{ apiKey: ["write"] }])).toMatch(open);
});

test.each([[[{ oauth: [] }]], [[{ apiKey: [] }, { oauth: [] }]], [[{ apiKey: [], oauth: [] }]], [[{}]]])(
  "an operation protected by %j cannot be generated",
  (security) => {
    expect(() => moduleOf(security as Security)).toThrow("listMoons must be protected by one API key, or by nothing.");
  },
);

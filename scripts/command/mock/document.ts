/** The contract as the mock works with it. */
import { type Contract, loadContract } from "../../../server/contract/contract.ts";

/** An operation with what the mock looks into. */
export type MockOperation = { operationId?: string; responses: Record<string, MockResponse | Reference> };

type Reference = { $ref: string };
type MockResponse = { content?: { "application/json"?: { examples?: Record<string, unknown> } } };

/** The contract, for the mock. */
export type MockDocument = Contract & { paths: Record<string, Record<string, MockOperation>> };

/**
 * Reads the contract, and leaves out callbacks, which Prism would send unsigned and to whoever asks in vain, and security,
 * since any key will do and the mock looks for one itself.
 */
export async function loadMockDocument(): Promise<MockDocument> {
  const document = (await loadContract()) as MockDocument & { security?: unknown };
  delete document.security;
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item) as { callbacks?: unknown; security?: unknown }[]) {
      delete operation.callbacks;
      delete operation.security;
    }
  }
  return document;
}

/** The names of the examples that the answer of a status has. */
export function exampleNames(document: MockDocument, operation: MockOperation, status: string): string[] {
  const response = operation.responses[status];
  const resolved = response && "$ref" in response ? follow<MockResponse>(document, response) : response;
  return Object.keys(resolved?.content?.["application/json"]?.examples ?? {});
}

function follow<T>(document: unknown, { $ref }: Reference): T | undefined {
  return $ref
    .slice("#/".length)
    .split("/")
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document) as T | undefined;
}

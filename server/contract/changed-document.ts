/** What must be true of a document that somebody changed, by an overlay or by hand, before a server is held to it. */
import { operationTable } from "../../generated/operations.ts";
import { type Contract, loadContract, operationsOf } from "./contract.ts";

type Closable = { additionalProperties?: unknown } | undefined;

/**
 * Checks that a document has operations of the contract only, where the contract has them, and that its answers are closed.
 *
 * @throws with what is wrong
 */
export async function checkedDocument(document: object): Promise<Contract> {
  const changed = document as Contract;
  if (!changed.paths || !changed.components?.schemas)
    throw new Error("document must be an OpenAPI document with paths and schemas.");
  for (const { operationId, method, path } of operationsOf(changed)) {
    const own = Object.hasOwn(operationTable, operationId)
      ? operationTable[operationId as keyof typeof operationTable]
      : undefined;
    if (!own) throw new Error(`document must have operations of the contract only, and not ${operationId}.`);
    if (own.method !== method || own.path !== path)
      throw new Error(`document must have ${operationId} at ${own.method.toUpperCase()} ${own.path}.`);
  }
  const { components } = await loadContract();
  for (const [name, schema] of Object.entries(components.schemas)) {
    const theirs = changed.components.schemas[name] as Closable;
    if ((schema as Closable)?.additionalProperties === false && theirs && theirs.additionalProperties !== false)
      throw new Error(`document must be made from openapi-closed.json: its ${name} allows further fields.`);
  }
  return changed;
}

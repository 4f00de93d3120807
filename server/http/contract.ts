/** The contract as the server loads it: the bundle in generated/. */
import { readFile } from "node:fs/promises";

const folder = new URL("../../generated/", import.meta.url);

/** A response, or where it is among the components. */
export type ResponseObject = { $ref?: string; headers?: Record<string, { required?: boolean }> };

/** The scopes that are needed, by the name of the security scheme. */
export type SecurityRequirement = Record<string, string[]>;

/** An operation of a document. */
export type OperationObject = {
  operationId?: string;
  parameters?: { name?: string; in?: string; schema?: { type?: unknown } }[];
  responses?: Record<string, ResponseObject>;
  security?: SecurityRequirement[];
};

/** The parts of an OpenAPI document that the server looks into. */
export type Contract = {
  openapi: string;
  security?: SecurityRequirement[];
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, unknown>; responses?: Record<string, ResponseObject> };
};

/** Reads one of the documents in generated/. */
export function readGenerated(name: string): Promise<Buffer> {
  return readFile(new URL(name, folder));
}

/** Reads the contract. */
export async function loadContract(): Promise<Contract> {
  return JSON.parse((await readGenerated("openapi.json")).toString()) as Contract;
}

/** The contract as the server loads it: the bundle in generated/. */
import { readFile } from "node:fs/promises";

const folder = new URL("../../generated/", import.meta.url);

/** A response, or where it is among the components. */
export type ResponseObject = { $ref?: string; headers?: Record<string, { required?: boolean }> };

/** What an operation takes as its body, or where that is among the components. */
export type RequestBodyObject = { $ref?: string; content?: Record<string, { schema?: object }> };

/** The scopes that are needed, by the name of the security scheme. */
export type SecurityRequirement = Record<string, string[]>;

/** A parameter, or where it is among the components. */
export type ParameterObject = { $ref?: string; name?: string; in?: string; schema?: { $ref?: string; type?: unknown } };

/** An operation of a document. */
export type OperationObject = {
  operationId?: string;
  parameters?: ParameterObject[];
  requestBody?: RequestBodyObject;
  responses?: Record<string, ResponseObject>;
  security?: SecurityRequirement[];
};

/** The parts of an OpenAPI document that the server looks into. */
export type Contract = {
  openapi: string;
  security?: SecurityRequirement[];
  paths: Record<string, Record<string, OperationObject>>;
  components: {
    schemas: Record<string, unknown>;
    parameters?: Record<string, ParameterObject>;
    responses?: Record<string, ResponseObject>;
  };
};

/** Reads one of the documents in generated/. */
export function readGenerated(name: string): Promise<Buffer> {
  return readFile(new URL(name, folder));
}

/** Reads the contract. */
export async function loadContract(): Promise<Contract> {
  return JSON.parse((await readGenerated("openapi.json")).toString()) as Contract;
}

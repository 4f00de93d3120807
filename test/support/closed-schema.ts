/** Checks values against the contract's schemas as they stand: closed, so that a field too many is an error as well. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";

type Schemas = Record<string, { properties?: Record<string, unknown> }>;

const contract = JSON.parse(readFileSync(new URL("../../generated/openapi-closed.json", import.meta.url), "utf8")) as {
  components: { schemas: Schemas };
};

const ajv = new Ajv2020({ strict: false, formats: { int64: true } });
ajv.addSchema({ $id: "contract", components: { schemas: contract.components.schemas } });

/** @throws when the value is not as the contract's schema of that name says; the message says where. */
export function assertSchema(schemaName: string, value: unknown): void {
  const validate = ajv.getSchema(`contract#/components/schemas/${schemaName}`);
  if (!validate) throw new Error(`The contract has no schema ${schemaName}.`);
  if (!validate(value)) throw new Error(`Not a ${schemaName}: ${ajv.errorsText(validate.errors)}`);
}

/** The fields of a schema in the order in which the contract lists them. */
export function fieldsOf(schemaName: string): string[] {
  return Object.keys(contract.components.schemas[schemaName]?.properties ?? {});
}

/**
 * Checks bodies against the contract's schemas. Ajv decides, and stops at the first fault, so a refusal costs the same however many faults
 * there are. With `allErrors` it would list each of 340,000 items. Only a refused body is searched field by field: an object is walked by
 * its schema's properties, and each field reports the first fault that Ajv finds in it.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type Contract, operationsOf, resolved } from "../contract.ts";
import { badRequest } from "../errors.ts";
import { maxNamed, type ValidationFault, validationMessage } from "../validation-message.ts";

/** Returns for a body that its schema allows. @throws {HttpError} 400 */
export type BodyCheck = (body: unknown) => void;

type Reference = { $ref?: string };
type Schema = Reference & {
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
};

/** Makes the check of each operation that takes a body. @throws when a schema is not valid */
export function bodyChecks(contract: Contract): ReadonlyMap<string, BodyCheck> {
  return bodyChecksBy(contract, compiler(contract));
}

/** Makes what decides whether a value is as a schema says. */
type Compile = (schema: Schema) => ValidateFunction;

function compiler({ components }: Contract): Compile {
  // Patterns that go by code points take twice as long, and those of the contract mean the same without.
  // Ajv wants the code only where it writes modules.
  const regExp = Object.assign(fixedPattern, { code: "" });
  const ajv = new Ajv2020({ strict: false, unicodeRegExp: false, code: { regExp } });
  addFormats.default(ajv, { mode: "full", formats: ["uri"] });
  const compiled = new WeakMap<Schema, ValidateFunction>();
  return (schema) => {
    const validate = compiled.get(schema) ?? ajv.compile({ ...schema, components });
    compiled.set(schema, validate);
    return validate;
  };
}

/** The same where the schemas were compiled before, since a page may forbid it. It names the faults in the same words. */
export function bodyChecksBy(contract: Contract, validatorOf: Compile): ReadonlyMap<string, BodyCheck> {
  /** @param decisive the fault that Ajv stopped at, so that its place is not searched again */
  function faults(
    value: unknown,
    schema: Schema,
    path: string,
    decisive: readonly ValidationFault[],
  ): ValidationFault[] {
    const { properties, required = [], additionalProperties } = resolved(contract, schema);
    if (!properties || typeof value !== "object" || value === null || Array.isArray(value)) {
      const known = decisive.filter((fault) => fault.path === path || fault.path.startsWith(`${path}/`));
      if (known.length > 0) return known;
      const validate = validatorOf(schema);
      return validate(value) ? [] : firstFault(validate, path);
    }
    const fault = (name: string, errorCode: string) => ({ path: `${path}/${escaped(name)}`, message: "", errorCode });
    const names = Object.keys(value);
    const unknown = additionalProperties === false ? names.filter((name) => !Object.hasOwn(properties, name)) : [];
    const known = Object.entries(value).filter(([name]) => Object.hasOwn(properties, name));
    return [
      // One more than is named, to show that there are more.
      ...unknown.slice(0, maxNamed + 1).map((name) => fault(name, "additionalProperties")),
      ...required.filter((name) => !Object.hasOwn(value, name)).map((name) => fault(name, "required")),
      ...known.flatMap(([name, inner]) => faults(inner, properties[name] ?? {}, `${path}/${escaped(name)}`, decisive)),
    ];
  }

  const checks = new Map<string, BodyCheck>();
  for (const { operationId, requestBody } of operationsOf(contract)) {
    if (requestBody === undefined) continue;
    const { content } = resolved(contract, requestBody);
    const schema = content?.["application/json"]?.schema;
    if (!schema) throw new Error(`The operation ${operationId} must take its body as application/json.`);
    const validate = validatorOf(schema);
    checks.set(operationId, (body) => {
      if (validate(body)) return;
      const decisive = firstFault(validate, "/body");
      const found = faults(body, schema, "/body", decisive);
      throw badRequest(validationMessage(found.length > 0 ? found : decisive));
    });
  }
  return checks;
}

/** What a schema's check has found, of which it says the first. */
export function firstFault(validate: Pick<ValidateFunction, "errors">, path: string): ValidationFault[] {
  return (validate.errors ?? []).slice(0, 1).map(({ keyword, instancePath, message = "", params }: ErrorObject) => ({
    path: `${path}${instancePath}${fieldOf(keyword, params)}`,
    message: keyword === "enum" ? `${message}: ${params.allowedValues.join(", ")}` : message,
    errorCode: keyword,
  }));
}

/** Ajv names the object that lacks a field, or has one too many, and the field apart from it. */
function fieldOf(keyword: string, params: ErrorObject["params"]): string {
  const name =
    keyword === "required"
      ? params.missingProperty
      : keyword === "additionalProperties"
        ? params.additionalProperty
        : undefined;
  return name === undefined ? "" : `/${escaped(String(name))}`;
}

const escaped = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** A prefix of letters and digits, then a number of characters of a class. */
const form = /^\^(?<prefix>\w*)(?<oneOf>\[[-\w]+\])\{(?<count>\d+)\}\$$/;

/** The part of a regular expression that Ajv uses. */
type Pattern = { test(text: string): boolean; toString(): string };

/**
 * Patterns for texts of one length whose characters are all of one class, such as addresses and hashes, are tables. 10,000 addresses take 1.4 ms by a
 * table, and 2.8 by a regular expression (Node 20). Every other pattern becomes a regular expression.
 *
 * @param source as in a schema; texts are read by code units
 */
export function fixedPattern(source: string): Pattern {
  const { prefix, oneOf, count } = form.exec(source)?.groups ?? {};
  if (prefix === undefined || oneOf === undefined) return new RegExp(source);
  const matches = new RegExp(`^${oneOf}$`);
  const isOne = Uint8Array.from({ length: 128 }, (_, code) => Number(matches.test(String.fromCharCode(code))));
  const [start, length] = [prefix.length, prefix.length + Number(count)];
  return {
    // Ajv caches patterns by this.
    toString: () => source,
    test(text) {
      if (text.length !== length || !text.startsWith(prefix)) return false;
      for (let index = start; index < length; index += 1) if (isOne[text.charCodeAt(index)] !== 1) return false;
      return true;
    },
  };
}

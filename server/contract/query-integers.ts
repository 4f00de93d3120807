/**
 * Whole numbers in a query must be written as such, and be numbers that JavaScript can hold. The validator takes `1e1`, ` 1` and even
 * `1e400`, which becomes an infinity that its bounds let pass.
 */
import type { RequestHandler } from "express";
import type { Contract } from "./contract.ts";
import { badRequest } from "./errors.ts";

const written = /^-?(0|[1-9][0-9]*)$/;

/** Refuses other ways to write them; what is empty or there twice is left to the validator. */
export function plainIntegers(contract: Contract): RequestHandler {
  const names = integersOf(contract);
  return (request, _response, next) => {
    // Express parses the query again each time that it is asked for.
    for (const [name, value] of Object.entries(request.url.includes("?") ? request.query : {})) {
      if (typeof value !== "string" || value === "" || !names.has(name)) continue;
      if (!written.test(value)) throw badRequest(`${name} must be an integer.`);
      if (!Number.isSafeInteger(Number(value))) throw badRequest(`${name} must be an integer of at most 16 digits.`);
    }
    next();
  };
}

function integersOf(contract: Contract): ReadonlySet<string | undefined> {
  const operations = Object.values(contract.paths).flatMap((item) => Object.values(item));
  const parameters = operations.flatMap((operation) => operation.parameters ?? []);
  const integers = parameters.filter((parameter) => parameter.in === "query" && parameter.schema?.type === "integer");
  return new Set(integers.map(({ name }) => name));
}

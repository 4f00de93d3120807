// Made from openapi/openapi.yaml by `npm run generate`. Do not edit.
import type { ValidateFunction } from "ajv";

/** The part of the contract that the mock reads. A schema of a request names its check as `x-check`. */
export declare const contractPart: object;
/** The checks of requests' schemas. */
export declare const checks: readonly ValidateFunction[];

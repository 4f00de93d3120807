/** Every generator of the run, in the order of the table. */
import type { Generator } from "../harness/generator.ts";
import { oapiCodegen } from "./go.ts";
import { go, java, kotlin, python, rust } from "./openapi-generator.ts";
import { openapiPythonClient } from "./python.ts";
import { progenitor } from "./rust.ts";
import { heyApi, openapiTypescript, orval } from "./typescript.ts";

export const generators: readonly Generator[] = [
  openapiTypescript,
  heyApi,
  orval,
  java,
  kotlin,
  go,
  oapiCodegen,
  python,
  openapiPythonClient,
  rust,
  progenitor,
];

/** Every generator of the run, in the order of the table. */
import type { Generator } from "../harness/generator.ts";
import { csharp } from "./csharp.ts";
import { go, oapiCodegen } from "./go.ts";
import { java, kotlin } from "./jvm.ts";
import { datamodelCodeGenerator, openapiPythonClient, python } from "./python.ts";
import { progenitor, rust } from "./rust.ts";
import { php, ruby } from "./scripting.ts";
import { swift } from "./swift.ts";
import {
  heyApi,
  openapiTypescript,
  openapiZodClient,
  orval,
  swaggerTypescriptApi,
  typedOpenapi,
} from "./typescript.ts";

export const generators: readonly Generator[] = [
  openapiTypescript,
  heyApi,
  orval,
  typedOpenapi,
  openapiZodClient,
  swaggerTypescriptApi,
  java,
  kotlin,
  csharp,
  swift,
  go,
  oapiCodegen,
  python,
  openapiPythonClient,
  datamodelCodeGenerator,
  php,
  ruby,
  rust,
  progenitor,
];

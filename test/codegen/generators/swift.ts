/** The generator of Swift clients. No registry of the run was found to have a compiler, so the client is parsed only. */
import { openapiGenerator, unknownValues } from "./openapi-generator.ts";

export const swift = openapiGenerator({
  id: "openapi-generator-swift",
  language: "Swift",
  needs: ["python3"],
  packages: "python",
  checkedBy: "parsed only, by tree-sitter",
  options: { generatorName: "swift6", additionalProperties: { ...unknownValues, validatable: false } },
  others: { validating: { generatorName: "swift6", additionalProperties: unknownValues } },
  commands: { compile: "python parse.py client" },
  limits: [
    {
      said: "Without `validatable=false` it writes a pattern's slash as `\\/` into a text, which is no Swift.",
      fails: "python parse.py validating",
    },
  ],
});

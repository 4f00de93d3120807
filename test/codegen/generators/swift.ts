/** The generator of Swift clients. Debian 13 has a compiler; without one, as on Debian 12, the client is parsed only. */
import { openapiGenerator, unknownValues } from "./openapi-generator.ts";

export const swift = openapiGenerator({
  id: "openapi-generator-swift",
  language: "Swift",
  needs: ["python3"],
  packages: "python",
  checkedBy: "swiftc where there is one, else parsed by tree-sitter",
  options: { generatorName: "swift6", additionalProperties: { ...unknownValues, validatable: false } },
  others: { validating: { generatorName: "swift6", additionalProperties: unknownValues } },
  commands: { compile: "python check.py client" },
  limits: [
    {
      said: "Compiled on Linux by Swift 6.0.3, in the language's mode 6, with a stand-in for `MobileCoreServices`, which it imports wherever it is not on macOS. On Apple's platforms it needs none.",
      seenIn: "client/Sources/OpenAPIClient/Infrastructure/URLSessionImplementations.swift",
      has: /#if !os\(macOS\)\s*import MobileCoreServices/,
    },
    {
      said: "Without `validatable=false` it writes a pattern's slash as `\\/` into a text, which is no Swift.",
      fails: "python check.py validating",
    },
  ],
});

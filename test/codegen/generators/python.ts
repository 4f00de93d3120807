/** The generators of Python clients. */
import type { Generator } from "../harness/generator.ts";
import { openapiGenerator } from "./openapi-generator.ts";
import { pythonVersion } from "./packages.ts";

/** Nothing is compiled in Python; mypy holds the program to the client's types. */
const checkPython = "python -m compileall -q client && mypy scenario.py --strict --follow-imports silent";

/** What all of them share. */
const pythonLanguage = { language: "Python", needs: ["python3"], packages: "python", checkedBy: "mypy" } as const;

export const python = openapiGenerator({
  ...pythonLanguage,
  id: "openapi-generator-python",
  // With enumUnknownDefaultCase it fails on unknown values all the same.
  options: { generatorName: "python", additionalProperties: { packageName: "client" } },
  commands: {
    compile: `export PYTHONPATH=client MYPYPATH=client && ${checkPython} --implicit-reexport`,
    run: "PYTHONPATH=client python scenario.py",
  },
  limits: [
    {
      said: "mypy reads its models with pydantic's plugin and `--implicit-reexport` only.",
      fails:
        "PYTHONPATH=client MYPYPATH=client mypy scenario.py --strict --follow-imports silent --config-file /dev/null",
    },
  ],
});

export const openapiPythonClient: Generator = {
  ...pythonLanguage,
  id: "openapi-python-client",
  name: "openapi-python-client",
  document: "3.1",
  version: pythonVersion("openapi-python-client"),
  commands: {
    generate: "openapi-python-client generate --path openapi.json --output-path client --meta none",
    compile: checkPython,
    run: "python scenario.py",
  },
  generated: "client",
  notification: { payload: "`AddressActivityNotification`", headers: "`AddressActivityHeaders`" },
  limits: [
    {
      said: "Errors are returned, not raised: an answer is the record or an `ApiError`.",
      seenIn: "client/api/webhooks/get_webhook.py",
      has: /-> ApiError \| Webhook \| None/,
    },
    {
      said: "The client does not know the API key's header: the program names it.",
      seenIn: "client",
      lacks: /x-service-api-key/,
    },
  ],
};

export const datamodelCodeGenerator: Generator = {
  ...pythonLanguage,
  id: "datamodel-code-generator",
  name: "datamodel-code-generator",
  document: "3.1",
  version: pythonVersion("datamodel-code-generator"),
  commands: {
    generate:
      "datamodel-codegen --input openapi.json --input-file-type openapi --output client/models.py" +
      " --output-model-type pydantic_v2.BaseModel --collapse-root-models --use-annotated --target-python-version 3.11" +
      " --formatters builtin",
    compile: checkPython,
    run: "python scenario.py",
  },
  generated: "client",
  typesOnly: true,
  notification: { payload: "`AddressActivityNotification`", headers: "`AddressActivityHeaders`" },
  limits: [
    {
      said: "It makes models only: the program sends the requests.",
      seenIn: "client",
      lacks: /^\s*(import|from) (urllib|httpx|requests)\b/m,
    },
    {
      said: "Without `--collapse-root-models` each text with a pattern is a model of its own, and is read as `.root`.",
      fails:
        "datamodel-codegen --input openapi.json --input-file-type openapi --output wrapped.py" +
        " --output-model-type pydantic_v2.BaseModel --formatters builtin && ! grep -q 'class Uuid(' wrapped.py",
    },
    {
      said: "`url` is pydantic's `AnyUrl`, without the document's pattern: the service refuses what it lets through.",
      seenIn: "client/models.py",
      lacks: /\[hH\]\[tT\]/,
    },
  ],
};

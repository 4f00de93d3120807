/** The generators of Go clients. */
import type { Generator } from "../harness/generator.ts";
import { openapiGenerator, unknownValues } from "./openapi-generator.ts";

const goProperties = { ...unknownValues, packageName: "client", withGoMod: false };

export const go = openapiGenerator({
  id: "openapi-generator-go",
  language: "Go",
  needs: ["go"],
  checkedBy: "Go's compiler",
  options: {
    generatorName: "go",
    additionalProperties: {
      ...goProperties,
      disallowAdditionalPropertiesIfNotPresent: false,
      enumClassPrefix: true,
    },
  },
  others: {
    closed: { generatorName: "go", additionalProperties: {} },
    bare: { generatorName: "go", additionalProperties: { packageName: "bare", withGoMod: false } },
  },
  commands: { compile: "go build -o scenario .", run: "./scenario" },
  limits: [
    {
      said: "Without `disallowAdditionalPropertiesIfNotPresent=false` it refuses fields that it does not know.",
      seenIn: "closed/model_webhook.go",
      has: /DisallowUnknownFields/,
    },
    {
      said: "Without `enumClassPrefix=true` two enumerations have constants of one name, and the client does not compile.",
      fails: "go build ./bare",
    },
  ],
});

export const oapiCodegen: Generator = {
  id: "oapi-codegen",
  name: "oapi-codegen",
  language: "Go",
  document: "3.0",
  version: { file: "oapi-codegen/go.mod", pattern: /oapi-codegen\/oapi-codegen\/v2 v(\S+)/ },
  needs: ["go"],
  checkedBy: "Go's compiler",
  commands: {
    install: "go mod download",
    generate:
      "mkdir -p client && go tool oapi-codegen -generate types,client -package client -o client/client.go openapi-3.0.json",
    compile: "go build -o scenario .",
    run: "./scenario",
  },
  generated: "client",
  notification: { payload: "`AddressActivityNotification`", headers: "`AddressActivityParams`" },
  limits: [
    {
      said: "From the 3.1 document it makes the notification's types twice, for the callback and for the webhook, and they do not compile.",
      fails:
        "mkdir bare && go tool oapi-codegen -generate types,client -package bare -o bare/bare.go openapi.json && go build ./bare",
    },
    {
      said: "The client has no place for the API key: a `RequestEditorFn` of the program adds the header.",
      seenIn: "client",
      lacks: /x-service-api-key/,
    },
  ],
};

/** The generators of Go clients; openapi-generator has one too. */
import type { Generator } from "../harness/generator.ts";

export const oapiCodegen: Generator = {
  id: "oapi-codegen",
  name: "oapi-codegen",
  language: "Go",
  document: "3.0",
  version: { file: "oapi-codegen/go.mod", pattern: /oapi-codegen\/oapi-codegen\/v2 v(\S+)/ },
  needs: ["go"],
  commands: {
    install: "go mod download",
    generate:
      "mkdir -p client && go tool oapi-codegen -generate types,client -package client -o client/client.go openapi-3.0.json",
    compile: "go build -o scenario .",
    run: "./scenario",
  },
  generated: "client",
  notification: "`AddressActivityNotification` for the payload, `AddressActivityParams` for the headers",
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

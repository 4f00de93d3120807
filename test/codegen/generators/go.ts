/** The generators of Go clients; openapi-generator has one too. */
import type { Generator } from "../harness/generator.ts";

export const oapiCodegen: Generator = {
  id: "oapi-codegen",
  name: "oapi-codegen",
  language: "Go",
  document: "3.1",
  version: { file: "oapi-codegen/go.mod", pattern: /oapi-codegen\/oapi-codegen\/v2 v(\S+)/ },
  needs: ["go"],
  commands: {
    install: "go mod download",
    generate:
      "mkdir -p client && go tool oapi-codegen -generate types,client -package client -o client/client.go openapi.json",
    compile: "go build -o scenario .",
    run: "./scenario",
  },
  generated: "client",
  notification: "`AddressActivityNotification`, the payload as a type",
  limits: [],
};

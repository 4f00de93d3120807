/** The generators of Rust clients. */
import type { Generator } from "../harness/generator.ts";
import { openapiGenerator } from "./openapi-generator.ts";

export const rust = openapiGenerator({
  id: "openapi-generator-rust",
  language: "Rust",
  needs: ["cargo"],
  checkedBy: "rustc",
  // With enumUnknownDefaultCase it fails on unknown values all the same.
  options: { generatorName: "rust", additionalProperties: { packageName: "client", packageVersion: "0.0.0" } },
  commands: {
    compile: "cargo build --locked",
    run: "$CARGO_TARGET_DIR/debug/openapi-generator-rust",
  },
  limits: [
    {
      said: "An error's `entity` is of its first variant, `Status400`, whatever the status; the status stands beside it.",
      seenIn: "client/src/apis/webhooks_api.rs",
      has: /#\[serde\(untagged\)\]\s*pub enum GetWebhookError \{\s*Status400/,
    },
  ],
});

export const progenitor: Generator = {
  id: "progenitor",
  name: "progenitor",
  language: "Rust",
  document: "3.0",
  version: { file: "progenitor/Cargo.toml", pattern: /progenitor-impl = "=([^"]+)"/ },
  needs: ["cargo"],
  checkedBy: "rustc",
  commands: {
    install: "cargo fetch --locked",
    // By build.rs, as progenitor's own instructions have it.
    generate: "cargo build --locked",
    compile: "cargo build --locked",
    run: "$CARGO_TARGET_DIR/debug/progenitor",
  },
  generated: "client",
  notification: { payload: "`types::AddressActivityNotification`", headers: "`types::AddressActivityHeaders`" },
  limits: [
    {
      said: "It does not read the 3.1 document.",
      fails: "sed -i.bak s/openapi-3.0.json/openapi.json/ build.rs && cargo build --locked",
    },
    {
      said: "The client has no place for the API key: the program's `reqwest::Client` adds the header.",
      seenIn: "client",
      lacks: /x-service-api-key/,
    },
    {
      said: "Patterns are checked in what is read too, so that a text that a pattern does not allow is an error.",
      seenIn: "client",
      has: /regress::Regex/,
    },
  ],
};

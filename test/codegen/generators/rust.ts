/** The generators of Rust clients; openapi-generator has one too. */
import type { Generator } from "../harness/generator.ts";
import { noHeaders } from "./no-headers.ts";

export const progenitor: Generator = {
  id: "progenitor",
  name: "progenitor",
  language: "Rust",
  document: "3.0",
  version: { file: "progenitor/Cargo.toml", pattern: /progenitor-impl = "=([^"]+)"/ },
  needs: ["cargo"],
  commands: {
    install: "cargo fetch --locked",
    // By build.rs, as progenitor's own instructions have it.
    generate: "cargo build --locked",
    compile: "cargo build --locked",
    run: "$CARGO_TARGET_DIR/debug/scenario",
  },
  generated: "client",
  notification: "`types::AddressActivityNotification`, the payload as a type",
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
    noHeaders,
  ],
};

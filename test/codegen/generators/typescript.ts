/** The generators of TypeScript clients. */
import type { Generator } from "../harness/generator.ts";
import { noHeaders } from "./no-headers.ts";

const install = "npm ci --ignore-scripts";
const compile =
  "npx tsc --strict --target es2022 --module nodenext --lib es2023,dom,dom.iterable --types node --outDir built scenario.ts";
const run = "node built/scenario.js";

export const openapiTypescript: Generator = {
  id: "openapi-typescript",
  name: "openapi-typescript",
  language: "TypeScript",
  document: "3.1",
  version: { file: "openapi-typescript/package.json", pattern: /"openapi-typescript": "([^"]+)"/ },
  needs: ["npm"],
  commands: { install, generate: "npx openapi-typescript openapi.json --output client/schema.ts", compile, run },
  generated: "client",
  notification: '`webhooks["addressActivity"]`: the payload and the signature\'s headers, as types',
  limits: [
    {
      said: "`createWebhook`'s callback has no type of its own; the notification stands under `webhooks`.",
      seenIn: "client",
      lacks: /\bcallbacks\??:/,
    },
  ],
};

export const heyApi: Generator = {
  id: "hey-api",
  name: "@hey-api/openapi-ts",
  language: "TypeScript",
  document: "3.1",
  version: { file: "hey-api/package.json", pattern: /"@hey-api\/openapi-ts": "([^"]+)"/ },
  needs: ["npm"],
  newerNode: true,
  commands: { install, generate: "npx openapi-ts", compile, run },
  generated: "client",
  notification: "`AddressActivityWebhookPayload`, the payload as a type",
  limits: [
    {
      said: "The generator needs Node 22.18 or later; the client runs on Node 20 as well.",
      seenIn: "node_modules/@hey-api/openapi-ts/package.json",
      has: /"node": ">=22\.18/,
    },
    {
      said: 'Its configuration is `{ input: "openapi.json", output: { path: "client", module: { extension: ".js" } } }`: without the extension, Node does not resolve the imports.',
      seenIn: "openapi-ts.config.mjs",
      has: /extension: "\.js"/,
    },
    noHeaders,
  ],
};

export const orval: Generator = {
  id: "orval",
  name: "orval",
  language: "TypeScript",
  document: "3.1",
  version: { file: "orval/package.json", pattern: /"orval": "([^"]+)"/ },
  needs: ["npm"],
  newerNode: true,
  commands: {
    install,
    generate: "npx orval --input openapi.json --output client/client.ts --client fetch",
    compile,
    run,
  },
  generated: "client",
  notification: "`AddressActivityNotification`, the payload as a type",
  limits: [
    {
      said: "The generator needs Node 22.18 or later; the client runs on Node 20 as well.",
      seenIn: "node_modules/orval/package.json",
      has: /"node": ">=22\.18/,
    },
    {
      said: "The client has no place for the API key: the program's `fetch`, or a function named as orval's mutator, adds the header.",
      seenIn: "client",
      lacks: /x-service-api-key/,
    },
    noHeaders,
  ],
};

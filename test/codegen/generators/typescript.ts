/** The generators of TypeScript clients. */
import type { Generator } from "../harness/generator.ts";
import { npmVersion } from "./packages.ts";

/** What all of them share. TypeScript 7 takes a quarter of the time of 5.9, which openapi-typescript needs. */
const typescript = {
  language: "TypeScript",
  document: "3.1",
  needs: ["npm"],
  packages: "npm",
  checkedBy: "TypeScript 7",
  generated: "client",
} as const;
const compile =
  "node node_modules/typescript-7/bin/tsc --strict --target es2022 --module nodenext --lib es2023,dom,dom.iterable --types node --outDir built scenario.ts";
const run = "node built/scenario.js";
const types = { payload: "`AddressActivityNotification`", headers: "`AddressActivityHeaders`" };

const newerNode = (name: string) => ({
  said: "The generator needs Node 22.18 or later; the client runs on Node 20 as well.",
  seenIn: `node_modules/${name}/package.json`,
  has: /"node": ">=22\.18/,
});

export const openapiTypescript: Generator = {
  ...typescript,
  id: "openapi-typescript",
  name: "openapi-typescript",
  version: npmVersion("openapi-typescript"),
  commands: { generate: "npx openapi-typescript openapi.json --output client/schema.ts", compile, run },
  notification: { payload: '`webhooks["addressActivity"]`', headers: 'its `["post"]["parameters"]["header"]`' },
  limits: [
    {
      said: "`createWebhook`'s callback has no type of its own; the notification is under `webhooks`.",
      seenIn: "client",
      lacks: /\bcallbacks\??:/,
    },
  ],
};

export const heyApi: Generator = {
  ...typescript,
  id: "hey-api",
  name: "@hey-api/openapi-ts",
  version: npmVersion("@hey-api/openapi-ts"),
  newerNode: true,
  commands: { generate: "npx openapi-ts", compile, run },
  notification: { ...types, payload: "`AddressActivityWebhookPayload`" },
  limits: [
    newerNode("@hey-api/openapi-ts"),
    {
      said: 'Its configuration is `{ input: "openapi.json", output: { path: "client", module: { extension: ".js" } } }`: without the extension, Node does not resolve the imports.',
      seenIn: "openapi-ts.config.mjs",
      has: /extension: "\.js"/,
    },
  ],
};

export const orval: Generator = {
  ...typescript,
  id: "orval",
  name: "orval",
  version: npmVersion("orval"),
  newerNode: true,
  commands: { generate: "npx orval --input openapi.json --output client/client.ts --client fetch", compile, run },
  notification: types,
  limits: [
    newerNode("orval"),
    {
      said: "The client has no place for the API key: the program's `fetch`, or a function named as orval's mutator, adds the header.",
      seenIn: "client",
      lacks: /x-service-api-key/,
    },
  ],
};

export const typedOpenapi: Generator = {
  ...typescript,
  id: "typed-openapi",
  name: "typed-openapi",
  version: npmVersion("typed-openapi"),
  commands: {
    generate: "mkdir -p client && npx typed-openapi openapi.json --output client/client.ts",
    compile,
    run,
  },
  notification: { payload: "`Schemas.AddressActivityNotification`", headers: "`Schemas.AddressActivityHeaders`" },
  limits: [
    {
      said: "The client sends through a fetcher of the program, which adds the API key.",
      seenIn: "client",
      lacks: /x-service-api-key/,
    },
    {
      said: "`createWebhook` takes `header`, even if it is empty: optional parameters are in a required object.",
      seenIn: "client/client.ts",
      has: /post_CreateWebhook = \{[^;]*?\bheader: +Partial</s,
    },
  ],
};

export const openapiZodClient: Generator = {
  ...typescript,
  id: "openapi-zod-client",
  name: "openapi-zod-client",
  version: npmVersion("openapi-zod-client"),
  commands: {
    generate: "mkdir -p client && npx openapi-zod-client openapi.json --output client/client.ts --export-schemas",
    compile,
    run,
  },
  notification: { payload: "`schemas.AddressActivityNotification`", headers: "`schemas.AddressActivityHeaders`" },
  limits: [
    {
      said: "The client has no place for the API key: axios's configuration adds the header.",
      seenIn: "client",
      lacks: /x-service-api-key/,
    },
    {
      said: "Its schemas are zod 3's, and check formats and patterns in what is read, too.",
      seenIn: "client/client.ts",
      has: /import \{ z \} from "zod";.*const Webhook = z.*Uuid\.regex\(/s,
    },
  ],
};

export const swaggerTypescriptApi: Generator = {
  ...typescript,
  document: "3.0",
  id: "swagger-typescript-api",
  name: "swagger-typescript-api",
  version: npmVersion("swagger-typescript-api"),
  commands: { generate: "npx swagger-typescript-api generate --path openapi-3.0.json --output client", compile, run },
  notification: types,
  limits: [
    {
      said: "From the 3.1 document it makes a type of the object only where a text is allowed, too, such as for `finality`.",
      fails:
        "npx swagger-typescript-api generate --path openapi.json --output bare && ! grep 'interface FinalityInput {' bare/Api.ts",
    },
    {
      said: "The client has no place for the API key: `baseApiParams` adds the header.",
      seenIn: "client",
      lacks: /x-service-api-key/,
    },
    {
      said: "What it throws is the answer itself; its type is not known where it is caught.",
      seenIn: "client/Api.ts",
      has: /throw data;/,
    },
  ],
};

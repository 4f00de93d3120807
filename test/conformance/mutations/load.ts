/** The example server from its sources, one of them changed: compiled in memory, so that a mutant costs milliseconds. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, normalize } from "node:path/posix";
import ts from "typescript";
import * as client from "../../../client/index.ts";
import * as receiver from "../../../client/receiver/index.ts";
import type { memoryServer } from "../../../examples/memory-server/app.ts";
import * as checksum from "../../../server/contract/checksum.ts";
import * as errors from "../../../server/contract/errors.ts";
import * as contract from "../../../server/contract/index.ts";
import * as webhookOptions from "../../../server/contract/webhook-options.ts";
import * as newWebhook from "../../../server/matching/new-webhook.ts";
import * as targets from "../../../server/targets/targets.ts";

/** What is mutated: the example, and what it leaves to the package beyond the schemas. */
export const sources = [
  ...["answers", "app", "operational", "send-test", "store"].map((name) => `examples/memory-server/${name}.ts`),
  "server/contract/webhook-input.ts",
  "server/contract/address-input.ts",
];

const root = new URL("../../../", import.meta.url);
const nodeRequire = createRequire(import.meta.url);
const options: ts.CompilerOptions = {
  module: ts.ModuleKind.CommonJS,
  target: ts.ScriptTarget.ES2023,
  esModuleInterop: true,
};

/** The text of a source. */
export const textOf = (file: string) => readFileSync(new URL(file, root), "utf8");

const compile = (text: string) => ts.transpileModule(text, { compilerOptions: options }).outputText;
const compiled = new Map(sources.map((file) => [file, compile(textOf(file))]));

/** Replaces `contract` for the example, to come between the requests and its handlers. */
export type Between = (handlers: contract.Handlers) => contract.Handlers;

/** Makes the example. @param changed one of its sources with another text */
export function loadExample(
  changed?: { file: string; text: string },
  between: Between = (handlers) => handlers,
): { memoryServer: typeof memoryServer } {
  const modules = new Map<string, object>();
  const load = (file: string): object => {
    const known = modules.get(file);
    if (known) return known;
    const exports = {};
    modules.set(file, exports);
    const code = changed?.file === file ? compile(changed.text) : compiled.get(file);
    if (code === undefined) throw new Error(`${file} is neither mutated nor listed as unchanged.`);
    new Function("require", "exports", code)((name: string) => required(file, name), exports);
    return exports;
  };
  const required = (file: string, name: string): unknown => {
    if (name === "chain-webhooks-tools/server")
      return {
        ...contract,
        contract: (given: Parameters<typeof contract.contract>[0]) =>
          contract.contract(
            "handlers" in given
              ? { ...given, handlers: between(given.handlers as contract.Handlers), onFailure: () => {} }
              : given,
          ),
        ...load("server/contract/webhook-input.ts"),
        ...load("server/contract/address-input.ts"),
      };
    if (name === "chain-webhooks/receiver") return receiver;
    if (name === "chain-webhooks/client") return client;
    if (name.startsWith("chain-webhooks/examples/"))
      return JSON.parse(textOf(name.replace("chain-webhooks/examples/", "openapi/examples/")));
    if (!name.startsWith(".")) return nodeRequire(name);
    const path = normalize(join(file, "..", name));
    return unchanged[path] ?? load(path);
  };
  return load("examples/memory-server/app.ts") as { memoryServer: typeof memoryServer };
}

/**
 * What the sources import and is not mutated: of each there must be one only. Which options go together depends on what the operator
 * allows, and on grammars, of which cases know only a few sentences; their own tests hold them.
 */
const unchanged: Record<string, object> = {
  "server/contract/errors.ts": errors,
  "server/contract/checksum.ts": checksum,
  "server/contract/webhook-options.ts": webhookOptions,
  "server/matching/new-webhook.ts": newWebhook,
  "server/targets/targets.ts": targets,
};

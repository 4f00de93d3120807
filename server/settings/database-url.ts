/** Reads DATABASE_URL, and checks its parameters. `pg` ignores a misspelt one, and would then connect without TLS. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { invalid, type Parse } from "./parsers.ts";

const modes = ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"];
const files = ["sslrootcert", "sslcert", "sslkey"];
const ofTls = ["ssl", "sslmode", "sslnegotiation", ...files];

export const postgresUrl: Parse<string> = (text, name) => {
  if (!/^postgres(ql)?:\/\//.test(text)) throw invalid(`${name} must be a postgres:// URL.`);
  const fault = faultOf(text);
  if (fault !== undefined) throw invalid(`${name} ${fault}.`);
  return text;
};

/** @returns the fault, as the end of a sentence and without the password; undefined if there is none */
function faultOf(url: string): string | undefined {
  const parameters = new URLSearchParams(/\?([^#]*)/.exec(url)?.[1]);
  for (const name of parameters.keys())
    if (/^ssl/i.test(name) && !ofTls.includes(name))
      return `must have no parameter ${name}; those for TLS are ${ofTls.join(", ")}`;
  const mode = parameters.get("sslmode");
  if (mode !== null && !modes.includes(mode)) return `must have an sslmode of ${modes.join(", ")}`;
  for (const name of files) {
    const fault = parameters.has(name) && fileFault(parameters.get(name) ?? "");
    if (fault) return `must name a PEM file in ${name}: ${fault}`;
  }
  return valueFault(url);
}

/** A database as messages name it: the host, the port and the database, without user and password. */
export function nameOfDatabase(url: string): string {
  const { host, pathname, searchParams } = new URL(url);
  return `${host || searchParams.get("host") || "localhost"}${pathname}`;
}

function fileFault(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1").includes("-----BEGIN ") ? undefined : `${path} is none`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns what `pg` itself rejects, without connecting. */
function valueFault(url: string): string | undefined {
  try {
    // Loaded only here: the mock has the same settings and no database.
    const { Client } = createRequire(import.meta.url)("pg") as typeof import("pg");
    new Client({ connectionString: url });
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ERR_INVALID_URL" ? "must be a valid URL" : `cannot be used: ${message.replace(/\.$/, "")}`;
  }
}

/** Checks the parameters of DATABASE_URL. `pg` ignores a misspelt one, and would then connect without TLS. */
import { readFileSync } from "node:fs";
import pg from "pg";

const modes = ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"];
const files = ["sslrootcert", "sslcert", "sslkey"];
const ofTls = ["ssl", "sslmode", "sslnegotiation", ...files];

/**
 * @param url a `postgres://` URL
 * @returns the fault, as the end of a sentence and without the password; undefined if there is none
 */
export function databaseUrlFault(url: string): string | undefined {
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
    new pg.Client({ connectionString: url });
    return undefined;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ERR_INVALID_URL" ? "must be a valid URL" : `cannot be used: ${message.replace(/\.$/, "")}`;
  }
}

/** Parsers of settings. The error for a wrong value is a sentence that starts with the variable's name. */
import { Resolver } from "node:dns";
import { readFileSync } from "node:fs";
import ipaddr from "ipaddr.js";
import { ServiceError } from "../base/errors.ts";

/** Parses the text of a variable that is set. @throws {ServiceError} `config_invalid` */
export type Parse<T> = (text: string, name: string) => T;

/** The error for a wrong configuration. @param message a sentence that starts with the variable's name */
export const invalid = (message: string) => new ServiceError("config_invalid", message);

export const anyText: Parse<string> = (text) => text;

/** A whole number of this range. */
export function wholeNumber(min: number, max: number): Parse<number> {
  return (text, name) => {
    const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw invalid(`${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}.`);
  };
}

export const port = wholeNumber(0, 65_535);

/** Part of the names of backends in proxies' configurations, hence these characters only. */
export const cellName: Parse<string> = (text, name) => {
  if (/^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$/.test(text)) return text;
  throw invalid(
    `${name} must be 1 to 32 lower-case letters, digits and hyphens, without a hyphen at either end, not ${JSON.stringify(text)}.`,
  );
};

export const flag: Parse<boolean> = (text, name) => {
  if (["0", "false", "no"].includes(text)) return false;
  if (["1", "true", "yes"].includes(text)) return true;
  throw invalid(`${name} must be true or false, not ${JSON.stringify(text)}.`);
};

export function oneOf<T extends string>(values: readonly T[]): Parse<T> {
  return (text, name) => {
    const value = values.find((known) => known === text);
    if (value) return value;
    throw invalid(`${name} must be one of ${values.join(", ")}, not ${JSON.stringify(text)}.`);
  };
}

const parts = (text: string) => text.split(",").map((part) => part.trim());

/** A comma-separated list of these values. */
export function listOf<T extends string>(values: readonly T[]): Parse<T[]> {
  return (text, name) =>
    parts(text).map((part) => {
      const value = values.find((known) => known === part);
      if (value) return value;
      throw invalid(`${name} must be a list of ${values.join(", ")}, but holds ${JSON.stringify(part)}.`);
    });
}

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A comma-separated list of at most `most` durations such as `10s`, in ms. @param range.from in ms @param range.to in ms */
export function durations({ from, to, most }: { from: number; to: number; most: number }): Parse<readonly number[]> {
  return (text, name) => {
    const listed = parts(text);
    const found = listed.map((part) => {
      const [, number, unit = ""] = /^(\d{1,9})([smhd])$/.exec(part) ?? [];
      const ms = Number(number) * (unitsMs[unit] ?? Number.NaN);
      if (ms >= from && ms <= to) return ms;
      throw invalid(
        `${name} must be a list of durations from ${from / 1_000}s to ${to / 86_400_000}d such as 10s,5m,2h, but holds ${JSON.stringify(part)}.`,
      );
    });
    if (found.length <= most) return found;
    throw invalid(`${name} must hold at most ${most} durations, not ${found.length}.`);
  };
}

export const nameServers: Parse<readonly string[]> = (text, name) => {
  const servers = parts(text);
  try {
    if (!servers.every(hasPossiblePort)) throw new RangeError();
    new Resolver().setServers(servers);
  } catch {
    throw invalid(`${name} must be a list of IP addresses, each with a port if need be, such as 192.0.2.1:53.`);
  }
  return servers;
};

/** Node 20 aborts the process for port 0, and uses another port for numbers above 65,535. */
function hasPossiblePort(server: string): boolean {
  const port = /(?<=\.\d+|\]):(\d+)$/.exec(server)?.[1];
  return port === undefined || (Number(port) > 0 && Number(port) <= 65_535);
}

const networkNames = ["loopback", "linklocal", "uniquelocal"];

/** `true`, which Express accepts, is refused: any client could then forge its address. */
export const trustProxy: Parse<number | string[]> = (text, name) => {
  if (/^\d{1,2}$/.test(text.trim())) return Number(text);
  const networks = parts(text);
  const wrong = networks.find(
    (network) => !networkNames.includes(network) && !ipaddr.isValid(network) && !ipaddr.isValidCIDR(network),
  );
  if (wrong === undefined) return networks;
  throw invalid(
    `${name} must be a number of proxies, or a list of addresses, networks and ${networkNames.join(", ")}, but holds ${JSON.stringify(wrong)}.`,
  );
};

export const httpUrl: Parse<string> = (text, name) => {
  if (/^https?:\/\//.test(text)) return text;
  throw invalid(`${name} must be an http:// or https:// URL.`);
};

/** The value is never in the error, since it may hold a password. */
export const proxyUrl: Parse<string> = (text, name) => {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  const isProxy = parsed && /^https?:$/.test(parsed.protocol) && parsed.port !== "0";
  if (isProxy && parsed.pathname === "/" && !parsed.search && !parsed.hash && isDecodable(parsed)) return text;
  throw invalid(`${name} must be an http:// or https:// URL without a path, such as http://user:password@proxy:3128.`);
};

function isDecodable({ username, password }: URL): boolean {
  try {
    // Each alone, as they are used: what one ends with may only make sense with what the other begins with.
    return [username, password].every((part) => decodeURIComponent(part) !== undefined);
  } catch {
    return false;
  }
}

/** `*`, or a list of origins as browsers send them. */
export const corsOrigins: Parse<"*" | readonly string[]> = (text, name) => {
  if (text.trim() === "*") return "*";
  const origins = parts(text);
  const wrong = origins.find((origin) => !/^https?:\/\//.test(origin) || !isOrigin(origin));
  if (wrong === undefined) return origins;
  throw invalid(
    `${name} must be *, or a list of origins such as https://app.example.com, without a path or a slash at the end, but holds ${JSON.stringify(wrong)}.`,
  );
};

/** A browser sends an origin in this one form only. Any other would never match. */
const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text;

/** The value of a setting that is JSON, or `@` and the path of a file with JSON. @returns the JSON as text @throws {ServiceError} `config_invalid`, for a file that cannot be read */
export function jsonText(text: string, name: string): string {
  if (!text.startsWith("@")) return text;
  const file = text.slice(1);
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw invalid(`${name} names the file ${file}, which cannot be read: ${(error as Error).message}.`);
  }
}

/** @throws {ServiceError} `config_invalid`, for what is not JSON; it quotes nothing, since URLs hold passwords */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = / at position \d+/.exec((error as Error).message)?.[0] ?? "";
    throw invalid(`${name} must be JSON, and is not${place}.`);
  }
}

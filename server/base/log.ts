/**
 * The log: JSON lines. An error is logged without the data that it happened with, and no line has a key or a secret. Pino wrote the same lines, and brought twelve packages
 * more, of which nothing was needed: no transport, no redaction, no pretty-printing.
 */
import { writeSync } from "node:fs";

/** The fields that PostgreSQL, its driver and Node add to errors: rows and values, queries, connections, whole URLs. */
const withheld = new Set(["detail", "where", "internalQuery", "client", "input", "parameters", "config"]);
/** Deeper than any error of ours. */
const deepest = 8;

/** @returns an error's kind, message and stack, those of its causes, and its fields without users' data, as JSON can hold them */
function describeError(value: unknown, above: readonly unknown[] = []): unknown {
  if (value === null || typeof value !== "object") return typeof value === "function" ? undefined : value;
  if (above.includes(value) || above.length === deepest) return "…";
  const inside = [...above, value];
  if (Array.isArray(value)) return value.map((item) => describeError(item, inside));
  const isError = value instanceof Error;
  const kept = Object.entries(value).filter(([name]) => !withheld.has(name) && !(isError && name === "cause"));
  return {
    ...(isError && {
      type: value.constructor.name,
      message: withCauses(value, ({ message }) => message, ": "),
      stack: withCauses(value, ({ stack }) => stack ?? "", "\ncaused by: "),
      ...(value instanceof AggregateError && { aggregateErrors: describeError(value.errors, inside) }),
    }),
    ...Object.fromEntries(kept.map(([name, inner]) => [name, describeError(inner, inside)])),
  };
}

function withCauses(error: Error, text: (error: Error) => string, joint: string): string {
  const chain: Error[] = [];
  for (let at: unknown = error; at instanceof Error && !chain.includes(at); at = at.cause) chain.push(at);
  return chain.map(text).join(joint);
}

/** API keys, but for the first characters by which lists show them, and signing secrets. Both may be percent-encoded. */
const secrets = /(cwk(?:_|%5f))[\w%-]{26,}|(whsec(?:_|%5f))[\w+/=%-]{8,}/gi;

/**
 * Cuts keys and secrets out of what is logged and traced, wherever they come from: a key in a path, a secret in an error. It finds them by
 * their form.
 *
 * @returns the text with an ellipsis for each secret
 */
export function redact(text: string): string {
  return text.replace(secrets, (_, key: string | undefined, secret: string | undefined) => `${key ?? secret}…`);
}

/** Ids, hashes, numbers and words: what the API's own paths are made of. */
const harmless = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x[0-9a-f]*|\d*|[a-z_.:-]*)$/i;
const longestShown = 20;

/**
 * The same for a path, without its query. A long part that is no id, hash or word may be another service's key, a token or a password: only its
 * beginning stays.
 */
export function redactPath(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  return path
    .split("/")
    .map((part) => {
      const plain = decoded(part);
      const isShown = plain.length <= longestShown || harmless.test(plain);
      return isShown
        ? redact(plain === part ? part : encodeURIComponent(plain))
        : `${encodeURIComponent(plain.slice(0, 4))}…`;
    })
    .join("/");
}

/** However many times it was encoded; a key hides as well behind `%2563wk_`. */
function decoded(part: string): string {
  try {
    const plain = decodeURIComponent(part);
    return plain === part ? part : decoded(plain);
  } catch {
    return part;
  }
}

const levels = { trace: 10, debug: 20, info: 30, warn: 40, error: 50, fatal: 60 } as const;
type Level = keyof typeof levels;

/** Logs a sentence, or fields and a sentence. An error goes into the field `err`. */
type Write = (...line: [message: string] | [fields: object, message?: string]) => void;

export type Logger = Readonly<Record<Level, Write>> & {
  /** A log whose every line has these fields. */
  child(fields: object): Logger;
};

/** Where lines go, each with its end of line. */
export type LogDestination = { write(line: string): void };

/** A named cell is in every line. @param destination standard output by default */
export function createLog(
  level: Level | "silent",
  { cell, destination = standardOutput(1) }: { cell?: string | undefined; destination?: LogDestination } = {},
): Logger {
  const least = level === "silent" ? Number.POSITIVE_INFINITY : levels[level];
  return logWith(cell === undefined ? {} : { cell }, least, destination);
}

function logWith(always: object, least: number, destination: LogDestination): Logger {
  const writer = (level: Level): Write => {
    if (levels[level] < least) return () => undefined;
    return (first, message?: string) => {
      const [fields, msg] = typeof first === "string" ? [{}, first] : [first, message];
      const line = { level: levels[level], time: new Date().toISOString(), ...always, ...fields, msg };
      destination.write(`${serialize(line)}\n`);
    };
  };
  return {
    trace: writer("trace"),
    debug: writer("debug"),
    info: writer("info"),
    warn: writer("warn"),
    error: writer("error"),
    fatal: writer("fatal"),
    child: (fields) => logWith({ ...always, ...fields }, least, destination),
  };
}

function serialize(line: object): string {
  const described = "err" in line ? { ...line, err: describeError(line.err) } : line;
  return redact(JSON.stringify(described, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value)));
}

/** How long to wait before a line is written again to a pipe that is full. */
const fullPipeMs = 10;

/**
 * Writes synchronously, so that the last lines of a process that ends are not lost.
 *
 * @param fd 1 for standard output, 2 for standard error
 */
export function standardOutput(fd: 1 | 2): LogDestination {
  let isClosed = false;
  return {
    write(line) {
      let rest = Buffer.from(line);
      while (rest.length > 0 && !isClosed) {
        try {
          rest = rest.subarray(writeSync(fd, rest));
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          // The reader is slow; or it is gone, which must not end the service.
          if (code === "EAGAIN") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, fullPipeMs);
          else isClosed = true;
        }
      }
    },
  };
}

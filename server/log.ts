/**
 * The log: JSON lines. An error is logged without the data that it happened with, and no line has a key or a secret. Pino wrote the same lines, and brought twelve packages
 * more, of which nothing was needed: no transport, no redaction, no pretty-printing.
 */
import { writeSync } from "node:fs";
import { describeError } from "./logged-error.ts";
import { redact } from "./redact.ts";

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

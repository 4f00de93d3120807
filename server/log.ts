/** The log: JSON lines. An error is logged without the data that it happened with. */
import { type DestinationStream, type Logger, pino } from "pino";

/** The fields that PostgreSQL, its driver and Node add to errors: rows and values, queries, connections, whole URLs. */
const withheld = ["detail", "where", "internalQuery", "client", "input", "parameters", "config"];

/** A named cell is in every line. @param destination standard output by default */
export function createLog(
  level: string,
  { cell, destination }: { cell?: string | undefined; destination?: DestinationStream } = {},
): Logger {
  const options = {
    level,
    base: cell === undefined ? null : { cell },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: unknown) => withoutData(pino.stdSerializers.err(error as Error)) },
  };
  return destination ? pino(options, destination) : pino(options);
}

function withoutData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutData);
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([name]) => !withheld.includes(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutData(inner)]));
}

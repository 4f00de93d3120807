/** Settings whose value is JSON, or `@` and the path of a file with JSON. Their errors quote nothing of it, since URLs hold passwords. */
import { readFileSync } from "node:fs";
import { ServiceError } from "./errors.ts";

const invalid = (message: string) => new ServiceError("config_invalid", message);

/** @returns the JSON as text @throws {ServiceError} `config_invalid`, for a file that cannot be read */
export function jsonText(text: string, name: string): string {
  if (!text.startsWith("@")) return text;
  const file = text.slice(1);
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw invalid(`${name} names the file ${file}, which cannot be read: ${(error as Error).message}.`);
  }
}

/** @throws {ServiceError} `config_invalid`, for what is not JSON */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const place = / at position \d+/.exec((error as Error).message)?.[0] ?? "";
    throw invalid(`${name} must be JSON, and is not${place}.`);
  }
}

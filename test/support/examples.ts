/** The contract's examples, by the names of their files. */
import { readFileSync } from "node:fs";

export function example<T>(name: string): T {
  const file = new URL(`../../openapi/examples/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { value: T }).value;
}

/** Writes a JSON value as a person writes it in TypeScript: keys without quotes, and on one line what fits on one. */
import type { Json } from "../../../document/json.ts";

const widest = 64;

/** @param indent how far the line is indented on which the value begins, in spaces */
export function literal(value: Json | undefined, indent = 0): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const isArray = Array.isArray(value);
  const parts = isArray ? value.map((one) => [undefined, one] as const) : Object.entries(value);
  const write = (deeper: number) =>
    parts.map(([key, one]) => `${key === undefined ? "" : `${nameOf(key)}: `}${literal(one, deeper)}`);
  const [open, close] = isArray ? ["[", "]"] : ["{ ", " }"];
  const line =
    parts.length === 0 ? `${open}${close}`.replaceAll(" ", "") : `${open}${write(indent).join(", ")}${close}`;
  if (!line.includes("\n") && indent + line.length <= widest) return line;
  const pad = " ".repeat(indent + 2);
  const lines = write(indent + 2).map((part) => `${pad}${part},\n`);
  return `${open.trim()}\n${lines.join("")}${" ".repeat(indent)}${close.trim()}`;
}

function nameOf(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

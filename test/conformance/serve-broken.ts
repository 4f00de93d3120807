/**
 * Serves each broken server on a port of its own, and the correct one, so that other tools can be tried on them. It prints the name and
 * the URL of each, and runs until it is stopped. The key is `both`.
 *
 *   node --import tsx test/conformance/serve-broken.ts [NAME…]
 */
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Breakage, breakServer } from "./breakage.ts";
import { startExample } from "./example.ts";

const { positionals } = parseArgs({ allowPositionals: true });
const folder = new URL("broken/", import.meta.url);
const names = readdirSync(folder).map((file) => file.replace(/\.ts$/, ""));
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`There is no broken/${unknown[0]}.ts.`);

console.log(`correct ${(await breakServer((await startExample()).url, "both", [])).url}`);
for (const name of positionals.length > 0 ? positionals : names) {
  const { broken } = (await import(new URL(`${name}.ts`, folder).href)) as { broken: Breakage };
  // A chain is not among what the example has.
  if (broken.needs === "chain") continue;
  const example = await startExample();
  console.log(`${name} ${(await breakServer(example.url, "both", [broken])).url}`);
}

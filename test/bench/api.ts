/**
 * How fast the API answers: `npm run bench api [-- --only ratio,overload,fairness,bodies --rounds N --seconds N --json]`. Real PostgreSQL that waits for
 * the disk at each commit; server, database and whoever asks share the machine.
 */
import { parseArgs } from "node:util";
import { bodies } from "./api/bodies.ts";
import { fairness } from "./api/fairness.ts";
import { overload } from "./api/overload.ts";
import { ratio } from "./api/ratio.ts";
import type { Found } from "./api/world.ts";
import { table } from "./figures.ts";

const parts = { ratio, overload, fairness, bodies };

const { values } = parseArgs({
  options: {
    only: { type: "string", default: Object.keys(parts).join() },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
    json: { type: "boolean", default: false },
  },
});

const scale = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
const found: Record<string, Found> = {};
for (const [name, part] of Object.entries(parts)) {
  if (!values.only.split(",").includes(name)) continue;
  found[name] = await part(scale);
  if (values.json) continue;
  console.log(`\n${name}\n\n${table(found[name].rows)}\n\n${found[name].says.join("\n")}`);
}
if (values.json) console.log(JSON.stringify({ node: process.version, ...scale, found }, null, 2));
process.exit(0);

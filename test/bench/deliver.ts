/**
 * How fast notifications are delivered: `npm run bench deliver [-- --only drain,rivals --notifications N --json]`. Real PostgreSQL that
 * waits for the disk at each commit, signed bodies of 2 KB, each result on record; sender, database and receiver share the machine.
 * Each part is run in turn; the ratios are of figures from the same run. The rivals want Node 22 or later.
 */
import { parseArgs } from "node:util";
import { batches } from "./deliver/batches.ts";
import { bursts } from "./deliver/bursts.ts";
import { disk } from "./deliver/disk.ts";
import { drain } from "./deliver/drain.ts";
import { fairness } from "./deliver/fairness.ts";
import { readers } from "./deliver/readers.ts";
import { rivals } from "./deliver/rivals.ts";
import { scale as scaleOut } from "./deliver/scale.ts";
import { snapshot } from "./deliver/snapshot.ts";
import { startup } from "./deliver/startup.ts";
import { steady } from "./deliver/steady.ts";
import type { Found } from "./deliver/world.ts";
import { table } from "./figures.ts";

const parts = { rivals, steady, drain, batches, readers, scale: scaleOut, bursts, fairness, startup, snapshot, disk };

const { values } = parseArgs({
  options: {
    only: { type: "string", default: Object.keys(parts).join() },
    notifications: { type: "string", default: "1000000" },
    seconds: { type: "string", default: "60" },
    rate: { type: "string", default: "8000" },
    json: { type: "boolean", default: false },
  },
});

const scale = {
  notifications: Number(values.notifications),
  seconds: Number(values.seconds),
  rate: Number(values.rate),
};
const found: Record<string, Found> = {};
for (const [name, part] of Object.entries(parts)) {
  if (!values.only.split(",").includes(name)) continue;
  found[name] = await part(scale);
  if (values.json) continue;
  console.log(`\n${name}\n\n${table(found[name].rows)}\n\n${found[name].says.join("\n")}`);
}
if (values.json) console.log(JSON.stringify({ node: process.version, ...scale, found }, null, 2));
process.exit(0);

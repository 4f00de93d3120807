/**
 * What cells cost: `npm run bench:cells [-- --cells 1,2,4 --rounds N --blocks N --json]`. Each cell is a PostgreSQL and a process with
 * all roles; a reader brings the blocks to them over NATS. The processor time of a delivery, from its block to the outcome on record,
 * and the calls to the node for each block, with 1, 2 and 4 cells of the same load each; then how long a notification takes from its
 * block, through the stream and without it. All sizes stay up all the time and are measured in turn, so that each round is a pair.
 */
import { parseArgs } from "node:util";
import { compilePrograms } from "../support/programs.ts";
import { type Cluster, openCluster } from "./cells/cluster.ts";
import { latencies } from "./cells/latency.ts";
import { type Load, measureRound, type Round, summary } from "./cells/rounds.ts";
import { quantile, table } from "./figures.ts";

const { values } = parseArgs({
  options: {
    cells: { type: "string", default: "1,2,4" },
    rounds: { type: "string", default: "3" },
    blocks: { type: "string", default: "10" },
    transfers: { type: "string", default: "5" },
    webhooks: { type: "string", default: "100" },
    period: { type: "string", default: "500" },
    samples: { type: "string", default: "30" },
    json: { type: "boolean", default: false },
  },
});
const sizes = values.cells.split(",").map(Number);
const webhooks = Number(values.webhooks);
const load: Load = {
  blocks: Number(values.blocks),
  transfers: Number(values.transfers),
  periodMs: Number(values.period),
};

const removePrograms = await compilePrograms();
const open = new Map<number, Cluster>();
for (const cells of sizes) open.set(cells, await openCluster({ cells, stream: true }, webhooks));
const fromNodes = await openCluster({ cells: 1, stream: false }, 1);
const clusters = [...open.values(), fromNodes];

// Compiling what is run often is part of no round.
for (const cluster of clusters) await cluster.deliver({ ...load, periodMs: 0 });

const rounds: Round[] = [];
for (let round = 0; round < Number(values.rounds); round += 1) {
  const inTurn = [...open]
    .map((_, at, all) => all[(at + round) % all.length])
    .flatMap((entry) => (entry ? [entry] : []));
  for (const [cells, cluster] of inTurn) rounds.push({ round, cells, ...(await measureRound(cluster, load)) });
}
const alone = await measureRound(fromNodes, load);

const [first] = open.values();
const { through, without } = await latencies(first ?? fromNodes, fromNodes, Number(values.samples));
const ms = (samples: number[]) => ({ "median ms": quantile(samples, 0.5), "p90 ms": quantile(samples, 0.9) });
const latency = [
  { blocks: "through the stream", samples: through.length, ...ms(through) },
  { blocks: "from the node", samples: without.length, ...ms(without) },
];
const costs = summary(rounds);

for (const cluster of clusters) await cluster.stop();
await removePrograms();
console.log(
  values.json
    ? JSON.stringify({ node: process.version, load, webhooks, rounds, costs, alone, latency }, null, 2)
    : `${table(costs)}\n\n${table(latency)}\n\nWithout the stream one cell makes ${alone.callsPerBlock} calls for each block.`,
);
process.exit(0);

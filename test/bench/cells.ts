/**
 * What cells cost: `npm run bench cells [-- --cells 1,2,4 --rounds N --blocks N --json]`. Each cell is a PostgreSQL and a process with
 * all roles; a reader brings the blocks to the cells of a cluster over NATS. The processor time of a delivery, from its block to the
 * outcome on record, and the calls to the node for each block, in clusters of 1, 2 and 4 cells with the same load for each cell; then how
 * long a notification takes from its block, through the stream and without it.
 *
 * Each round measures each size, so that rounds are pairs. As many cells are at work in each size, in as many clusters as that takes:
 * a machine that is busier needs more processor time for the same work, and that would be taken for the cost of cells.
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
if (sizes.some((size) => !(size >= 1) || Math.max(...sizes) % size !== 0))
  throw new Error("--cells must be numbers that divide the largest of them, such as 1,2,4.");
const webhooks = Number(values.webhooks);
const load: Load = {
  blocks: Number(values.blocks),
  transfers: Number(values.transfers),
  periodMs: Number(values.period),
};

/** The first deliveries of a process take twice the time of later ones. */
const warmUp = { ...load, blocks: 40, periodMs: 0 };

const removePrograms = await compilePrograms();
const atWork = Math.max(...sizes);
const groups: { cells: number; clusters: Cluster[] }[] = [];
for (const cells of sizes) {
  const opened = Array.from({ length: atWork / cells }, () => openCluster({ cells, stream: true }, webhooks));
  groups.push({ cells, clusters: await Promise.all(opened) });
}
const fromNode = await openCluster({ cells: 1, stream: false }, 1);
for (const { clusters } of groups) await Promise.all(clusters.map((cluster) => cluster.deliver(warmUp)));
await fromNode.deliver(warmUp);

const rounds: Round[] = [];
for (let round = 0; round < Number(values.rounds); round += 1) {
  // Each size is first as often as any other.
  const turn = round % groups.length;
  for (const { cells, clusters } of [...groups.slice(turn), ...groups.slice(0, turn)])
    rounds.push({ round, cells, ...(await measureRound(clusters, load)) });
}
const { callsPerBlock } = await measureRound([fromNode], load);

const { through, without } = await latencies(groups[0]?.clusters[0] ?? fromNode, fromNode, Number(values.samples));
const ms = (samples: number[]) => ({ "median ms": quantile(samples, 0.5), "p90 ms": quantile(samples, 0.9) });
const latency = [
  { blocks: "through the stream", samples: through.length, ...ms(through) },
  { blocks: "from the node", samples: without.length, ...ms(without) },
];
const costs = summary(rounds);

await Promise.all([...groups.flatMap(({ clusters }) => clusters), fromNode].map((cluster) => cluster.stop()));
await removePrograms();
console.log(
  values.json
    ? JSON.stringify(
        { node: process.version, load, webhooks, rounds, costs, callsFromNode: callsPerBlock, latency },
        null,
        2,
      )
    : `${table(costs)}\n\n${table(latency)}\n\nWithout the stream one cell makes ${callsPerBlock} calls for each block.`,
);
process.exit(0);

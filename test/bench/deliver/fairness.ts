/** Endpoints that hang and endpoints that refuse, one in ten of each, beside healthy ones: what the healthy ones feel of it. */
import { type AddressInfo, createServer } from "node:net";
import type { Found } from "../deliver.ts";
import { quantile } from "../figures.ts";
import { record } from "./outbox.ts";
import { fill, openWorld } from "./world.ts";

const webhooks = 1_000;
const aBlock = 1_000;
const blocks = 30;

export async function fairness(): Promise<Found> {
  const refusing = await closedPort();
  const healthy = (receiver: string) => `${receiver}/hook`;
  const mixed = (receiver: string, n: number) =>
    n % 10 === 3 ? `${receiver}/hang` : n % 10 === 7 ? `http://127.0.0.1:${refusing}/` : healthy(receiver);
  const rows = [
    await measure("all are healthy", healthy, 1),
    await measure("one in ten hangs, one in ten refuses", mixed, 0.8),
  ];
  const [base, beside] = rows.map((row) => Number(row["p99 ms"]));
  const ratio = Math.round(((beside ?? 0) / (base ?? 1)) * 100) / 100;
  return { rows, says: [`The p99 of the healthy ones is ${ratio} times what it is without the others.`] };
}

async function measure(what: string, urlOf: (receiver: string, n: number) => string, healthy: number) {
  const world = await openWorld({ webhooks, urlOf });
  world.deliver();
  await fill(world.pool, aBlock * 5);
  await world.arrived(aBlock * 5 * healthy);
  world.receiver.reset();
  for (let block = 0; block < blocks; block += 1) {
    const pause = new Promise((resolve) => setTimeout(resolve, 1_000));
    await record(world.pool, aBlock, { stamped: true });
    await pause;
  }
  await world.arrived(blocks * aBlock * healthy);
  const { latencies } = await world.receiver.tally();
  await world.close();
  return {
    what,
    deliveries: latencies.length,
    "median ms": quantile(latencies, 0.5),
    "p99 ms": quantile(latencies, 0.99),
  };
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * What healthy endpoints notice of others. First of endpoints of the same account, of which one in ten hangs and one in ten refuses;
 * then of another account that has as many webhooks as it may have, all of whose endpoints hang.
 */
import { type AddressInfo, createServer } from "node:net";
import { quantile } from "../figures.ts";
import { record } from "./outbox.ts";
import type { Found, Scale } from "./world.ts";
import { fill, openWorld } from "./world.ts";

const webhooks = 1_000;
/** What WEBHOOK_QUOTA is by default. */
const quota = 10_000;
const aBlock = 1_000;
const [healthyAccount, otherAccount] = [1, 2];

type Case = {
  urlOf: (receiver: string, n: number) => string;
  /** The part of the first account's webhooks whose endpoints are healthy. */
  healthy: number;
  /** One a second. */
  blocks: number;
  /** Whether something happens to the other account's webhooks: once to all of them, then to a thousand each second. */
  isOtherActive?: boolean;
};

export async function fairness({ seconds }: Scale): Promise<Found> {
  const blocks = Math.ceil(seconds / 2);
  const refusing = await closedPort();
  const hook = (receiver: string) => `${receiver}/hook`;
  const mixed = (receiver: string, n: number) =>
    n % 10 === 3 ? `${receiver}/hang` : n % 10 === 7 ? `http://127.0.0.1:${refusing}/` : hook(receiver);
  const beside = (receiver: string, n: number) => (n < webhooks ? hook(receiver) : `${receiver}/hang`);
  const rows = [
    await measure("all are healthy", { urlOf: hook, healthy: 1, blocks }),
    await measure("one in ten hangs, one in ten refuses", { urlOf: mixed, healthy: 0.8, blocks }),
    await measure("another account at its quota, at rest", { urlOf: beside, healthy: 1, blocks, isOtherActive: false }),
    await measure("all of that account's endpoints hang", { urlOf: beside, healthy: 1, blocks, isOtherActive: true }),
  ];
  const p99 = rows.map((row) => Number(row["p99 ms"]));
  const ratio = (of: number, to: number) => Math.round(((p99[of] ?? 0) / (p99[to] ?? 1)) * 100) / 100;
  return {
    rows,
    says: [
      `The p99 of the healthy ones is ${ratio(1, 0)} times what it is without the others.`,
      `The p99 of an account is ${ratio(3, 2)} times what it is while the other account is at rest.`,
    ],
  };
}

async function measure(what: string, { urlOf, healthy, blocks, isOtherActive }: Case) {
  const world = await openWorld({
    webhooks: webhooks + (isOtherActive === undefined ? 0 : quota),
    urlOf,
    accountOf: (n) => (n < webhooks ? healthyAccount : otherAccount),
  });
  world.deliver();
  await fill(world.pool, aBlock * 5, { account: healthyAccount });
  await world.arrived(aBlock * 5 * healthy);
  world.receiver.reset();
  if (isOtherActive) await record(world.pool, quota, { account: otherAccount });
  for (let block = 0; block < blocks; block += 1) {
    const pause = new Promise((resolve) => setTimeout(resolve, 1_000));
    if (isOtherActive) await record(world.pool, aBlock, { account: otherAccount });
    await record(world.pool, aBlock, { stamped: true, account: healthyAccount });
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

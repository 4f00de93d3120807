/** The same POSTs through graphile-worker, through pg-boss, and by undici alone without a database, in turn with the service. */
import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { startTemporaryPostgres } from "../../../scripts/local/postgres.ts";
import { end, message, start, startBenchReceiver } from "./processes.ts";
import type { Found, Scale } from "./world.ts";
import { drainRate, fill, openWorld, warmRate } from "./world.ts";

const rounds = 3;

export async function rivals({ notifications }: Scale): Promise<Found> {
  const count = notifications / 5;
  const folder = await mkdtemp(join(tmpdir(), "chain-webhooks-rivals-"));
  try {
    await cp(fileURLToPath(new URL("rivals", import.meta.url)), folder, { recursive: true });
    await promisify(execFile)("npm", ["ci", "--no-audit", "--no-fund", "--silent"], { cwd: folder });
    const runners: Record<string, () => Promise<number>> = {
      "the service": () => service(count),
      "graphile-worker": () => rival("graphile-worker", folder, count),
      "pg-boss": () => rival("pg-boss", folder, count),
      "undici alone": () => alone(count),
    };
    const rates = new Map<string, number[]>(Object.keys(runners).map((name) => [name, []]));
    for (let round = 0; round < rounds; round += 1)
      for (const [name, runner] of Object.entries(runners)) rates.get(name)?.push(await runner());
    const ours = rates.get("the service") ?? [];
    const rows = [...rates].map(([name, its]) => ({
      "sent by": name,
      "deliveries/s, median": median(its),
      "the service to it, median of the rounds":
        Math.round(median(its.map((rate, round) => (ours[round] ?? 0) / rate)) * 100) / 100,
    }));
    return { rows, says: [`${rounds} rounds of ${count} deliveries each, of which the first fifth is not counted.`] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

async function service(count: number): Promise<number> {
  const world = await openWorld({ webhooks: 1_000 });
  await fill(world.pool, count);
  world.deliver();
  const rate = await drainRate(world, count);
  await world.close();
  return rate;
}

async function rival(name: string, folder: string, count: number): Promise<number> {
  const [postgres, receiver] = await Promise.all([startTemporaryPostgres({ durable: true }), startBenchReceiver()]);
  const child = start(`test/bench/deliver/rivals/${name}.ts`, [
    folder,
    `${receiver.url}/hook`,
    postgres.url,
    String(count),
  ]);
  await message(child, "filled");
  const done = message(child, "done");
  child.send("go");
  const rate = await warmRate(receiver, count, () => done);
  await end(child);
  await receiver.stop();
  await postgres.stop();
  return rate;
}

async function alone(count: number): Promise<number> {
  const receiver = await startBenchReceiver();
  const child = start("test/bench/deliver/ceiling.ts", [`${receiver.url}/hook`, String(count)]);
  const done = message(child, "done");
  const rate = await warmRate(receiver, count, () => done);
  await receiver.stop();
  return rate;
}

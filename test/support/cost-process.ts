/**
 * The API in a process of its own, `cost-process.ts DATABASE_URL CHAINS`, which reports its cost. It reports its port; then it
 * answers each of these: `cpu` with the processor time so far, in ms; `parse` with what parsing a plain mebibyte takes of it; `collect`
 * when its garbage is collected.
 */
import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { pino } from "pino";
import { createApp } from "../../server/api/app.ts";
import { listen } from "../../server/api/listening/listen.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { createPool } from "../../server/store/pool.ts";

/** The body that the contract gives as an example of a creation, over and over. */
const example = new URL("../../openapi/examples/create-webhook.wallet.json", import.meta.url);
const { value } = JSON.parse(readFileSync(example, "utf8")) as { value: unknown };
const one = JSON.stringify(value);
const plain = Buffer.from(`[${Array.from({ length: Math.floor(1_048_576 / (one.length + 1)) }, () => one).join(",")}]`);

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function cpuMs(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}

const answers: Record<string, () => number> = {
  cpu: () => cpuMs(),
  parse() {
    const before = process.cpuUsage();
    JSON.parse(plain.toString());
    return cpuMs(before);
  },
  collect() {
    collect();
    return 0;
  },
};

const [, , databaseUrl = "", chains = "[]"] = process.argv;
const pool = createPool(databaseUrl);
const log = pino({ enabled: false });
const app = await createApp({ pool, log, keyring: noKeys, chains: JSON.parse(chains), allowPrivateTargets: false });
const server = await listen(app, { port: 0 });
process.on("message", (asked: string) => process.send?.(answers[asked]?.() ?? Number.NaN));
process.send?.(server.port);
// Whoever started it is gone.
process.once("disconnect", () => process.exit());

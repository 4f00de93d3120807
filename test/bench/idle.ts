/**
 * What a process with all roles takes while nothing happens: `npm run bench idle [-- --seconds N --start tsx --json]`. Two chains, as by
 * default, whose node always reports the same head, and a webhook on one of them. The process runs as the installed command does,
 * compiled, from dist/ (`npm run build` first), or with `--start tsx` as `npm start` does.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createWebhooksClient } from "../../client/index.ts";
import { startTemporaryPostgres } from "../../scripts/local/postgres.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { cpuMs, residentMb } from "./deliver/processes.ts";
import { everydayBlocks } from "./everyday-blocks.ts";
import { table } from "./figures.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    start: { type: "string", default: "dist" },
    json: { type: "boolean", default: false },
  },
});
const seconds = Number(values.seconds);
/** Until leases are taken, filters read, and what starting left is collected: V8 does so in the first minute, which took 5 of 20 ms/s. */
const settlingMs = 60_000;
const chainIds = ["43114", "43113"];
const ways: Readonly<Record<string, string[]>> = {
  dist: ["dist/chain-webhooks-service/scripts/command/service.js", "serve"],
  tsx: ["--import", "tsx", "server/main.ts"],
};

/** A node whose chain stands still. A block comes with its transactions or with their hashes, as the call asks. @returns its base address, to be followed by a chainId */
async function startQuietNode(): Promise<string> {
  const [everyday] = everydayBlocks;
  if (!everyday) throw new Error("there is no everyday block");
  const { block } = everyday;
  const withHashes = { ...block, transactions: block.transactions.map(({ hash }) => hash) };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = JSON.parse(Buffer.concat(chunks).toString()) as { id: number; method: string; params: unknown[] }[];
    const chainId = `0x${Number(request.url?.slice(1)).toString(16)}`;
    const answers = [asked].flat().map(({ id, method, params }) => {
      const blockAsked = params[1] === false ? withHashes : block;
      const result = method === "eth_chainId" ? chainId : method === "eth_getBlockByNumber" ? blockAsked : null;
      return { jsonrpc: "2.0", id, result };
    });
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function startProcess(databaseUrl: string, nodeUrl: string) {
  const chains = chainIds.map((chainId) => ({ chainId, rpcUrls: [nodeUrl + chainId], traces: false, pollMs: 1_000 }));
  const env = { DATABASE_URL: databaseUrl, CHAINS: JSON.stringify(chains), PORT: "0", ALLOW_PRIVATE_TARGETS: "true" };
  const child = spawn(process.execPath, ways[values.start] ?? [], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`The process ended with ${code}.`)));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const { msg, url } = JSON.parse(line) as { msg: string; url?: string };
      if (msg === "started" && url) resolve(url);
    });
  });
  return { url, pid: child.pid ?? 0, child };
}

async function createWebhook(pool: Pool, baseUrl: string): Promise<void> {
  const { key } = await createKey(pool, { account: "bench", scopes: ["read", "write"] });
  const client = createWebhooksClient({ baseUrl, apiKey: key });
  while (!(await client.listChains()).chains.every(({ followedBlock }) => followedBlock)) await sleep(50);
  const metadata = { addresses: [`0x${"5".padStart(40, "0")}`] };
  const url = "http://127.0.0.1:8080/";
  await client.createWebhook({ body: { url, chainId: "43114", eventType: "address_activity", metadata } });
}

async function commits(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    "SELECT sum(xact_commit)::bigint AS count FROM pg_stat_database",
  );
  return rows[0]?.count ?? 0;
}

const [postgres, nodeUrl] = await Promise.all([startTemporaryPostgres({ durable: true }), startQuietNode()]);
process.once("exit", () => service.child.kill("SIGKILL"));
const service = await startProcess(postgres.url, nodeUrl);
const pool = createPool(postgres.url, { max: 1 });
await createWebhook(pool, service.url);
await sleep(settlingMs);
const reading = async () => ({
  atMs: performance.now(),
  service: cpuMs(service.pid) ?? 0,
  database: cpuMs(postgres.pid) ?? 0,
  commits: await commits(pool),
});
const before = await reading();
await sleep(seconds * 1_000);
const after = await reading();
const perSecond = (of: "service" | "database" | "commits") =>
  Math.round(((after[of] - before[of]) * 10_000) / (after.atMs - before.atMs)) / 10;
const row = {
  start: values.start,
  seconds,
  "process ms/s": perSecond("service"),
  "database ms/s": perSecond("database"),
  "transactions/s": perSecond("commits"),
  "resident MB": residentMb(service.pid) ?? "?",
};
console.log(values.json ? JSON.stringify({ node: process.version, ...row }) : table([row]));
service.child.kill("SIGTERM");
await once(service.child, "exit");
await pool.end();
await postgres.stop();
process.exit(0);

/**
 * The transfers of one token in a long chain, which are in one of a thousand blocks, from the same node: the service delivers them as signed POSTs, and
 * Ponder fills a table with them. Each has a PostgreSQL of its own. Ponder is installed where nothing else is, and needs Node 22.
 *
 * rindexer is not measured: crates.io has its library of 2024 only, and its program is no crate.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { startTemporaryPostgres, type TemporaryPostgres } from "../../scripts/local/postgres.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { ensureChain } from "../../server/store/chains/cursor.ts";
import { migrate } from "../../server/store/migrate.ts";
import { createPool, inTransaction } from "../../server/store/pool.ts";
import { createWebhook } from "../../server/store/webhooks/creation.ts";
import { run } from "./child.ts";
import { cpuMs, residentMb } from "./deliver/processes.ts";
import { rareBlock } from "./everyday-blocks.ts";
import { firstHash, rare, transfer } from "./history-modes.ts";

type Row = Record<string, string | number>;
type Contest = { url: string; blocks: number; expected: number };

/** The newest whose parts are all in the registry. */
const ponderVersion = "0.16.10";
/** So many blocks the node has whole. They have no transfer of the token. */
const wholeBlocks = 400;
/** Ponder waits for what can still be replaced: these are not counted. */
const newest = 200;
const patienceMs = 120_000;

/** @param blocks how many the chain has */
export async function historyRivals(blocks: number): Promise<Row[]> {
  const node = run(["test/bench/recorded-node.ts", String(wholeBlocks), String(blocks - wholeBlocks)]);
  const [line] = (await once(node.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const inOne = rareBlock.receipts
    .flatMap(({ logs }) => logs)
    .filter(({ address, topics }) => address.toLowerCase() === rare && topics[0] === transfer).length;
  const contest = { url: line.toString().trim(), blocks, expected: inOne * Math.floor((blocks - newest) / 1_000) };
  try {
    return [await byService(contest, "headers"), await byService(contest, "logs"), await byPonder(contest)];
  } finally {
    node.kill();
  }
}

/** @param begin starts it @param found how many transfers there are by now */
async function measured(
  what: string,
  { url, blocks, expected }: Contest,
  { postgres, begin, found }: { postgres: TemporaryPostgres; begin(): Promise<ChildProcess>; found(): Promise<number> },
): Promise<Row> {
  await (await fetch(url)).text();
  const databaseBefore = cpuMs(postgres.pid) ?? 0;
  const startedAt = performance.now();
  const child = await begin();
  const pid = child.pid ?? 0;
  let firstAt: number | undefined;
  let memory = 0;
  let count = 0;
  while (count < expected && performance.now() - startedAt < patienceMs && child.exitCode === null) {
    await sleep(20);
    count = Math.min(expected, await found());
    if (count > 0) firstAt ??= performance.now();
    memory = Math.max(memory, residentMb(pid) ?? 0);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const calls = (await (await fetch(url)).json()) as Record<string, number>;
  const tenths = (value: number) => Math.round(value * 10) / 10;
  return {
    ...{ what, found: `${count} of ${expected}`, seconds: tenths(seconds) },
    "to the first": firstAt === undefined ? "" : tenths((firstAt - startedAt) / 1_000),
    ...{ "blocks/s": Math.round(blocks / seconds), "events/s": tenths(count / seconds) },
    ...{
      "processor s": tenths((cpuMs(pid) ?? 0) / 1_000),
      "PostgreSQL s": tenths(((cpuMs(postgres.pid) ?? 0) - databaseBefore) / 1_000),
    },
    MB: memory,
    "node calls": Object.values(calls).reduce((sum, one) => sum + one, 0),
  };
}

/** The service follows the chain already; what counts begins when the webhook is created. */
async function byService(contest: Contest, mode: "headers" | "logs"): Promise<Row> {
  const postgres = await startTemporaryPostgres({ durable: true });
  const pool = createPool(postgres.url);
  await migrate(pool);
  await pool.query("INSERT INTO accounts (name) VALUES ('bench')");
  await ensureChain(pool, "1");
  const endpoint = await startEndpoint();
  const chain = { chainId: "1", name: "Recorded", rpcUrls: [contest.url], startBlock: contest.blocks - 1, pollMs: 100 };
  const env = {
    DATABASE_URL: postgres.url,
    CHAINS: JSON.stringify([chain]),
    ROLES: "follow,deliver",
    LOG_LEVEL: "warn",
    ALLOW_PRIVATE_TARGETS: "true",
  };
  const startedAt = performance.now();
  const service = run(["server/main.ts"], env);
  service.stdout?.pipe(process.stderr);
  const follows = async () =>
    (await pool.query("SELECT FROM chain_lanes WHERE cursor_number IS NOT NULL")).rowCount === 1;
  while (!(await follows())) await sleep(50);
  const startSeconds = (performance.now() - startedAt) / 1_000;
  const { hash } = await firstHash(contest.url);
  const before = cpuMs(service.pid ?? 0) ?? 0;
  const row = await measured(`the service, by ${mode}`, contest, {
    postgres,
    async begin() {
      const wanted = {
        ...{ url: endpoint.url, chainId: "1", eventType: "address_activity" as const, name: "", description: "" },
        ...{ includeInternalTxs: false, includeLogs: true, addresses: [rare], eventSignatures: [transfer] },
      };
      const history = { from: 1, cursor: { number: 0, hash }, mode };
      await inTransaction(pool, (db) => createWebhook(db, 1, { ...wanted, history }, noKeys));
      return service;
    },
    found: async () => endpoint.transfers(),
  });
  service.kill("SIGTERM");
  await once(service, "exit");
  await endpoint.stop();
  await pool.end();
  await postgres.stop();
  const processor = Math.round((Number(row["processor s"]) - before / 1_000) * 10) / 10;
  return { ...row, "processor s": processor, "start s": Math.round(startSeconds * 10) / 10 };
}

/** Counts the token's transfers of signed POSTs, each message once. */
async function startEndpoint() {
  const seen = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as {
      messageId: string;
      event: { logs?: { address: string; topic0: string | null }[] };
    };
    const isTransfer = ({ address, topic0 }: { address: string; topic0: string | null }) =>
      address === rare && topic0 === transfer;
    if (request.headers["webhook-signature"])
      seen.set(body.messageId, (body.event.logs ?? []).filter(isTransfer).length);
    response.writeHead(204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    transfers: () => [...seen.values()].reduce((sum, one) => sum + one, 0),
    async stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What counts begins when it is started, which is how it is used for a past. */
async function byPonder(contest: Contest): Promise<Row> {
  if (Number(process.version.slice(1).split(".")[0]) < 22) throw new Error("Ponder needs Node 22 or newer");
  const folder = mkdtempSync(join(tmpdir(), "chain-webhooks-rivals-"));
  const postgres = await startTemporaryPostgres({ durable: true });
  const pool = createPool(postgres.url, { max: 1 });
  try {
    writePonderProject(folder, contest, postgres.url);
    await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"], {
      cwd: folder,
    });
    let child: ChildProcess | undefined;
    const row = await measured("Ponder, into a table", contest, {
      postgres,
      async begin() {
        const bin = "node_modules/ponder/dist/esm/bin/ponder.js";
        const args = [bin, "start", "--schema", "bench", "--port", "0", "--log-level", "warn"];
        const env = { ...process.env, PONDER_TELEMETRY_DISABLED: "true" };
        child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
        child.stdout?.pipe(process.stderr);
        return child;
      },
      found: async () =>
        (
          await pool
            .query<{ count: number }>("SELECT count(*)::int AS count FROM bench.transfer")
            .catch(() => undefined)
        )?.rows[0]?.count ?? 0,
    });
    child?.kill("SIGKILL");
    return row;
  } finally {
    await pool.end();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function writePonderProject(folder: string, { url, blocks }: Contest, databaseUrl: string): void {
  const files: Record<string, string> = {
    "package.json": JSON.stringify({
      private: true,
      type: "module",
      dependencies: { ponder: ponderVersion, viem: "^2", hono: "^4" },
    }),
    "ponder.config.ts": `import { createConfig } from "ponder";
import { parseAbi } from "viem";
export default createConfig({
  database: { kind: "postgres", connectionString: "${databaseUrl}" },
  chains: { mainnet: { id: 1, rpc: "${url}" } },
  contracts: {
    Token: {
      abi: parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]),
      chain: "mainnet", address: "${rare}", startBlock: 1, endBlock: ${blocks - newest},
    },
  },
});
`,
    "ponder.schema.ts": `import { onchainTable } from "ponder";
export const transfer = onchainTable("transfer", (t) => ({
  id: t.text().primaryKey(), from: t.hex().notNull(), to: t.hex().notNull(), value: t.bigint().notNull(),
}));
`,
    "src/index.ts": `import { ponder } from "ponder:registry";
import { transfer } from "ponder:schema";
ponder.on("Token:Transfer", async ({ event, context }) => {
  const { from, to, value } = event.args;
  await context.db.insert(transfer).values({ id: event.id, from, to, value });
});
`,
    "src/api/index.ts": `import { Hono } from "hono";
export default new Hono();
`,
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, ".."), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

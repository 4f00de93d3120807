/**
 * What a ledger's program must stand: its processes are killed at random moments, its connections to the database are cut, blocks are reorganised,
 * its POSTs are repeated, delayed, reordered and dropped, and none of them gets through during a quarter of the kills, or longer. In the end its table equals the chain, each row once.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeFunctionData } from "viem";
import { expect, onTestFinished } from "vitest";
import { sharedJanitor } from "../../../scripts/local/janitor.ts";
import { transferSignature } from "../../../scripts/local/wallet.ts";
import { createKey } from "../../../server/store/accounts/keys.ts";
import { freshAddress, openChain } from "../../chain/local-chain.ts";
import { createEmptyDatabase, query } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { startPostProxy } from "../../support/post-proxy.ts";
import { searchSeed } from "../../support/runs.ts";
import { seeded } from "../../support/seeded.ts";
import { startWorld, testChainId } from "../../support/service.ts";

/** How many processes are killed. */
export const kills = Number(process.env.CONSUMER_KILLS || 30);
/** When they come. */
export const seed = Number(process.env.CONSUMER_SEED || searchSeed());

/** How long no POST gets through, at least. Without it, that is so during a quarter of the kills. */
const downMs = Number(process.env.CONSUMER_DOWN_MINUTES || 0) * 60_000;

/** How many blocks a reorganisation replaces, at most. */
const deepest = 4;

/** How a ledger's program is started. */
export type LedgerProgram = { command: readonly [string, ...string[]]; env?: Readonly<Record<string, string>> };

/** Starts the program. @returns when it listens, or has ended before */
async function startLedger({ command: [file, ...args], env }: LedgerProgram, more: Record<string, string>) {
  const janitor = await sharedJanitor();
  const child = spawn(file, args, {
    env: { ...process.env, ...env, ...more },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  janitor.watchProcess(child.pid ?? 0);
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  await Promise.race([once(child.stdout, "data"), ended]);
  return {
    said: () => said,
    async end(signal: "SIGKILL" | "SIGTERM") {
      child.kill(signal);
      const [code] = await ended;
      janitor.forgetProcess(child.pid ?? 0);
      return code as number | null;
    },
  };
}

/** Long enough for so many kills. */
export const limitMs = 240_000 + kills * 20_000 + 2 * downMs;

/** @throws where the table of the program is not what the chain says, each row once */
export async function expectTrueLedger(program: LedgerProgram): Promise<void> {
  const below = seeded(seed);
  const world = await startWorld();
  onTestFinished(() => world.stop());
  const database = await createEmptyDatabase();
  onTestFinished(() => database.drop());
  const chain = await openChain(world.node.rpcUrl);
  const { wallet, client, service } = world;

  let killed = 0;
  // For a long while it is down, and what it has missed comes afterwards, when all of it was read from the feed.
  let downUntil: number | undefined;
  const isLong = () => killed >= kills / 2 && performance.now() < (downUntil ?? 0);
  const isDown = () => killed > kills / 4 && (killed < kills / 2 || isLong());
  const ports = [await freePort(), await freePort()];
  const proxy = await startPostProxy(
    () => `http://127.0.0.1:${ports[below(2)]}/hooks`,
    () => {
      if (isDown()) return { copies: [], answer: "cut" };
      const copies = Array.from({ length: below(4) }, () => (below(2) ? 0 : below(2_000)));
      return { copies, answer: (["first", "first", "accepted", "cut"] as const)[below(4)] ?? "first" };
    },
  );
  onTestFinished(() => proxy.close());

  const token = await wallet.deploy("ERC20PresetFixedSupply", ["Coin", "CN", 1_000_000n, wallet.address]);
  const accounts = await chain.rpc<string[]>("eth_accounts");
  const holders = [...accounts.slice(1, 6), ...Array.from({ length: 4 }, freshAddress)];
  // No reorganisation reaches the contract itself.
  await chain.mine(deepest);
  await world.followed(token.receipt.blockNumber);
  const webhook = await client.createWebhook({
    body: {
      url: proxy.url,
      chainId: testChainId,
      eventType: "address_activity",
      fromBlock: "1",
      metadata: { addresses: [token.address], eventSignatures: [transferSignature], includeTransfers: true },
    },
  });
  const path = { id: webhook.id };
  const { secret } = await client.getWebhookSecret({ path });
  const { key } = await createKey(service.database.pool, { account: "test", scopes: ["read"] });
  const start = (port: number | undefined) =>
    startLedger(program, {
      ...{ BASE_URL: service.url ?? "", API_KEY: key, WEBHOOK_ID: webhook.id, WEBHOOK_SECRET: secret },
      ...{ DATABASE_URL: database.url, PORT: String(port), LEASE_MS: "1000" },
    });
  const first = await start(ports[0]);
  await eventually(async () => expect(await query(database.url, "SELECT FROM ledger")).not.toEqual([]));
  await first.end("SIGKILL");

  let isOver = false;
  const transferOf = (to: string | undefined) => ({
    to: token.address,
    data: encodeFunctionData({ abi: token.abi, functionName: "transfer", args: [to, BigInt(1 + below(50))] }),
  });
  const send = async (holder: string | undefined) => {
    const hash = await chain.rpc("eth_sendTransaction", [
      { from: wallet.address, gas: "0x186a0", ...transferOf(holder) },
    ]);
    for (let time = 0; time < 200; time += 1) {
      if (await chain.rpc("eth_getTransactionReceipt", [hash])) return;
      await sleep(10);
    }
    // After a reorganisation anvil may wait for a nonce that never comes.
    await chain.rpc("anvil_dropAllTransactions");
  };
  const traffic = async () => {
    while (!isOver) {
      if (isLong()) await sleep(below(2_000));
      for (let count = below(12); count >= 0; count -= 1) await send(holders[below(holders.length)]);
      if (below(3) > 0) continue;
      const depth = 1 + below(deepest);
      const others = Array.from({ length: below(3) }, () => ({ ...transferOf(holders[below(9)]), at: below(depth) }));
      // Now and then anvil refuses one.
      await chain.reorg(depth, others).catch(() => chain.rpc("anvil_dropAllTransactions"));
      await chain.mine();
    }
  };
  let starting = 0;
  const cuts = async () => {
    while (!isOver) {
      await sleep(below(4_000));
      // One that cannot create its table ends, as it should.
      if (starting > 0) continue;
      const others = "datname = current_database() AND pid <> pg_backend_pid()";
      await query(database.url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`);
    }
  };
  const endings = async (port: number | undefined) => {
    while (killed < kills && !isOver) {
      starting += 1;
      const ledger = await start(port);
      starting -= 1;
      // What is killed while the time goes on is not counted.
      const isCounted = !isLong();
      await sleep(below(isCounted ? 3_000 : 30_000));
      if (isCounted) killed += 1;
      if (killed > kills / 4) downUntil ??= performance.now() + downMs;
      // Nothing but the kill has ended it.
      expect(await ledger.end("SIGKILL"), ledger.said()).toBeNull();
    }
  };
  const others = Promise.all([traffic(), cuts()]);
  try {
    await Promise.race([others, Promise.all(ports.map(endings))]);
  } finally {
    isOver = true;
    await others;
  }
  const last = await Promise.all(ports.map(start));
  // Chance may have spared what was booked, and killed whoever took a POST.
  await send(holders[0]);
  await chain.mine();
  await world.followed((await chain.head()).number);
  // On a busy machine its history may be far behind.
  await eventually(async () => expect(await client.getWebhook({ path })).not.toHaveProperty("history"));
  const { lastSequence: after } = await client.readFeed({ path, query: { limit: 1 } });
  await chain.reorg(2, []);
  await chain.mine();
  const retraction = { payload: expect.objectContaining({ event: expect.objectContaining({ removed: true }) }) };
  await eventually(async () => {
    const { notifications } = await client.readFeed({ path, query: { after } });
    expect(notifications).toContainEqual(expect.objectContaining(retraction));
  });
  await world.followed((await chain.head()).number);
  await eventually(() => expect(proxy.statuses).toContain(204));
  const { lastSequence } = await client.readFeed({ path, query: { limit: 1 } });
  await eventually(async () =>
    expect(await query(database.url, "SELECT position, skipped FROM chain_webhooks_consumers")).toEqual([
      { position: String(lastSequence), skipped: [] },
    ]),
  );
  expect(await Promise.all(last.map((ledger) => ledger.end("SIGTERM")))).toEqual([0, 0]);

  // Each row once: both sides of each transfer of each notification.
  const expected = new Map<number, number>();
  for (let after = 0; after < lastSequence; ) {
    const { notifications } = await client.readFeed({ path, query: { after, limit: 200 } });
    for (const { sequence, payload } of notifications) {
      expected.set(sequence, 2 * (payload.event.transaction.erc20Transfers?.length ?? 0));
    }
    after = notifications.at(-1)?.sequence ?? expect.fail("the feed has a gap");
  }
  const counted = await query(database.url, "SELECT sequence::int, count(*)::int FROM ledger GROUP BY 1");
  expect(new Map(counted.map(({ sequence, count }) => [sequence, count]))).toEqual(expected);

  const rows = await query(database.url, "SELECT holder, sum(amount)::text AS amount FROM ledger GROUP BY 1");
  const booked = new Map(rows.map(({ holder, amount }) => [holder, BigInt(String(amount))]));
  for (const holder of [wallet.address, ...holders]) {
    const data = encodeFunctionData({ abi: token.abi, functionName: "balanceOf", args: [holder] });
    const onChain = BigInt(await chain.rpc<string>("eth_call", [{ to: token.address, data }, "latest"]));
    expect(booked.get(holder.toLowerCase()) ?? 0n, holder).toBe(onChain);
  }
  expect(proxy.statuses.every((status) => [0, 204, 500].includes(status))).toBe(true);
}

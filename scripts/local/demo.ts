/**
 * Shows the whole road on this machine, with nothing but Node and npm: a database, a chain, the service and a receiver; a
 * webhook, a token that is minted and transferred, and the notifications that come of it.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createWebhooksClient } from "../../client/index.ts";
import { type AddressActivityNotification, createExpressReceiver } from "../../client/receiver/index.ts";
import { siteFolder } from "../../server/api/documents.ts";
import { createLog } from "../../server/base/log.ts";
import { createHttpServer } from "../../server/base/servers.ts";
import { startService } from "../../server/service.ts";
import { noKeys } from "../../server/settings/keyring.ts";
import { readLimits } from "../../server/settings/limits.ts";
import { defaultPeriods } from "../../server/settings/periods.ts";
import { settings } from "../../server/settings/settings.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { watchBlocks } from "./block-clock.ts";
import { startEvmNode } from "./evm-node.ts";
import { startTemporaryPostgres } from "./postgres.ts";
import { openWallet, transferSignature } from "./wallet.ts";

const patienceMs = 30_000;
const { values } = parseArgs({ options: { once: { type: "boolean", default: false } } });
const startedAt = performance.now();
const say = (text: string) =>
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(1).padStart(5)} s  ${text}`);
const log = createLog(settings.logLevel.read({ LOG_LEVEL: process.env.LOG_LEVEL || "error" }));

/** What to end, the last started first. */
const ends: (() => Promise<unknown> | unknown)[] = [];
async function cleanUp(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

async function demo(): Promise<string | undefined> {
  say("Starting a PostgreSQL and an EVM node of our own …");
  const [postgres, node] = await Promise.all([startTemporaryPostgres({ durable: true }), startEvmNode()]);
  ends.push(postgres.stop, node.stop);
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
    log,
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

  const received: { notification: AddressActivityNotification; sequence: number; at: number }[] = [];
  const { url: receiverUrl, setSecret } = await startReceiver((notification, sequence) => {
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

  for (const deadline = performance.now() + patienceMs; received.length < 2 && performance.now() < deadline; )
    await sleep(10);
  await blocks.stop();
  for (const { notification, sequence, at } of received) {
    const seen = blocks.seenAt(notification.event.transaction.blockHash);
    const took = seen === undefined ? "" : `, ${Math.max(0, at - seen).toFixed(0)} ms after its block`;
    say(`Notification ${sequence} arrived and its signature verifies${took}:`);
    console.log(JSON.stringify(notification, null, 2).replace(/^/gm, "         "));
  }
  return received.length === 2 ? service.url : undefined;
}

/** A receiver as a user would write one, on the package's own handler. */
async function startReceiver(onNotification: (notification: AddressActivityNotification, sequence: number) => void) {
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
function buildMissingDocs(): void {
  if (existsSync(siteFolder)) return;
  say("They are being built, which takes about 15 s, this first time.");
  const script = fileURLToPath(new URL("../maintain/docs-site.ts", import.meta.url));
  const build = spawn(process.execPath, ["--import", "tsx", script], { stdio: ["ignore", "ignore", "inherit"] });
  ends.push(() => build.kill());
  build.once("exit", (code) => {
    if (code === 0) say("The docs are built.");
    else if (code !== null) say("The docs could not be built.");
  });
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const interrupted = Promise.race((["SIGINT", "SIGTERM"] as const).map((signal) => once(process, signal)));
const url = await Promise.race([demo(), interrupted.then(() => "interrupted")]).catch((error: unknown) => {
  console.error(error);
  return undefined;
});
if (url === undefined) {
  say("No verified notification came.");
  process.exitCode = 1;
} else if (!values.once && url !== "interrupted") {
  say(`Read the API's docs at ${url}/docs. Everything stays up until you press Ctrl-C.`);
  buildMissingDocs();
  await interrupted;
}
await cleanUp();
process.exit();

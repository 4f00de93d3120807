/**
 * The connection of a process to NATS. It connects when it can and reconnects by itself, so a server that is away delays nothing but the
 * stream.
 *
 * Room `stream/`: checked blocks on their way between processes. It imports `read/`, `check/` and `nodes/`, and never `follow/`.
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Logger } from "../../base/log.ts";
import { missingPackage, requireBeside } from "../../base/optional-peers.ts";
import { atMost } from "../../base/pause.ts";
import type { BlocksConfig } from "../../settings/blocks.ts";

export type Nats = { connection: NatsConnection; stream: JetStreamClient; manager: JetStreamManager };

export type BlocksConnection = {
  /** Names the servers in logs. */
  readonly origin: string;
  readonly config: BlocksConfig;
  /** Undefined while no server is connected. */
  current(): Nats | undefined;
  /** Calls back with each new connection, and immediately if there is one. @returns a function that stops it */
  onConnected(callback: (nats: Nats) => void): () => void;
  close(): Promise<void>;
};

/** How long a server may take to answer. */
const requestTimeoutMs = 5_000;
const retryMs = 1_000;

/** @throws {ServiceError} `package_missing` */
export function connectBlocks(config: BlocksConfig, log: Logger): BlocksConnection {
  const { transport, jetstream } = load();
  const origin = `${config.tls ? "tls" : "nats"}://${config.servers.join(",")}`;
  const ending = new AbortController();
  const callbacks = new Set<(nats: Nats) => void>();
  let nats: Nats | undefined;
  let isUp = false;

  async function connectOnce(): Promise<void> {
    const connection = await transport.connect({
      name: "chain-webhooks",
      servers: config.servers,
      timeout: requestTimeoutMs,
      maxReconnectAttempts: -1,
      reconnectTimeWait: retryMs,
      // A rotated password must not end a process that would connect with the next one.
      ignoreAuthErrorAbort: true,
      // They take a stack for each request.
      noAsyncTraces: true,
      pingInterval: 5_000,
      maxPingOut: 2,
      ...loginOf(config, transport),
      ...tlsOf(config),
    });
    if (ending.signal.aborted) return connection.close();
    const stream = jetstream.jetstream(connection, { timeout: requestTimeoutMs });
    const manager = await jetstream.jetstreamManager(connection, { checkAPI: false, timeout: requestTimeoutMs });
    nats = { connection, stream, manager };
    setUp(true, connection.getServer());
    for (const callback of callbacks) callback(nats);
    void reportStatus(connection);
    const error = await connection.closed();
    setUp(false);
    nats = undefined;
    if (error) throw error;
  }

  function setUp(up: boolean, server?: string): void {
    if (isUp === up || ending.signal.aborted) return;
    isUp = up;
    if (up) log.info({ server }, "connected to the stream of blocks");
    else log.warn({ servers: origin }, "the stream of blocks is away; connecting again");
  }

  async function reportStatus(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === "disconnect" || status.type === "staleConnection") setUp(false);
      else if (status.type === "reconnect") setUp(true, status.server);
      else if (status.type === "error") log.warn({ reason: status.error.message }, "the stream of blocks refused");
    }
  }

  async function stayConnected(): Promise<void> {
    let reported: string | undefined;
    while (!ending.signal.aborted) {
      try {
        await connectOnce();
      } catch (error) {
        const reason = (error as Error).message;
        if (reason !== reported) log.warn({ servers: origin, reason }, "cannot connect to the stream of blocks");
        reported = reason;
      }
      await sleep(retryMs, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  }

  const running = stayConnected();
  return {
    origin,
    config,
    current: () => (isUp ? nats : undefined),
    onConnected(callback) {
      callbacks.add(callback);
      if (nats) callback(nats);
      return () => callbacks.delete(callback);
    },
    async close() {
      ending.abort();
      // What was announced last should still arrive.
      if (isUp && nats)
        await atMost(
          1_000,
          nats.connection.flush().catch(() => undefined),
        );
      await nats?.connection.close().catch(() => undefined);
      await running;
    },
  };
}

/** A file is read again for each connection, so that it can be replaced while the process runs. */
function loginOf(config: BlocksConfig, transport: typeof import("@nats-io/transport-node")) {
  const { credentialsFile, user, password, token } = config;
  if (credentialsFile !== undefined) {
    const read = () => readFileSync(credentialsFile);
    const isSeed = /^S[A-Z2-7]{40,}\s*$/.test(read().toString());
    const authenticator = isSeed
      ? transport.nkeyAuthenticator(() => Buffer.from(read().toString().trim()))
      : transport.credsAuthenticator(read);
    return { authenticator };
  }
  if (token !== undefined) return { token };
  return user === undefined ? {} : { user, ...(password !== undefined && { pass: password }) };
}

function tlsOf({ tls, caFile, certFile, keyFile }: BlocksConfig) {
  if (!tls && !caFile && !certFile) return {};
  return { tls: { ...(caFile && { caFile }), ...(certFile && { certFile }), ...(keyFile && { keyFile }) } };
}

/** Only users of the stream install these packages. */
function load() {
  const names = ["@nats-io/transport-node", "@nats-io/jetstream"] as const;
  const [transport, jetstream] = names.map(requireBeside);
  if (!transport || !jetstream) throw missingPackage("BLOCKS is set, and the stream needs two packages", ...names);
  return {
    transport: transport(names[0]) as typeof import("@nats-io/transport-node"),
    jetstream: jetstream(names[1]) as typeof import("@nats-io/jetstream"),
  };
}

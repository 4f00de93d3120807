/** How a process gets to its NATS servers: with a login, by TLS, and to a cluster of which one fails. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openBlockStream } from "../../server/chain/stream/block-stream.ts";
import { type BlocksConnection, connectBlocks } from "../../server/chain/stream/connection.ts";
import { readConfig } from "../../server/settings/config.ts";
import { soon } from "../chain/chain-world.ts";
import { type NatsServer, startNatsCluster, startNatsServer } from "../support/nats-server.ts";
import { selfSigned } from "../support/self-signed.ts";

const closing: (() => Promise<unknown>)[] = [];
let folder: string;
let logged: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "chain-webhooks-nats-login-"));
  logged = [];
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(folder, { recursive: true });
});

async function file(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

async function serverWith(config: string): Promise<NatsServer> {
  const server = await startNatsServer({ config });
  closing.push(server.stop);
  return server;
}

/** As a process would, from its environment. */
function connect(env: Record<string, string>): BlocksConnection {
  const { blocks } = readConfig({ ROLES: "read", ...env });
  if (!blocks) throw new Error("no stream is configured");
  const connection = connectBlocks(
    blocks,
    pino({ level: "debug" }, { write: (line: string) => void logged.push(line) }),
  );
  closing.push(connection.close);
  return connection;
}

const works = (connection: BlocksConnection) =>
  soon(async () => expect(await openBlockStream(connection, "1").ensure()).toMatchObject({ lastSequence: 0 }));

test("by user and password, or by token, in the address; neither gets into the log", async () => {
  const { port } = await serverWith('authorization { user: cell, password: "p@ss:word" }');
  await works(connect({ BLOCKS: `nats://cell:p%40ss%3Aword@127.0.0.1:${port}` }));
  const { port: other } = await serverWith('authorization { token: "s3cret" }');
  await works(connect({ BLOCKS: `nats://s3cret@127.0.0.1:${other}` }));
  expect(logged.join()).toContain("connected to the stream of blocks");
  expect(logged.join()).not.toMatch(/p@ss|p%40ss|s3cret/);
});

test("a wrong password is logged without it, and the right one works once the server knows it", async () => {
  const { port } = await serverWith('authorization { user: cell, password: "other" }');
  const connection = connect({ BLOCKS: `nats://cell:s3cret@127.0.0.1:${port}` });
  await soon(async () => expect(logged.join()).toContain("cannot connect"));
  expect(connection.current()).toBeUndefined();
  expect(logged.join()).not.toContain("s3cret");
});

test("by an nkey's seed in a file", async () => {
  const { nkeys } = await import("@nats-io/transport-node");
  const user = nkeys.createUser();
  const { port } = await serverWith(`authorization { users: [{ nkey: ${user.getPublicKey()} }] }`);
  const seed = await file("user.nk", `${Buffer.from(user.getSeed()).toString()}\n`);
  await works(connect({ BLOCKS: `nats://127.0.0.1:${port}`, BLOCKS_CREDENTIALS: seed }));
});

test("by TLS, with a client's certificate; a server that is not trusted is refused", async () => {
  const [cert, key] = [await file("cert.pem", selfSigned.cert), await file("key.pem", selfSigned.key)];
  const { port } = await serverWith(
    `tls { cert_file: "${cert}", key_file: "${key}", ca_file: "${cert}", verify: true }`,
  );
  const BLOCKS = `tls://localhost:${port}`;
  await works(connect({ BLOCKS, BLOCKS_CA: cert, BLOCKS_CERT: cert, BLOCKS_KEY: key }));
  const stranger = connect({ BLOCKS });
  await soon(async () => expect(logged.join()).toContain("cannot connect"));
  expect(stranger.current()).toBeUndefined();
});

test("three servers: blocks are stored on each, and any one may fail", async () => {
  const servers = await startNatsCluster();
  closing.push(...servers.map(({ stop }) => stop));
  const BLOCKS = `nats://${servers.map(({ port }) => `127.0.0.1:${port}`).join()}`;
  const stream = openBlockStream(connect({ BLOCKS, BLOCKS_REPLICAS: "3" }), "1");
  const append = async () => {
    const { lastSequence } = await stream.state();
    return stream.append(7, Buffer.from("x"), lastSequence);
  };
  await soon(() => stream.ensure(), 40_000);
  await soon(append);
  for (const server of servers) {
    const { lastSequence } = await stream.state();
    await server.kill();
    await soon(async () => expect(await append()).toBeGreaterThan(lastSequence), 40_000);
    await server.start();
    await soon(async () => expect((await stream.state()).lastSequence).toBeGreaterThan(lastSequence), 40_000);
  }
});

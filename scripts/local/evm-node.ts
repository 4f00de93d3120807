/**
 * A private EVM chain for demos and tests: the anvil program that npm brought along, run without its install script
 * and without a trace left behind.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { missingPackage, requirePeer } from "../../server/base/optional-peers.ts";
import { type Janitor, sharedJanitor } from "./janitor.ts";

const startPatienceMs = 60_000;

/** What the chain is like. */
export type EvmNodeOptions = {
  /** Default 43112. */
  chainId?: number;
  /** Seconds between blocks. Without it each transaction is mined immediately, in its own block. */
  blockTime?: number;
  /** On 127.0.0.1. Default: a free one. */
  port?: number;
  /** More arguments for anvil, such as `["--slots-in-an-epoch", "1"]`, which makes `safe` and `finalized` move. */
  args?: string[];
  /** Who cleans up if we are killed. Default: this process's own. */
  janitor?: Janitor;
};

/** A running node. Its accounts are those of the mnemonic `test test … junk`. */
export type EvmNode = {
  rpcUrl: string;
  wsUrl: string;
  pid: number;
  /** Ends the node and removes what it wrote. */
  stop(): Promise<void>;
};

/**
 * Starts a node and waits until it answers.
 *
 * @example
 * const node = await startEvmNode({ blockTime: 1 });
 * await fetch(node.rpcUrl, { method: "POST", body: '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}' });
 * await node.stop();
 *
 * @throws what anvil said, when it ended instead.
 */
export async function startEvmNode(options: EvmNodeOptions = {}): Promise<EvmNode> {
  const janitor = options.janitor ?? (await sharedJanitor());
  const program = locate();
  const home = janitor.makeFolder("chain-webhooks-anvil-");
  const log = join(home, "anvil.log");
  let child: ChildProcess | undefined;
  const stop = async () => {
    if (child) await end(child);
    if (child?.pid) janitor.forgetProcess(child.pid);
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
    janitor.forgetFolder(home);
  };
  try {
    child = await launch(program, options, { home, log, janitor });
    const { pid } = child;
    if (pid === undefined) throw new Error("anvil has no process id.");
    const rpcUrl = `http://127.0.0.1:${await listeningPort(child, log)}`;
    // It would write a line for each request, all through a long run.
    await callNode(rpcUrl, "anvil_setLoggingEnabled", [false]);
    return { rpcUrl, wsUrl: rpcUrl.replace("http", "ws"), pid, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function locate(): string {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const name = `@foundry-rs/anvil-${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
  try {
    return requirePeer("@foundry-rs/anvil", "").resolve(`${name}/bin/anvil${suffix}`);
  } catch {
    throw missingPackage(`There is no ${name}, an EVM node`, "@foundry-rs/anvil");
  }
}

async function launch(
  program: string,
  options: EvmNodeOptions,
  { home, log, janitor }: { home: string; log: string; janitor: Janitor },
): Promise<ChildProcess> {
  const { chainId = 43112, blockTime, port = 0, args = [] } = options;
  // By default it answers the pages of all origins, which could make it fork a chain from any URL.
  const where = ["--host", "127.0.0.1", "--port", String(port), "--no-cors", "--cache-path", join(home, "cache")];
  const chain = [
    "--chain-id",
    String(chainId),
    ...(blockTime === undefined ? [] : ["--block-time", String(blockTime)]),
  ];
  const output = await open(log, "w");
  try {
    const child = spawn(program, [...where, ...chain, ...args], {
      cwd: home,
      env: { ...process.env, HOME: home, USERPROFILE: home, NO_COLOR: "1" },
      stdio: ["ignore", output.fd, output.fd],
      // Ctrl-C is for the one who started us, who ends the node when done with it.
      detached: true,
      windowsHide: true,
    });
    // At once: whoever started us may end before it is said that it runs.
    if (child.pid !== undefined) janitor.watchProcess(child.pid);
    await once(child, "spawn");
    child.unref();
    return child;
  } catch (cause) {
    throw new Error(`${program} cannot be run by this user.`, { cause });
  } finally {
    await output.close();
  }
}

async function listeningPort(child: ChildProcess, log: string): Promise<number> {
  for (const deadline = Date.now() + startPatienceMs; Date.now() < deadline; await sleep(10)) {
    // Before the output is read: what the process wrote last is then in it.
    const ended = hasEnded(child);
    const output = await readFile(log, "utf8");
    const port = /Listening on 127\.0\.0\.1:(\d+)/.exec(output)?.[1];
    if (port) return Number(port);
    if (ended) throw new Error(`anvil ended instead of starting. ${output.trim().slice(-1_000)}`);
  }
  throw new Error(`anvil did not start within ${startPatienceMs / 1000} s.`);
}

/** @throws what the node answered, when it refused */
export async function callNode<T>(rpcUrl: string, method: string, params: readonly unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(rpcUrl, { method: "POST", headers: { "content-type": "application/json" }, body });
  const answer = (await response.json()) as { result: T; error?: { message: string } };
  if (answer.error) throw new Error(`anvil refused ${method}: ${answer.error.message}`);
  return answer.result;
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, "exit");
  child.ref();
  child.kill("SIGKILL");
  await ended;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

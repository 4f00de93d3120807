/**
 * deploy/compose*.yaml as `docker compose config` reads them, and what they mount. Not seen here: that the images of others exist, and
 * that containers made of all this work together.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { newKey } from "../../server/settings/keyring.ts";
import { pair, parseDockerfile } from "./dockerfile.ts";
import { expectSettings, longestStop } from "./settings.ts";
import { composeConfig, pythonTools } from "./tools.ts";

const execute = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
/** The certificate of a trial, which the guide makes. */
const madeByHand = "deploy/localhost.pem";
const files = ["compose.yaml", "compose.cells.yaml"];

type Service = {
  image: string;
  command: string[] | null;
  networks?: Record<string, { ipv4_address?: string } | null>;
  build?: { context: string; dockerfile: string };
  environment?: Record<string, string>;
  volumes?: { type: string; source: string; target: string; read_only?: boolean }[];
  ports?: { host_ip?: string; target: number; published: string }[];
  user?: string;
  read_only?: boolean;
  stop_grace_period?: string;
  healthcheck?: unknown;
};
type Project = { services: Record<string, Service> };

const answers = { POSTGRES_PASSWORD: "a1", GRAFANA_PASSWORD: "b2", NATS_PASSWORD: "c3", SECRET_KEY: newKey() };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chain-webhooks-deploy-"));
  await cp(join(root, "deploy"), join(folder, "deploy"), {
    recursive: true,
    filter: (path) => !path.endsWith("/.env"),
  });
  await cp(join(root, "server/monitoring"), join(folder, "server/monitoring"), { recursive: true });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Reads a project with these answers in its .env. @throws with what Compose complains of */
async function project(file: string, env: Record<string, string>): Promise<Project> {
  const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(folder, "deploy/.env"), lines.join(""));
  const { stdout } = await execute(await composeConfig(), [join(folder, "deploy", file)], {
    env: { PATH: process.env.PATH },
  });
  return JSON.parse(stdout) as Project;
}

/** Of a duration as Compose prints it, such as 1m10s. */
function secondsOf(duration = ""): number {
  const [, minutes = 0, seconds = 0] = /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(duration) ?? [];
  return 60 * Number(minutes) + Number(seconds);
}

const own = ({ services }: Project) => Object.entries(services).filter(([, { image }]) => image === "chain-webhooks");
/** What the image sets, which the compose files leave as it is. */
async function imageEnvironment(): Promise<Record<string, string>> {
  const stages = parseDockerfile(await readFile(join(root, "deploy/Dockerfile"), "utf8"));
  const env = stages.at(-1)?.instructions.filter(({ name }) => name === "ENV") ?? [];
  const { PATH: _, ...rest } = Object.fromEntries(env.flatMap(({ text }) => text.split(" ").map(pair)));
  return rest;
}

test.each(files)("%s is a project that Compose accepts, and every file that it mounts is there", async (file) => {
  const { services } = await project(file, answers);
  const mounted = Object.values(services).flatMap(({ volumes = [] }) => volumes.filter(({ type }) => type === "bind"));
  expect(mounted.length).toBeGreaterThan(0);
  for (const { source, read_only } of mounted) {
    const path = relative(folder, source);
    if (path !== madeByHand) expect(existsSync(join(root, path)), path).toBe(true);
    expect(read_only, path).toBe(true);
  }
});

test.each(files)(
  "%s starts the service with settings that it takes, unprivileged, and open to this machine only",
  async (file) => {
    const read = await project(file, answers);
    const image = await imageEnvironment();
    for (const [name, service] of own(read)) {
      // What another command than `serve` is given is its own affair: such a container ends by itself.
      const more = service.command ? { ROLES: "follow" } : {};
      const config = expectSettings({ ...image, ...service.environment, ...more }, `${file}, ${name}`);
      expect(config.metrics, name).toEqual({ host: "0.0.0.0", port: 9464 });
      expect(service, name).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
      expect(secondsOf(service.stop_grace_period), name).toBeGreaterThanOrEqual(longestStop);
      expect(existsSync(join(root, service.build?.dockerfile ?? "")), name).toBe(true);
      for (const { target } of service.ports ?? []) expect(target, name).toBe(config.port);
    }
    const ports = Object.values(read.services).flatMap((service) => service.ports ?? []);
    expect(ports.length).toBeGreaterThan(0);
    expect(ports.filter(({ host_ip }) => host_ip !== "127.0.0.1")).toEqual([]);
  },
);

test.each(files)("%s has no password of its own: each must be set", async (file) => {
  const needed = [...(await readFile(join(root, "deploy", file), "utf8")).matchAll(/\$\{(\w+):\?/g)].map(
    ([, name = ""]) => name,
  );
  expect(needed).toContain("SECRET_KEY");
  for (const missing of new Set(needed)) {
    const { [missing as keyof typeof answers]: _, ...rest } = answers;
    await expect(project(file, rest), missing).rejects.toThrow(`${missing} is missing a value: must be set in .env`);
  }
});

test("each of the three roles is a service of its own", async () => {
  const roles = own(await project("compose.yaml", answers)).map(([name, { environment }]) => [
    name,
    environment?.ROLES,
  ]);
  expect(Object.fromEntries(roles)).toEqual({ api: "api", follow: "follow", deliver: "deliver" });
});

test("Prometheus scrapes every role by the rules of server/monitoring, and Grafana shows its dashboard", async () => {
  const { services } = await project("compose.yaml", answers);
  const mounts = (name: string) =>
    new Map(services[name]?.volumes?.map(({ source, target }) => [target, relative(folder, source)]));
  const prometheus = mounts("prometheus");
  expect(prometheus.get("/etc/prometheus/alerts.yaml")).toBe("server/monitoring/alerts.yaml");
  // promtool looks for the rules where the configuration names them.
  const text = await readFile(join(root, prometheus.get("/etc/prometheus/prometheus.yml") ?? ""), "utf8");
  await mkdir(join(folder, "prometheus"));
  const file = join(folder, "prometheus/prometheus.yml");
  await writeFile(file, text.replace("/etc/prometheus/alerts.yaml", join(root, "server/monitoring/alerts.yaml")));
  const { stdout } = await execute("promtool", ["check", "config", file]);
  expect(stdout).toContain("SUCCESS: 1 rule files found");
  const scraped = parse(text) as { scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[] };
  const [first] = scraped.scrape_configs[0]?.dns_sd_configs ?? [];
  expect(first).toMatchObject({
    names: own({ services })
      .map(([name]) => name)
      .toSorted(byRole),
    port: 9464,
  });

  const grafana = mounts("grafana");
  const provider = parse(
    await readFile(join(root, grafana.get("/etc/grafana/provisioning/dashboards/chain-webhooks.yaml") ?? ""), "utf8"),
  ) as { providers: { options: { path: string } }[] };
  const dashboard = `${provider.providers[0]?.options.path}/chain-webhooks.json`;
  expect(grafana.get(dashboard)).toBe("server/monitoring/dashboard.json");
  const source = parse(
    await readFile(join(root, grafana.get("/etc/grafana/provisioning/datasources/prometheus.yaml") ?? ""), "utf8"),
  ) as { datasources: { url: string; isDefault: boolean }[] };
  expect(source.datasources).toMatchObject([{ url: "http://prometheus:9090", isDefault: true }]);
});

const byRole = (one: string, other: string) =>
  ["api", "follow", "deliver"].indexOf(one) - ["api", "follow", "deliver"].indexOf(other);

test("HAProxy finds each cell at the address that its configuration has, and the cell trusts that HAProxy", async () => {
  const { services } = await project("compose.cells.yaml", answers);
  const config = await readFile(join(root, "deploy/haproxy/haproxy.cfg"), "utf8");
  const cells = Object.values(services).filter(({ environment }) => environment?.CELL !== undefined);
  expect(cells).toHaveLength(2);
  for (const { environment = {}, networks = {} } of cells) {
    const [name, address] = Object.entries(networks).find(([, network]) => network?.ipv4_address) ?? [];
    expect(name).toBe(`cell-${environment.CELL}`);
    expect(environment.TRUST_PROXY).toBe(services.haproxy?.networks?.[name ?? ""]?.ipv4_address);
    const [, backend] = config.split(`backend cell_${environment.CELL}\n`);
    expect(backend?.split("\nbackend")[0]).toContain(` ${address?.ipv4_address}:3000`);
  }
});

test("each NATS server accepts its configuration", async () => {
  const { services } = await project("compose.cells.yaml", answers);
  const servers = Object.entries(services).filter(([, { image }]) => image.startsWith("nats:"));
  expect(servers.length).toBe(3);
  const text = await readFile(join(root, "deploy/nats/nats.conf"), "utf8");
  for (const [name, { environment = {}, volumes = [] }] of servers) {
    expect(environment.NATS_NAME).toBe(name);
    expect(text).toContain(`nats://${name}:6222`);
    expect(volumes.map(({ target }) => target)).toEqual(["/etc/nats/nats-server.conf", "/data"]);
    const program = join(await pythonTools(), "bin/nats-server");
    const env = { PATH: process.env.PATH, ...environment };
    const { stdout, stderr } = await execute(program, ["-t", "-c", join(root, "deploy/nats/nats.conf")], { env });
    expect(stdout + stderr).toContain("is valid");
  }
});

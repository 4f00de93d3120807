/**
 * deploy/helm/: what Helm makes of the chart, by the schemas of Kubernetes. Not seen here: a cluster, so no scheduling, rolling update or
 * scaling; the objects of Prometheus' operator and of KEDA have no schema here.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { createMetrics } from "../../server/base/metrics.ts";
import { newKey } from "../../server/settings/keyring.ts";
import { chartFolder, kubeVersions, podOf, type Resource, render, type Variable } from "./chart.ts";
import { pair, parseDockerfile } from "./dockerfile.ts";
import { expectSettings, longestStop } from "./settings.ts";
import { pythonTools } from "./tools.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFile(join(root, path), "utf8");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "chain-webhooks-deploy-"));
});
afterAll(() => rm(folder, { recursive: true }));

const image = { repository: "registry.example.com/chain-webhooks" };
const chains = [{ chainId: "43114", rpcUrls: ["https://node.example.com/key"] }];
const secret = { databaseUrl: "postgres://chain_webhooks:secret@db/chain_webhooks", secretKey: newKey(), chains };
const least = { image, secret };
const autoscaling = { enabled: true, maxReplicas: 32, pending: 100_000, labels: { namespace: "prod" } };
/** Every part of the chart, in two of its forms. */
const whole = {
  ...least,
  settings: { LEASE_SECONDS: "10", TRUST_PROXY: "10.0.0.0/8" },
  roles: { api: { autoscaling: { enabled: true } }, deliver: { autoscaling } },
  monitoring: { enabled: true, dashboard: true, labels: { release: "prometheus" } },
  imagePullSecrets: [{ name: "registry" }],
  tolerations: [{ key: "webhooks", operator: "Exists" }],
  nodeSelector: { disk: "fast" },
  service: { type: "LoadBalancer", annotations: { a: "b" } },
};
const existing = {
  image,
  secret: { existing: "webhooks-secret" },
  roles: { deliver: { autoscaling: { ...autoscaling, by: "keda", prometheus: "http://prometheus:9090" } } },
  serviceAccount: { existing: "webhooks" },
};

/** @returns what Kubernetes' own schema says of an object, unknown fields included; undefined without a schema */
async function complaintsOf({ apiVersion, kind, ...rest }: Resource, version: string): Promise<string[] | undefined> {
  const [group = "", api] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  // Of what is not Kubernetes' own.
  if (/\.(com|sh)$/.test(group)) return undefined;
  const folder = join(await pythonTools(), `kubernetes_validate/kubernetes-json-schema/v${version}-local-strict`);
  const schema = async (name: string) => JSON.parse(await readFile(join(folder, name), "utf8")) as object;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(await schema("_definitions.json"), "_definitions.json");
  const name = [kind, group.split(".")[0], api].filter(Boolean).join("-").toLowerCase();
  const validate = ajv.compile(await schema(`${name}.json`));
  validate({ apiVersion, kind, ...rest });
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${kind}${instancePath} ${message}: ${JSON.stringify(params)}`,
  );
}

test.each([
  ["least", least],
  ["whole", whole],
  ["existing", existing],
] as const)("with the %s values, Helm and the schemas of Kubernetes have nothing to say", async (_name, values) => {
  for (const version of kubeVersions) {
    const checked = new Map<string, string[]>();
    for (const resource of await render(folder, values, version)) {
      const complaints = await complaintsOf(resource, version);
      if (complaints) checked.set(`${resource.kind} ${resource.metadata.name}`, complaints);
    }
    expect([...checked.values()].flat()).toEqual([]);
    expect(checked.size).toBeGreaterThan(6);
  }
});

test("the schemas notice a field that does not exist", async () => {
  const [first] = (await render(folder, least)).filter(({ kind }) => kind === "Service");
  if (!first) throw new Error("There is no Service.");
  const complaints = await complaintsOf({ ...first, spec: { ...first.spec, port: 2 } }, kubeVersions[1]);
  expect(complaints).toEqual([expect.stringContaining("port")]);
});

test("each role starts with settings that the service takes, and only the secrets that it needs", async () => {
  const resources = await render(folder, {
    ...whole,
    roles: { ...whole.roles, read: { replicas: 1, settings: { BLOCKS: "nats://nats:4222" } } },
  });
  const given = resources.find(({ kind }) => kind === "Secret")?.stringData ?? {};
  const stages = parseDockerfile(await read("deploy/Dockerfile"));
  const { PATH: _, ...ofImage } = Object.fromEntries(
    (stages.at(-1)?.instructions ?? [])
      .filter(({ name }) => name === "ENV")
      .flatMap(({ text }) => text.split(" ").map(pair)),
  );
  const secrets: Record<string, string[]> = {};
  for (const role of ["api", "follow", "deliver", "read"]) {
    const [container] = podOf(resources, role).containers;
    const shown = ({ value, valueFrom }: Variable) => value ?? given[valueFrom?.secretKeyRef.key ?? ""] ?? "";
    const env = Object.fromEntries(container?.env.map((variable) => [variable.name, shown(variable)]) ?? []);
    const config = expectSettings({ ...ofImage, ...env }, role);
    expect(env).toMatchObject({ ROLES: role, LEASE_SECONDS: "10" });
    expect(config.chains.map(({ chainId }) => chainId)).toEqual(["43114"]);
    const ports = Object.fromEntries(container?.ports.map(({ name, containerPort }) => [name, containerPort]) ?? []);
    expect(ports).toEqual({ metrics: config.metrics?.port, ...(role === "api" && { http: config.port }) });
    secrets[role] = container?.env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef.key ?? []) ?? [];
  }
  expect(secrets).toEqual({
    api: ["DATABASE_URL", "SECRET_KEY", "CHAINS"],
    deliver: ["DATABASE_URL", "SECRET_KEY", "CHAINS"],
    follow: ["DATABASE_URL", "CHAINS"],
    read: ["CHAINS"],
  });
});

test("a pod is unprivileged, asks the right paths for its health, and has time to stop", async () => {
  const resources = await render(folder, least);
  for (const role of ["api", "follow", "deliver"]) {
    const pod = podOf(resources, role);
    expect(pod).toMatchObject({
      securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      automountServiceAccountToken: false,
      // A Service named `metrics` would set METRICS_PORT.
      enableServiceLinks: false,
    });
    // Five before it gets the signal.
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(5 + longestStop);
    expect(pod.containers).toMatchObject([
      {
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
        livenessProbe: { httpGet: { path: "/healthz", port: "metrics" } },
        readinessProbe: { httpGet: { path: "/readyz", port: "metrics" } },
      },
    ]);
  }
  const budgets = resources.filter(({ kind }) => kind === "PodDisruptionBudget");
  expect(budgets.map(({ spec }) => spec?.maxUnavailable)).toEqual([1, 1, 1]);
});

test("the version is that of package.json, and so is the image's tag", async () => {
  const { version } = JSON.parse(await read("package.json")) as { version: string };
  expect(parse(await readFile(join(chartFolder, "Chart.yaml"), "utf8"))).toMatchObject({
    version,
    appVersion: version,
  });
  const [container] = podOf(await render(folder, least), "api").containers;
  expect(container?.image).toBe(`${image.repository}:${version}`);
});

test("deliver scales by a metric that the service has, by HPA and by KEDA", async () => {
  const metrics = await createMetrics().text();
  const find = async (values: unknown, wanted: string) =>
    (await render(folder, values)).find(({ kind, metadata }) => kind === wanted && metadata.name.endsWith("-deliver"));
  const scaler = (await find(whole, "HorizontalPodAutoscaler"))?.spec;
  const metric = {
    name: "chain_webhooks_delivery_pending_notifications",
    selector: { matchLabels: { namespace: "prod", waiting_for: "first_attempt" } },
  };
  expect(metrics).toContain(`# TYPE ${metric.name} gauge`);
  expect(scaler).toMatchObject({
    maxReplicas: 32,
    metrics: [{ type: "External", external: { metric, target: { type: "AverageValue", averageValue: "100000" } } }],
  });
  const scaled = (await find(existing, "ScaledObject"))?.spec as { triggers: { metadata: Record<string, string> }[] };
  expect(scaled.triggers[0]?.metadata).toEqual({
    serverAddress: "http://prometheus:9090",
    query: `max(${metric.name}{namespace="prod",waiting_for="first_attempt"})`,
    threshold: "100000",
  });
});

test("the alerts and the dashboard are those of server/monitoring", async () => {
  const resources = await render(folder, whole);
  const rules = resources.find(({ kind }) => kind === "PrometheusRule")?.spec;
  expect(rules).toEqual(parse(await read("server/monitoring/alerts.yaml")));
  const dashboard = resources.find(({ kind }) => kind === "ConfigMap")?.data?.["chain-webhooks.json"] ?? "";
  expect(JSON.parse(dashboard)).toEqual(JSON.parse(await read("server/monitoring/dashboard.json")));
  const monitor = resources.find(({ kind }) => kind === "PodMonitor")?.spec;
  expect(monitor?.podMetricsEndpoints).toEqual([{ port: "metrics", interval: "15s" }]);
});

test.each([
  ["no image", { secret }, /image.*repository|repository/],
  ["no secret", { image }, /secret\.databaseUrl must be set, or secret\.existing/],
  ["no key", { image, secret: { databaseUrl: secret.databaseUrl } }, /secret\.secretKey must be set/],
  ["a misspelt value", { ...least, monitorin: {} }, /monitorin/],
  ["a misspelt role", { ...least, roles: { delivery: { replicas: 1 } } }, /delivery/],
  ["a setting that the chart sets", { ...least, settings: { METRICS_PORT: "1" } }, /METRICS_PORT/],
  ["a number as a setting", { ...least, settings: { ADDRESS_QUOTA: 10_000_000 } }, /ADDRESS_QUOTA/],
  ["more than 32 processes that deliver", { ...least, roles: { deliver: { replicas: 33 } } }, /32/],
  ["another database", { image, secret: { ...secret, databaseUrl: "mysql://db" } }, /databaseUrl/],
  [
    "KEDA without Prometheus",
    { ...least, roles: { deliver: { autoscaling: { enabled: true, by: "keda" } } } },
    /autoscaling\.prometheus must be/,
  ],
])("Helm refuses %s and names it", async (_what, values, complaint) => {
  await expect(render(folder, values)).rejects.toThrow(complaint);
});

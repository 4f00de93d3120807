/** The Helm chart, rendered by Helm itself. */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { parseAllDocuments, stringify } from "yaml";
import { helm } from "./tools.ts";

const execute = promisify(execFile);
export const chartFolder = fileURLToPath(new URL("../../deploy/helm/chain-webhooks", import.meta.url));
/** The oldest that the chart admits, and the newest whose schemas there are. */
export const kubeVersions = ["1.30.0", "1.37.0"] as const;

/** An object of Kubernetes, as far as the tests look at it. */
export type Resource = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string> };
  spec?: Record<string, unknown>;
  data?: Record<string, string>;
  stringData?: Record<string, string>;
};

export type Variable = { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } };
type Probe = { httpGet: { path: string; port: string } };
/** A deployment's pod. */
export type Pod = {
  securityContext: unknown;
  enableServiceLinks: boolean;
  automountServiceAccountToken: boolean;
  terminationGracePeriodSeconds: number;
  containers: {
    image: string;
    env: Variable[];
    ports: { name: string; containerPort: number }[];
    securityContext: unknown;
    livenessProbe: Probe;
    readinessProbe: Probe;
    resources: unknown;
  }[];
};

/** @param values as in values.yaml @throws with what Helm says of them */
export async function render(
  folder: string,
  values: unknown,
  kubeVersion: string = kubeVersions[1],
): Promise<Resource[]> {
  const file = join(folder, "values.yaml");
  await writeFile(file, stringify(values));
  const more = ["--values", file, "--kube-version", kubeVersion];
  const { stdout } = await execute(await helm(), ["template", "webhooks", chartFolder, "--namespace", "prod", ...more]);
  await execute(await helm(), ["lint", "--strict", chartFolder, ...more]);
  return parseAllDocuments(stdout).flatMap((document) => {
    const resource = document.toJS() as Resource | null;
    return resource ? [resource] : [];
  });
}

/** The pod of a role's deployment. @throws when there is none */
export function podOf(resources: readonly Resource[], role: string): Pod {
  const found = resources.find(({ kind, metadata }) => kind === "Deployment" && metadata.name.endsWith(`-${role}`));
  if (!found) throw new Error(`There is no deployment of ${role}.`);
  return (found.spec as { template: { spec: Pod } }).template.spec;
}

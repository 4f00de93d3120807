/**
 * Makes a release. CONTRIBUTING.md says how, and release/version.ts which version it gets.
 *
 *     npm run release -- --dry   makes everything in dist/release/, changes nothing else, and says what would come next
 *     npm run release            does the same, then commits and tags the version here
 *
 * `--without-clients` leaves out the packages for other languages, which need the programs of those.
 *
 * Neither publishes. Pushing the tag does, by .github/workflows/release.yml: only a workflow can prove where a package comes from.
 *
 * Everything is made from the files of the commit, in a copy, so that nothing else of this machine gets into a package. A commit that a release
 * has made is made again as it is. `PACKAGE_TARBALLS=FOLDER` spares a dry run the building, and most of what is tried of packages: then it has
 * what is in that folder.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { compareContracts } from "../command/diff/contract.ts";
import { toMarkdown } from "../command/diff/formats/markdown.ts";
import { asObject, type Json, type JsonObject, sameJson } from "../document/json.ts";
import { sharedJanitor } from "../local/janitor.ts";
import { missingPrograms } from "./clients/build.ts";
import { releasedContracts, releasedPath } from "./diff/release.ts";
import { compareVersions } from "./diff/version.ts";
import { contractChanges } from "./docs-site/contract-changes.ts";
import { packedClients, packedFolder } from "./release/archive.ts";
import { billOfMaterials } from "./release/bill-of-materials.ts";
import {
  adoptCommit,
  assertInstalled,
  branchOf,
  cleanCommit,
  copyCommit,
  repositoryUrl,
  taggedCommit,
  writeCommit,
} from "./release/checkout.ts";
import { changelogSections, nextVersion, ReleaseRefusal, releasedChangelog, writeVersion } from "./release/version.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const made = join(root, "dist/release");
const run = promisify(execFile);

/** The packages, and the workspace of each. */
const packages = { "chain-webhooks": "client", "chain-webhooks-tools": "scripts", "chain-webhooks-service": "server" };

/** What is released, before anything is made of it. */
type Plan = {
  version: string;
  date: string;
  /** What users read: the changelog's section, and what changed in the contract. */
  notes: string;
  /** The commit has the version already: a release has made it. */
  isPrepared: boolean;
};

/** What the command line asks for. */
type Options = { isDry: boolean; withoutClients: boolean };

async function release(options: Options): Promise<void> {
  const { isDry } = options;
  const head = await cleanCommit(root);
  const branch = await branchOf(root);
  if (!isDry && branch === undefined)
    throw new ReleaseRefusal("HEAD is detached. Check out the branch that the release must be on.");
  // What an earlier run made must not pass for this one's.
  for (const folder of [made, `${made}.new`]) await rm(folder, { recursive: true, force: true });
  const janitor = await sharedJanitor();
  const work = janitor.makeFolder("chain-webhooks-release-");
  try {
    const [copy, result] = [join(work, "copy"), join(work, "release")];
    await mkdir(result);
    await copyCommit(root, copy);
    await assertInstalled(copy);
    const plan = await planOf(copy, head);
    const { version, isPrepared } = plan;
    console.log(`Making ${version} of ${head.slice(0, 7)}.`);
    if (!isPrepared) await prepare(copy, plan);
    const commit =
      isDry || isPrepared ? head : await writeCommit(root, copy, { parent: head, message: `Release ${version}` });
    // Before all that takes minutes.
    if (!process.env.PACKAGE_TARBALLS && !options.withoutClients) await assertPrograms();
    await makePackages(copy, result, plan);
    await writeFile(join(result, `chain-webhooks-chart-${version}.tgz`), await chart(copy));
    await copyFile(join(copy, releasedPath(version)), join(result, `chain-webhooks-openapi-${version}.json`));
    await makeClients(copy, result, { plan, isWithout: options.withoutClients });
    await writeFile(join(result, "SHA256SUMS"), await checksums(result));
    await writeFile(join(result, "NOTES.md"), plan.notes);
    const image = await buildImage(copy, version);
    const summary = await summaryOf(result, { plan, image, isDry, branch });
    await writeFile(join(result, "SUMMARY.md"), summary);
    // Renamed into place when it is whole. The temporary folder may be on another disk.
    await cp(result, `${made}.new`, { recursive: true });
    await rename(`${made}.new`, made);
    // Last, so that what fails above leaves no tag.
    if (!isDry && (await taggedCommit(root, `v${version}`)) === undefined)
      await adoptCommit(root, commit, `v${version}`);
    console.log(`\n${summary}`);
  } finally {
    await rm(work, { recursive: true, force: true });
    janitor.forgetFolder(work);
  }
}

/** The rules, applied to the files of a commit. @throws when they refuse it */
async function planOf(copy: string, head: string): Promise<Plan> {
  const read = (path: string) => readFile(join(copy, path), "utf8");
  const [first] = changelogSections(await read("CHANGELOG.md"));
  if (!first) throw new ReleaseRefusal("CHANGELOG.md has no section.");
  const all = await releasedContracts(copy);
  const contract = await readContract(copy);
  const isPrepared = first.date !== undefined && first.version !== undefined;
  if (isPrepared) await assertUnchanged(copy, head, String(first.version));
  const before = all.filter(({ version }) => !isPrepared || compareVersions(version, String(first.version)) < 0);
  const last = before.at(-1);
  const date = first.date ?? new Date().toISOString().slice(0, 10);
  const findings = last ? compareContracts(last.contract, contract, date) : [];
  const version = isPrepared ? String(first.version) : nextVersion(first, findings, last?.version);
  const tagged = await taggedCommit(root, `v${version}`);
  if (!isPrepared && tagged !== undefined)
    throw new ReleaseRefusal(
      `The tag v${version} is there already, at ${tagged.slice(0, 7)}, and CHANGELOG.md says that ${version} is not released yet. Check out what was released, or delete the tag if it never was.`,
    );
  const outcome = { findings, expired: [], unused: [] };
  const names = { old: { name: "", version: last?.version ?? "" }, new: { name: "", version } };
  const changes = last ? toMarkdown({ ...names, ...outcome }, false).replace(/^## .*/, "**The contract's diff**") : "";
  const notes = `${first.text}\n\n${changes.replaceAll(/^### (.*)$/gm, "$1:")}`.trimEnd();
  return { version, date, notes: `${notes}\n`, isPrepared };
}

/** Nothing may have come after the commit of a release, or it would be published under the same version. */
async function assertUnchanged(copy: string, head: string, version: string): Promise<void> {
  const tagged = await taggedCommit(root, `v${version}`);
  if (tagged !== undefined && tagged !== head)
    throw new ReleaseRefusal(
      `CHANGELOG.md has nothing that is not released yet, and ${version} is another commit, ${tagged.slice(0, 7)}. Begin a section "## Not released yet".`,
    );
  const released = (await releasedContracts(copy)).find((each) => each.version === version)?.contract;
  if (!sameJson(released, await readContract(copy)))
    throw new ReleaseRefusal(
      `CHANGELOG.md says that ${version} is released, but generated/openapi.json is not ${releasedPath(version)}.`,
    );
}

const readContract = async (folder: string): Promise<JsonObject> =>
  asObject(JSON.parse(await readFile(join(folder, "generated/openapi.json"), "utf8")) as Json);

/** Writes the version into the copy, keeps its contract, and generates what follows. @throws when generated/ was stale */
async function prepare(copy: string, { version, date }: Plan): Promise<void> {
  const committed = await readContract(copy);
  await writeVersion(copy, version);
  const changelog = join(copy, "CHANGELOG.md");
  await writeFile(changelog, releasedChangelog(await readFile(changelog, "utf8"), version, date));
  await script(copy, "scripts/maintain/generate.ts");
  const contract = await readContract(copy);
  const withoutVersion = (document: JsonObject) => ({ ...document, info: { ...asObject(document.info), version } });
  if (!sameJson(withoutVersion(committed), withoutVersion(contract)))
    throw new ReleaseRefusal("generated/ is not what openapi/ makes. Run npm run generate, and commit the result.");
  const kept = join(copy, releasedPath(version));
  await mkdir(dirname(kept), { recursive: true });
  await copyFile(join(copy, "generated/openapi.json"), kept);
  // Only now there is what the page is made of.
  await writeChanges(copy, contract);
}

/** Writes docs/changes.md. */
async function writeChanges(copy: string, current: JsonObject): Promise<void> {
  const changelog = await readFile(join(copy, "CHANGELOG.md"), "utf8");
  const page = contractChanges({ released: await releasedContracts(copy), current, changelog });
  await writeFile(join(copy, "docs/changes.md"), page);
}

/** Runs a program of the copy. @throws with what it printed */
async function script(copy: string, ...args: string[]): Promise<void> {
  try {
    await run(process.execPath, ["--import", "tsx", ...args], { cwd: copy, maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${args.join(" ")} failed.\n${stdout}${stderr}`, { cause: error });
  }
}

/** Builds and packs them, tries them in empty folders, and says what each is made of. @throws when one does not run */
async function makePackages(copy: string, result: string, { version, date }: Plan): Promise<void> {
  const tarballs = process.env.PACKAGE_TARBALLS ?? join(result, "../tarballs");
  if (!process.env.PACKAGE_TARBALLS) {
    console.log("Building and packing the packages.");
    await nameRepository(copy);
    await script(copy, "scripts/maintain/build.ts");
    await mkdir(tarballs);
    const folders = Object.keys(packages).map((name) => `./dist/${name}`);
    await run("npm", ["pack", "--silent", "--pack-destination", tarballs, ...folders], { cwd: copy });
  }
  await tryPackages(copy, tarballs);
  for (const [name, workspace] of Object.entries(packages)) {
    const file = `${name}-${version}.tgz`;
    const tarball = await readFile(join(tarballs, file));
    await writeFile(join(result, file), tarball);
    const folder = join(result, "../unpacked", name);
    await mkdir(folder, { recursive: true });
    await run("tar", ["-xzf", join(tarballs, file), "-C", folder, "--strip-components=1"]);
    const bill = await billOfMaterials({ name, version, workspace, folder, tarball, date });
    await writeFile(join(result, `${name}-${version}.cdx.json`), bill);
  }
}

/** npm shows where a package comes from only if its manifest names the repository that the workflow runs in. */
async function nameRepository(copy: string): Promise<void> {
  const path = join(copy, "package.json");
  const manifest = asObject(JSON.parse(await readFile(path, "utf8")) as Json);
  const url = await repositoryUrl(root);
  if (manifest.repository !== undefined || url === undefined) return;
  await writeFile(path, `${JSON.stringify({ ...manifest, repository: { type: "git", url } }, null, 2)}\n`);
}

/** Installs them in empty folders, and uses every entry point and command there. @throws with the tests that failed */
async function tryPackages(copy: string, tarballs: string): Promise<void> {
  console.log("Installing the packages in empty folders, and running them there.");
  const tried = process.env.PACKAGE_TARBALLS ? ["test/package/entries.test.ts"] : [];
  const vitest = join(copy, "node_modules/vitest/vitest.mjs");
  // Of a test that runs this, nothing may reach the tests that this runs.
  const inherited = Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST_|NODE_ENV$)/.test(name));
  const env = { ...Object.fromEntries(inherited), PACKAGE_TARBALLS: tarballs, NO_COLOR: "1" };
  try {
    await run(process.execPath, [vitest, "run", "--project", "package", ...tried], {
      cwd: copy,
      env,
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new ReleaseRefusal(
      `A package does not install or run as it must:\n\n${`${stdout}${stderr}`.trim().slice(-8_000)}`,
    );
  }
}

/** @throws when a program is missing that the other languages' packages are made by */
async function assertPrograms(): Promise<void> {
  const missing = await missingPrograms();
  if (missing.length > 0)
    throw new ReleaseRefusal(
      `The other languages' packages are made by programs that are not here: ${missing.join(", ")}. Install them, or leave those packages out by --without-clients.`,
    );
}

/** The chart as `helm package` has it, with the same bytes each time. */
const chart = (copy: string) => packedFolder(join(copy, "deploy/helm/chain-webhooks"), "chain-webhooks");

/**
 * The other languages' packages: each folder in dist/clients/ of the copy, named by its language, becomes an archive, with a checksum like all else.
 * `npm run build -- clients` makes the folders. Of a dry run with packed packages they are in `clients/` next to those.
 */
async function makeClients(
  copy: string,
  result: string,
  { plan: { version, date }, isWithout }: { plan: Plan; isWithout: boolean },
): Promise<void> {
  const packed = process.env.PACKAGE_TARBALLS;
  if (!packed && !isWithout) {
    console.log("Making the other languages' packages.");
    // The same release makes the same bytes on another day, too, and names its repository in any checkout of it.
    process.env.SOURCE_DATE_EPOCH = String(Date.parse(date) / 1000);
    const repository = /github\.com\/(.+)\.git$/.exec((await repositoryUrl(root)) ?? "")?.[1];
    if (repository !== undefined) process.env.GITHUB_REPOSITORY = repository;
    await script(copy, "scripts/maintain/build.ts", "clients");
  }
  for (const { language, archive } of await packedClients(join(packed ?? join(copy, "dist"), "clients"), version))
    await writeFile(join(result, `chain-webhooks-client-${language}-${version}.tar.gz`), archive);
}

/** Says the SHA-256 of each file as sha256sum does, which also checks them. */
async function checksums(folder: string): Promise<string> {
  const lines = (await readdir(folder)).sort().map(async (name) => {
    const hash = createHash("sha256").update(await readFile(join(folder, name)));
    return `${hash.digest("hex")}  ${name}\n`;
  });
  return (await Promise.all(lines)).join("");
}

const imageCommand = (tag: string) => `docker build -f deploy/Dockerfile -t ${tag} .`;

/** Builds the image if a container engine runs here. @returns a sentence for the summary */
async function buildImage(copy: string, version: string): Promise<string> {
  const command = imageCommand(`chain-webhooks:${version}`);
  try {
    await run("docker", ["info"]);
  } catch {
    return `not built, since no container engine answers here. The workflow builds it, and so does \`${command}\``;
  }
  console.log("Building the image.");
  const [, ...args] = command.split(" ");
  await run("docker", args, { cwd: copy, maxBuffer: 64 * 1024 * 1024 });
  return `built here as \`chain-webhooks:${version}\``;
}

type Result = { plan: Plan; image: string; isDry: boolean; branch: string | undefined };

/** What there is now, and what is left to do. */
async function summaryOf(result: string, { plan, image, isDry, branch }: Result): Promise<string> {
  const { version, isPrepared } = plan;
  const names = (await readdir(result)).sort();
  const sizes = names.map(
    async (name) => `| ${name} | ${Math.ceil((await stat(join(result, name))).size / 1024)} KiB |`,
  );
  const publish = Object.keys(packages).map((name) => `npm publish ./dist/release/${name}-${version}.tgz`);
  const push = `git push --atomic origin ${branch ?? "BRANCH"} v${version}`;
  const next = isPrepared ? [] : ["npm run release"];
  const first = isDry ? [...next, push] : [push];
  const clients = names.some((name) => name.includes("-client-"))
    ? " `docs/clients.md` has the commands for the registries of other languages."
    : "";
  const packed = process.env.PACKAGE_TARBALLS
    ? " The packages were packed before, and not built from this commit."
    : "";
  return `# ${version}

In \`dist/release/\`:${packed}

| file | size |
| --- | ---: |
${(await Promise.all(sizes)).join("\n")}

The image is ${image}.

## The last step

${isDry ? "Nothing was committed, tagged or published." : `The commit and the tag v${version} are in this checkout, and nowhere else.`}
This releases it. The workflow \`release.yml\` makes the files again from the tag and publishes them, with provenance:

\`\`\`sh
${first.join("\n")}
\`\`\`

By hand, which has no provenance:${clients}

\`\`\`sh
${publish.join("\n")}
${imageCommand(`REGISTRY/chain-webhooks:${version}`)}
docker push REGISTRY/chain-webhooks:${version}
helm push ./dist/release/chain-webhooks-chart-${version}.tgz oci://REGISTRY/charts
\`\`\`
`;
}

try {
  const { values } = parseArgs({
    options: { dry: { type: "boolean", default: false }, "without-clients": { type: "boolean", default: false } },
  });
  if (process.env.PACKAGE_TARBALLS && !values.dry)
    throw new ReleaseRefusal("PACKAGE_TARBALLS is for --dry: a release has what is built from its commit.");
  process.umask(0o022);
  await release({ isDry: values.dry, withoutClients: values["without-clients"] });
} catch (error) {
  const isUsage = (error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS");
  console.error(error instanceof ReleaseRefusal || isUsage ? (error as Error).message : error);
  process.exitCode = 1;
}

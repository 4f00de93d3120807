/**
 * Makes dist/clients/: the packages for other languages, each as its registry wants it. `LANGUAGE/source` has the package's project: what is
 * generated from the contract, with the manifest and README.md of the folder next to this file. What its own package manager makes of that is
 * next to `source`.
 *
 * GITHUB_REPOSITORY, which GitHub's workflows set, says where the project is. The names of the Go module and of Maven's group follow from it.
 */
import { execFile } from "node:child_process";
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { asObject, type Json } from "../../document/json.ts";
import { withTemporaryFolder } from "../../document/temporary-folder.ts";
import { documentForClients } from "./document.ts";
import { generateClients, type OpenapiGeneratorOptions } from "./openapi-generator.ts";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../../..");

/** Runs a shell command. @throws when it fails */
type Run = (step: { of: string; name: string; command: string; cwd: string; env: Environment }) => Promise<unknown>;
type Environment = Readonly<Record<string, string>>;

/** A package: what is generated, and what is made of it. */
type Language = {
  options: OpenapiGeneratorOptions;
  /** What the package has of what is generated: a folder or files, and the folder below `source` where they go. */
  taken: { from: string; files: RegExp; to: string };
  /** The programs that `pack` runs, besides a shell's usual ones. */
  needs: readonly string[];
  /** A shell command that makes the packages. It runs in `source`, with OUT, WORK, VERSION and GO_MODULE set. */
  pack: string;
};

const agent = (language: string, version: string) => `chain-webhooks-${language}/${version}`;

/** What each is made of, by the version of the contract. */
const languagesOf = (version: string) =>
  ({
    python: {
      options: {
        generatorName: "python",
        additionalProperties: {
          packageName: "chain_webhooks",
          packageVersion: version,
          httpUserAgent: agent("python", version),
        },
      },
      needs: ["python3"],
      taken: { from: "chain_webhooks", files: /(\.py|py\.typed)$/, to: "chain_webhooks" },
      pack: [
        'python3 -m venv "$WORK/venv"',
        '"$WORK/venv/bin/pip" install --quiet --no-compile build==1.6.1 hatchling==1.33.0 twine==7.0.0',
        '"$WORK/venv/bin/python" -m build --no-isolation --outdir "$OUT" .',
        '"$WORK/venv/bin/twine" check --strict "$OUT"/*.whl "$OUT"/*.tar.gz',
      ].join(" && "),
    },
    go: {
      options: {
        generatorName: "go",
        additionalProperties: {
          packageName: "chainwebhooks",
          packageVersion: version,
          httpUserAgent: agent("go", version),
          withGoMod: false,
          disallowAdditionalPropertiesIfNotPresent: false,
          enumClassPrefix: true,
        },
      },
      needs: ["go", "gofmt", "git"],
      taken: { from: ".", files: /^[^/]+\.go$/, to: "." },
      // A commit with a tag, and what Go's own command makes of it, which is what the proxy does.
      pack: [
        "gofmt -w *.go",
        'git init --quiet --separate-git-dir "$WORK/git" "$WORK/tree"',
        "export GIT_AUTHOR_NAME=build GIT_AUTHOR_EMAIL=build@localhost GIT_COMMITTER_NAME=build GIT_COMMITTER_EMAIL=build@localhost",
        'export GIT_AUTHOR_DATE="$SOURCE_DATE_EPOCH +0000" GIT_COMMITTER_DATE="$SOURCE_DATE_EPOCH +0000"',
        'own() { git --git-dir "$WORK/git" --work-tree . -c core.autocrlf=false -c commit.gpgsign=false -c tag.gpgsign=false "$@"; }',
        'own add --force . && own commit --quiet --message "v$VERSION" && own tag "v$VERSION"',
        'export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="url.file://$WORK/git.insteadOf" GIT_CONFIG_VALUE_0="https://$GO_MODULE"',
        'cd "$WORK"',
        'GOPROXY=direct GONOSUMDB="$GO_MODULE" GOFLAGS=-modcacherw GOMODCACHE="$WORK/cache" go mod download "$GO_MODULE@v$VERSION"',
        'mkdir -p "$OUT/$GO_MODULE/@v"',
        'cd "$WORK/cache/cache/download/$GO_MODULE/@v" && cp list *.info *.mod *.zip "$OUT/$GO_MODULE/@v"',
      ].join(" && "),
    },
    rust: {
      options: {
        generatorName: "rust",
        additionalProperties: {
          packageName: "chain-webhooks",
          packageVersion: version,
          httpUserAgent: agent("rust", version),
        },
      },
      needs: ["cargo"],
      taken: { from: "src", files: /\.rs$/, to: "src" },
      pack: [
        'export CARGO_TARGET_DIR=$(printenv CARGO_TARGET_DIR || echo "$WORK/target")',
        // It compiles the package. TLS, which takes as long again, is left to `cargo publish`.
        "cargo package --locked --allow-dirty --no-default-features --quiet",
        'cp "$CARGO_TARGET_DIR/package/chain-webhooks-$VERSION.crate" "$OUT"',
      ].join(" && "),
    },
    java: {
      options: {
        generatorName: "java",
        library: "native",
        additionalProperties: {
          invokerPackage: "chainwebhooks",
          apiPackage: "chainwebhooks.api",
          modelPackage: "chainwebhooks.model",
          containerDefaultToNull: true,
          hideGenerationTimestamp: true,
        },
      },
      needs: ["mvn", "javac"],
      taken: { from: "src/main/java", files: /\.java$/, to: "src/main/java" },
      pack: [
        'mvn -q -B -Dmaven.install.skip=true -Dproject.build.outputTimestamp="$SOURCE_DATE_EPOCH" -DaltDeploymentRepository="local::file://$OUT" deploy',
        "rm -rf target",
        // It has the time of this run, and Maven Central writes its own.
        "find \"$OUT\" -name 'maven-metadata*' -delete",
      ].join(" && "),
    },
    csharp: {
      options: {
        generatorName: "csharp",
        library: "httpclient",
        typeMappings: { boolean: "bool?" },
        additionalProperties: {
          targetFramework: "netstandard2.0",
          packageName: "ChainWebhooks",
          packageVersion: version,
          httpUserAgent: agent("csharp", version),
        },
      },
      // Without dotnet there is the project, and no package.
      needs: [],
      taken: { from: "src/ChainWebhooks", files: /\.cs$/, to: "." },
      pack: [
        // An optional boolean would be sent as null.
        "find Model -name '*.cs' -exec sed -i 's/\\(DataMember(Name = \"[A-Za-z]*\"\\), EmitDefaultValue = true)/\\1, EmitDefaultValue = false)/' {} +",
        'if command -v dotnet >/dev/null; then dotnet pack --nologo --configuration Release --output "$OUT" && rm -rf bin obj; fi',
      ].join(" && "),
    },
  }) satisfies Record<string, Language>;

/** The languages that have a package. */
export const languages = ["python", "go", "rust", "java", "csharp"] as const;
export type LanguageName = (typeof languages)[number];

/** @returns the programs that are not here and without which no package of these languages can be made */
export async function missingPrograms(only: readonly LanguageName[] = languages): Promise<string[]> {
  const all: Record<LanguageName, Language> = languagesOf("");
  // openapi-generator makes the source of each.
  const needed = new Set(["java", "mvn", ...only.flatMap((name) => all[name].needs)]);
  const checked = [...needed].map(async (name) => {
    const found = promisify(execFile)("sh", ["-c", `command -v ${name}`]);
    return found.then(
      () => [],
      () => [name],
    );
  });
  return (await Promise.all(checked)).flat();
}

/** The contract's version, which is that of every package, and what the packages are called where they are published. */
export async function publishedAs(): Promise<{ version: string; repository: string; owner: string; goModule: string }> {
  const { info } = asObject(JSON.parse(await readFile(join(root, "generated/openapi-3.0.json"), "utf8")) as Json);
  const name = (process.env.GITHUB_REPOSITORY ?? "chain-webhooks/chain-webhooks").toLowerCase();
  const [owner = ""] = name.split("/");
  return {
    version: String(asObject(info).version),
    repository: `https://github.com/${name}`,
    owner,
    // A module is at the root of a repository of its own: what is generated is not committed here.
    goModule: `github.com/${name}-go`,
  };
}

/**
 * Makes packages.
 *
 * @param target the folder that gets a folder of each language
 * @param options.only which; all by default
 * @throws when a program is missing or fails
 */
export async function buildClients(
  target: string,
  { only = languages, run = runHere }: { only?: readonly LanguageName[]; run?: Run } = {},
): Promise<void> {
  const missing = await missingPrograms(only);
  if (missing.length > 0) throw new Error(`These programs are needed and not here: ${missing.join(", ")}.`);
  const { version, repository, owner, goModule } = await publishedAs();
  const all: Record<LanguageName, Language> = languagesOf(version);
  const published = JSON.parse(await readFile(join(root, "generated/openapi-3.0.json"), "utf8")) as Json;
  await withTemporaryFolder(async (work) => {
    const document = join(work, "openapi.json");
    await writeFile(document, JSON.stringify(documentForClients(asObject(published))));
    const step = (of: string) => (more: { name: string; command: string; cwd: string; env?: Environment }) =>
      run({ of, env: {}, ...more });
    const made = await generateClients(join(work, "generator"), {
      wanted: new Map(only.map((name) => [name, all[name].options] as const)),
      document,
      step: step("openapi-generator"),
    });
    const env = {
      VERSION: version,
      GO_MODULE: goModule,
      SOURCE_DATE_EPOCH: process.env.SOURCE_DATE_EPOCH ?? (await secondsOfCommit()),
    };
    const filledIn = (text: string) =>
      text
        .replaceAll("@VERSION@", version)
        .replaceAll("@REPOSITORY@", repository)
        .replaceAll("@OWNER@", owner)
        .replaceAll("@GO_MODULE@", goModule);
    for (const name of only) {
      const { taken, pack } = all[name];
      const [out, own] = [join(target, name), join(work, name)];
      const source = join(out, "source");
      await rm(out, { recursive: true, force: true });
      await mkdir(source, { recursive: true });
      await mkdir(own);
      await copyFiles(join(made, name, taken.from), { wanted: taken.files, to: join(source, taken.to) });
      for (const file of await readdir(join(here, name)))
        await writeFile(join(source, file), filledIn(await readFile(join(here, name, file), "utf8")));
      await copyFile(join(root, "LICENSE"), join(source, "LICENSE"));
      await step(name)({ name: "packing", command: pack, cwd: source, env: { ...env, OUT: out, WORK: own } });
    }
  });
}

/** Copies what matches, with the folders that it is in. */
async function copyFiles(from: string, { wanted, to }: { wanted: RegExp; to: string }): Promise<void> {
  const files = (await readdir(from, { recursive: true })).filter((path) => wanted.test(path));
  if (files.length === 0) throw new Error(`Nothing in ${from} is called as ${wanted}.`);
  for (const file of files) await cp(join(from, file), join(to, file));
}

/** Of the last commit, so that the same commit makes the same packages. */
async function secondsOfCommit(): Promise<string> {
  const { stdout } = await promisify(execFile)("git", ["log", "-1", "--format=%ct"], { cwd: root });
  return stdout.trim();
}

async function runHere({ of, name, command, cwd, env }: Parameters<Run>[0]): Promise<void> {
  console.info(`${of}: ${name}`);
  try {
    await promisify(execFile)("sh", ["-c", command], {
      cwd,
      env: { ...process.env, ...env },
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${of}: ${name} failed.\n$ ${command}\n${`${stdout}${stderr}`.slice(-12_000)}`, { cause: error });
  }
}

/**
 * The packages for other languages: `npm run build -- clients` makes them, the package manager of each language installs them in an empty project,
 * and the program in each README goes through the service and the mock.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Mock, startMock } from "../../scripts/command/mock/start.ts";
import type { Json } from "../../scripts/document/json.ts";
import { sharedJanitor } from "../../scripts/local/janitor.ts";
import { buildClients, type LanguageName, languages, publishedAs } from "../../scripts/maintain/clients/build.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { startWorld, type World } from "../support/service.ts";
import { withAddedField, withAddedValue } from "./harness/later.ts";
import { processorSeconds, run } from "./harness/run.ts";
import { generatorsFolder } from "./harness/shared.ts";
import { type Exchange, openWindow } from "./harness/window.ts";
import { environment } from "./harness/workshop.ts";

const { version, owner, goModule } = await publishedAs();
const wanted = process.env.CODEGEN_CLIENTS?.split(",").filter((name) => name !== "") ?? [];
const chosen = languages.filter((name) => wanted.length === 0 || wanted.includes(name));
const limitMs = 12 * 60_000;
const env = environment();
let world: World;
let mock: Mock;
let root: string;

/** An empty project that installs a package as its README says, from where it was built. */
type Project = {
  /** What its README's program is called. */
  file: string;
  files?: () => Record<string, string>;
  /** Shell commands, with CLIENTS set to what was built. */
  install: string;
  run: string;
  /** How often a GET is sent that is never answered, as the README says. Left out where what runs it here is not what users have. */
  sends?: number;
};

const newtonsoft = "/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll";

const projects: Record<LanguageName, Project> = {
  python: {
    file: "example.py",
    install: `python3 -m venv venv && venv/bin/pip install --quiet --no-compile --constraint ${generatorsFolder}/python/requirements.txt "$CLIENTS"/python/*.whl`,
    run: "venv/bin/python example.py",
    sends: 4,
  },
  go: {
    file: "main.go",
    // A cache of its own: the next run's module has the same version.
    install: `go mod init example && go get ${goModule}@v${version} && go build -o example .`,
    run: "./example",
    sends: 1,
  },
  rust: {
    file: "src/main.rs",
    files: () => ({
      "Cargo.toml": `[package]
name = "example"
version = "0.0.0"
edition = "2021"
[dependencies]
chain-webhooks = { version = "=${version}", default-features = false }
tokio = { version = "1", features = ["macros", "rt"] }
[patch.crates-io]
chain-webhooks = { path = "chain-webhooks-${version}" }
`,
    }),
    install: `tar -xzf "$CLIENTS"/rust/*.crate && cp chain-webhooks-*/Cargo.lock . && cargo build --quiet`,
    run: "$CARGO_TARGET_DIR/debug/example",
    sends: 1,
  },
  java: {
    file: "Example.java",
    files: () => ({
      "pom.xml": `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>example</groupId>
  <artifactId>example</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <repositories><repository><id>built</id><url>file://${join(root, "clients/java")}</url></repository></repositories>
  <dependencies>${blocksOf("java", "xml").join("")}</dependencies>
  <build><pluginManagement><plugins><plugin>
    <artifactId>maven-dependency-plugin</artifactId><version>3.8.1</version>
  </plugin></plugins></pluginManagement></build>
</project>`,
    }),
    // A copy of Maven's folder, made of links: the next run's artifact has the same version.
    install:
      `(cp -al "$HOME/.m2/repository" m2 2>/dev/null || cp -a "$HOME/.m2/repository" m2) && rm -rf m2/io/github/${owner}` +
      ' && mvn -q -B -Dmaven.repo.local="$PWD/m2" dependency:copy-dependencies -DoutputDirectory=lib' +
      " && javac -cp 'lib/*' -d built Example.java",
    run: "java -cp 'built:lib/*' Example",
    sends: 2,
  },
  csharp: {
    file: "Example.cs",
    files: () => ({
      "StandIns.cs": readFileSync(join(generatorsFolder, "openapi-generator-csharp/StandIns.cs"), "utf8").replace(
        "namespace Org.OpenAPITools",
        "namespace ChainWebhooks",
      ),
    }),
    // Without .NET there is no package to install: its source is compiled, with stand-ins for what Debian lacks of NuGet's.
    install:
      `mcs -warn:0 -langversion:latest -r:System.Net.Http,System.Runtime.Serialization,System.ComponentModel.DataAnnotations,System.Web` +
      ` -r:${newtonsoft} -out:example.exe $(find "$CLIENTS/csharp/source" -name '*.cs') StandIns.cs Example.cs`,
    run: `MONO_PATH=$(dirname ${newtonsoft}) mono example.exe`,
  },
};

beforeAll(async () => {
  root = (await sharedJanitor()).makeFolder("chain-webhooks-codegen-clients-");
  Object.assign(env, { CLIENTS: join(root, "clients"), CARGO_PROFILE_DEV_DEBUG: "false" });
  env.CARGO_TARGET_DIR ??= join(root, "cargo-target");
  [world, mock] = await Promise.all([startWorld(), startMock()]);
  await buildClients(join(root, "clients"), {
    only: chosen,
    run: ({ of, env: more, ...step }) => run({ ...step, of: `package: ${of}`, env: { ...env, ...more }, limitMs }),
  });
}, 2 * limitMs);

afterAll(async () => {
  const spent = [...processorSeconds()].filter(([of]) => of.startsWith("package: "));
  const rows = [...spent, ["in all", spent.reduce((sum, [, more]) => sum + more, 0)] as const];
  console.info(rows.map(([of, seconds]) => `${seconds.toFixed(1).padStart(7)}  ${of}`).join("\n"));
  await mock?.stop();
  await world?.stop();
  rmSync(root, { recursive: true, force: true });
  (await sharedJanitor()).forgetFolder(root);
});

/** The blocks of a package's README in a language. */
function blocksOf(language: LanguageName, kind: string): string[] {
  const text = readFileSync(join(root, `clients/${language}/source/README.md`), "utf8");
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, of, block = ""]) => (of === kind ? [block] : []));
}

for (const language of chosen)
  test.concurrent(`the package for ${language} installs in an empty project, and its README's program runs on service and mock`, async () => {
    const { file, files, install, run: command, sends } = projects[language];
    const folder = join(root, "projects", language);
    mkdirSync(join(folder, file, ".."), { recursive: true });
    const [program = "", ...others] = blocksOf(language, language);
    expect(others).toEqual([]);
    for (const [name, text] of Object.entries({ [file]: program, ...files?.() }))
      writeFileSync(join(folder, name), text);
    const own = { ...env, GOPROXY: `file://${env.CLIENTS}/go`, GONOSUMDB: "*", GOFLAGS: "-modcacherw" };
    const step = (name: string, shell: string, more: NodeJS.ProcessEnv = {}) =>
      run({
        of: `package: ${language}`,
        ...{ name, command: shell, cwd: folder, limitMs },
        env: { ...own, GOMODCACHE: join(folder, "modules"), ...more },
      });
    await step("installing", install);
    const { key } = await createKey(world.service.database.pool, { account: language, scopes: ["read", "write"] });

    const on = async (url: string | undefined, apiKey: string, change?: (body: Json) => Json) => {
      const window = await openWindow(url ?? "", change);
      try {
        const stdout = await step("the program", command, { BASE_URL: window.url, API_KEY: apiKey });
        return { stdout, exchanges: window.exchanges };
      } finally {
        await window.close();
      }
    };
    assertExample(await on(world.service.url, key));
    assertExample(await on(mock.url, "any"));
    // A service of next year answers fields and values that the package does not know.
    assertExample(await on(world.service.url, key, withAddedField));
    assertExample(await on(world.service.url, key, withAddedValue));
    if (sends === undefined) return;
    const dropping = await startDropping();
    await assert.rejects(step("the program", command, { BASE_URL: dropping.url, API_KEY: "any" }));
    await dropping.close();
    assert.equal(dropping.requests(), sends);
  });

/** A server that reads each request and breaks off. */
async function startDropping() {
  let requests = 0;
  const server = createServer((request) => {
    requests += 1;
    request.socket.destroy();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve));
  return { url: `http://127.0.0.1:${port}`, requests: () => requests, close };
}

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Asserts that the program did what its README says, and read every answer right. */
function assertExample({ stdout, exchanges }: { stdout: string; exchanges: readonly Exchange[] }): void {
  const lines = stdout.trim().split("\n");
  const [id = ""] = uuid.exec(lines[0] ?? "") ?? [];
  assert.equal(lines[0], `created ${id} active`);
  assert.ok(lines.includes(`listed ${id}`), stdout);
  assert.match(lines.at(-2) ?? "", /^404 [A-Z].*webhook/);
  assert.match(lines.at(-1) ?? "", /^401 [A-Z].*x-service-api-key/);
  assert.deepEqual(
    exchanges.map(({ method, path, status }) => `${method} ${path.replace(/\?.*/, "")} ${status}`),
    [
      "GET /v1/chains 200",
      "POST /v1/webhooks 201",
      "GET /v1/webhooks 200",
      `DELETE /v1/webhooks/${id} 200`,
      `GET /v1/webhooks/${id} 404`,
      "GET /v1/webhooks 401",
    ],
  );
}

test("what registries demand is there", () => {
  const found = readdirSync(join(root, "clients"), { recursive: true, encoding: "utf8" });
  const jar = `io/github/${owner}/chain-webhooks/${version}/chain-webhooks-${version}`;
  const demanded: Record<LanguageName, readonly string[]> = {
    python: [`chain_webhooks-${version}-py3-none-any.whl`, `chain_webhooks-${version}.tar.gz`],
    go: ["zip", "mod", "info"].map((type) => `${goModule}/@v/v${version}.${type}`),
    rust: [`chain-webhooks-${version}.crate`],
    java: [".pom", ".jar", "-sources.jar", "-javadoc.jar"].flatMap((end) => [jar + end, `${jar}${end}.sha1`]),
    csharp: ["source/ChainWebhooks.csproj"],
  };
  for (const language of chosen) {
    const all = [...demanded[language], "source/README.md", "source/LICENSE"];
    expect(found).toEqual(expect.arrayContaining(all.map((path) => `${language}/${path}`)));
  }
  // It has the time of the run, so that no release could be made again.
  expect(found.filter((path) => path.includes("maven-metadata"))).toEqual([]);
});

test("each package has its licence, no tests, and nothing of the machine that built it", async () => {
  const archives = readdirSync(join(root, "clients"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(whl|tar\.gz|zip|crate|jar)$/.test(path) && !path.endsWith("-javadoc.jar"))
    .map((path) => join(root, "clients", path));
  expect(archives.length).toBeGreaterThanOrEqual(chosen.filter((language) => language !== "csharp").length);
  const out = join(root, "unpacked");
  for (const archive of archives) {
    mkdirSync(out);
    const isTar = /\.(crate|tar\.gz)$/.test(archive);
    const command = isTar ? `tar -xzf '${archive}'` : `python3 -m zipfile -e '${archive}' .`;
    await run({ name: "unpacking", command, cwd: out, env, limitMs });
    const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(
      files.map(({ name }) => name),
      archive,
    ).toContain("LICENSE");
    for (const { parentPath, name } of files) {
      const path = join(parentPath, name);
      expect(path.slice(out.length), archive).not.toMatch(/\/tests?\/|_test\.(go|py)$|Tests?\.(java|class|cs)$/);
      expect(readFileSync(path, "latin1").includes(root), `${name} of ${archive}`).toBe(false);
    }
    rmSync(out, { recursive: true });
  }
});

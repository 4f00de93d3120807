/** Schemathesis, in a temporary folder: a virtual environment with exactly what is pinned, and runs of it. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sharedJanitor } from "../../scripts/local/janitor.ts";
import { run } from "../codegen/harness/run.ts";
import type { Ground } from "./ground.ts";

const minutes = 60_000;
const own = fileURLToPath(new URL(".", import.meta.url));
const contract = fileURLToPath(new URL("../../generated/openapi-closed.json", import.meta.url));

/** What came of a run. */
export type Verdict = {
  seed: number;
  /** How many requests were made; the few more that checks make of their own are not counted. */
  generated: number;
  /** The failure that Schemathesis reports, if any. */
  complaint: string | undefined;
};

/** Where Schemathesis is installed. */
export type Workshop = {
  /** Generates requests, the same ones for the same seed. @param examples at most for each operation and each phase */
  run(ground: Ground, options: { seed: number; examples: number }): Promise<Verdict>;
  close(): void;
};

/** Installs it. */
export async function makeWorkshop(): Promise<Workshop> {
  const janitor = await sharedJanitor();
  const root = janitor.makeFolder("chain-webhooks-schemathesis-");
  cpSync(join(own, "requirements.txt"), join(root, "requirements.txt"));
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: "1", COLUMNS: "160" };
  const command =
    "python3 -m venv venv && venv/bin/pip install --quiet --require-hashes --requirement requirements.txt";
  await run({ name: "fetching Schemathesis", command, cwd: root, env, limitMs: 5 * minutes });
  return {
    async run({ url, openAccounts }, { seed, examples }) {
      const folder = join(root, `seed-${seed}`);
      mkdirSync(folder);
      for (const name of ["hooks.py", "schemathesis.toml"]) cpSync(join(own, name), join(folder, name));
      cpSync(contract, join(folder, "openapi.json"));
      const { keys, known } = await openAccounts(`seed-${seed}`);
      const auth = Object.entries(keys).map(([name, value]) => ({
        name,
        fixedHeaders: [{ name: "x-service-api-key", value }],
      }));
      writeFileSync(join(folder, "accounts.json"), JSON.stringify({ auth }));
      // One worker: with two, CPython 3.11 fails now and then in a function that is not safe to be called by several threads.
      const options = `--url ${url} --workers 1 --seed ${seed} --max-examples ${examples}`;
      const complaint = await run({
        name: `Schemathesis with the seed ${seed}`,
        command: `../venv/bin/schemathesis run openapi.json ${options} --report json --report-json-path report.json`,
        cwd: folder,
        env: { ...env, PYTHONHASHSEED: "0", SCHEMATHESIS_KNOWN: JSON.stringify(known) },
        limitMs: 25 * minutes,
      }).then(
        () => undefined,
        (error: Error) => error.message,
      );
      return { seed, generated: generatedIn(join(folder, "report.json")), complaint };
    },
    close() {
      rmSync(root, { recursive: true, force: true });
      janitor.forgetFolder(root);
    },
  };
}

/** @returns 0 where it ended without a report */
function generatedIn(report: string): number {
  try {
    const { test_cases } = JSON.parse(readFileSync(report, "utf8")) as { test_cases: { generated: number } };
    return test_cases.generated;
  } catch {
    return 0;
  }
}

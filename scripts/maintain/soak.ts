/** `npm run soak`: the whole service under all kinds of load for minutes, and a report. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { noOperands, runCommand, UsageError } from "../command/command-line.ts";

const intro = `Usage: npm run soak -- [--minutes N] [--webhooks N] [--seed N] [--report FOLDER]

Runs the service as two processes on a chain with a block a second and a reorganisation now and then, with endpoints that answer,
dawdle, hang, fail, refuse and vanish, with a node that refuses batches and limits rates, with traffic on the API, and with one of the
processes stopped and killed again and again. An account has the costliest ABIs, conditions, previews and explanations. From 5 minutes on
it rests in turns, and the other accounts must not wait more than twice as long with it as without; nothing is judged where they wait for
1 s without it, and the report says so. In a shorter run it begins last. After a stretch for comparison another account does its worst
within its quota, and a client without a key whatever clients should not; the same holds for them. In the end every notification must be
accounted for, once and without a gap, and memory and file handles must be what they were. Writes report.md, report.json and plots.`;

const text = (fallback: string, help: string) => ({ type: "string", default: fallback, help }) as const;
const options = {
  minutes: text("10", "For how many minutes, 1 to 120."),
  webhooks: text("2000", "How many webhooks there are, 100 to 20000."),
  seed: text("1", "What happens when."),
  report: text("soak-report", "The folder of the report."),
};

process.exitCode = await runCommand(
  { intro, options },
  process.argv.slice(2),
  async ({ values: { minutes, webhooks, seed, report }, positionals }) => {
    noOperands(positionals);
    const course = {
      minutes: wholeNumber("--minutes", minutes, 1, 120),
      webhooks: wholeNumber("--webhooks", webhooks, 100, 20_000),
      seed: wholeNumber("--seed", seed, 0, 1_000_000_000),
      report: resolve(report),
    };
    const args = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/soak/vitest.config.ts"];
    const child = spawn(process.execPath, args, {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
      stdio: "inherit",
      env: { ...process.env, SOAK: JSON.stringify(course) },
    });
    const [code] = (await once(child, "exit")) as [number | null];
    return code ?? 1;
  },
);

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}.`);
}

/** `npm run test:more codegen`: makes clients with other people's generators, and has each go through a scenario on the service. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { noOperands, runCommand, UsageError } from "../../scripts/command/command-line.ts";
import { generators } from "./generators/index.ts";

const intro = `Usage: npm run test:more codegen -- [--only NAME,NAME…] [--write]

Makes a client with each generator, compiles it and runs a scenario with it on the service. It takes Go, Java with Maven, Mono,
PHP, Python, Ruby and Rust besides Node (.ci/run has the names of Debian's packages), and fetches the rest from npm, PyPI, crates.io,
the Go module proxy and Maven Central. The end shows the seconds of processor time of each generator.`;

process.exitCode = await runCommand(
  {
    intro,
    options: {
      only: { type: "string", value: "NAMES", help: `Only these: ${generators.map(({ id }) => id).join(", ")}.` },
      write: {
        type: "boolean",
        default: false,
        help: "Write openapi/GENERATORS.md. Without it, the run fails where that file differs.",
      },
    },
  },
  process.argv.slice(2),
  async ({ values: { only, write }, positionals }) => {
    noOperands(positionals);
    const unknown = only?.split(",").find((name) => !generators.some(({ id }) => id === name));
    if (unknown !== undefined)
      throw new UsageError(`--only must name generators; there is no ${JSON.stringify(unknown)}.`);
    if (only && write) throw new UsageError("--write must not be given with --only: the file tells of all generators.");
    const child = spawn(
      process.execPath,
      ["node_modules/vitest/vitest.mjs", "run", "--config", "test/codegen/vitest.config.ts"],
      {
        cwd: fileURLToPath(new URL("../..", import.meta.url)),
        stdio: "inherit",
        env: { ...process.env, CODEGEN_ONLY: only ?? "", CODEGEN_WRITE: write ? "1" : "" },
      },
    );
    const [code] = (await once(child, "exit")) as [number | null];
    return code ?? 1;
  },
);

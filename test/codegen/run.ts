/** `npm run test:more codegen`: makes clients with other people's generators, and has each go through a scenario on the service. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { runCommand, UsageError } from "../../scripts/command/command-line.ts";
import { sharedJanitor } from "../../scripts/local/janitor.ts";
import { languages } from "../../scripts/maintain/clients/build.ts";
import { generators } from "./generators/index.ts";

const intro = `Usage: npm run test:more codegen -- [clients [LANGUAGE…] | generators] [--only NAME,NAME…] [--write]

generators: makes a client with each generator, compiles it and runs a scenario with it on the service. clients: makes the packages for other
languages, installs each, and runs its README's program on the service and the mock. Without a word it does both. It takes Go, Java with Maven, Mono,
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
    const [part = "", ...chosen] = positionals;
    const unknownPart = part === "clients" ? chosen.find((name) => !languages.some((one) => one === name)) : chosen[0];
    if (unknownPart !== undefined || !["", "clients", "generators"].includes(part))
      throw new UsageError(
        `There is no ${unknownPart ?? part}; there are generators and clients, the latter for ${languages.join(", ")}.`,
      );
    if (part === "clients" && (only || write)) throw new UsageError("--only and --write must be given for generators.");
    const file = only || write ? "generators" : part;
    const unknown = only?.split(",").find((name) => !generators.some(({ id }) => id === name));
    if (unknown !== undefined)
      throw new UsageError(`--only must name generators; there is no ${JSON.stringify(unknown)}.`);
    if (only && write) throw new UsageError("--write must not be given with --only: the file tells of all generators.");
    const janitor = await sharedJanitor();
    const compiled = janitor.makeFolder("chain-webhooks-codegen-cargo-");
    const child = spawn(
      process.execPath,
      ["node_modules/vitest/vitest.mjs", "run", "--config", "test/codegen/vitest.config.ts", `${file}.codegen`],
      {
        cwd: fileURLToPath(new URL("../..", import.meta.url)),
        stdio: "inherit",
        env: {
          CARGO_TARGET_DIR: compiled,
          ...process.env,
          CODEGEN_CLIENTS: chosen.join(","),
          CODEGEN_ONLY: only ?? "",
          CODEGEN_WRITE: write ? "1" : "",
        },
      },
    );
    const [code] = (await once(child, "exit")) as [number | null];
    await janitor.close();
    return code ?? 1;
  },
);

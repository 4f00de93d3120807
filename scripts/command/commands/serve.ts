/** Runs the service, which takes its configuration from the environment. */
import { standardOutput } from "../../../server/base/log.ts";
import { runService, type Terminal } from "../../../server/process.ts";
import { settingsHelp } from "../../../server/settings/settings.ts";
import { type CommandOptions, noOperands, runCommand } from "../command-line.ts";
import { coloured, printable } from "../terminal.ts";

const options = {
  json: {
    type: "boolean",
    default: false,
    help: "Log JSON lines on a terminal, too, such as that of a container with `tty: true`.",
  },
} as const satisfies CommandOptions;

/** What `serve` takes. */
export const command = {
  intro: `Run the service: the API, the followers of the chains, and the delivery of notifications.

Usage:
  chain-webhooks-service serve [--json]

Environment:
${settingsHelp()}`,
  options,
  notes: `The service logs JSON lines to standard output, and lines for people on a terminal unless there is --json. On SIGTERM or Ctrl-C it finishes what is in flight.

Exit codes: 0 after SIGTERM or Ctrl-C, 1 when it cannot start, 2 for a wrong argument, 3 when a package that these settings need is
not installed, 4 when the embedded PostgreSQL died and could not be started again.`,
};

/** Runs `serve` until SIGINT or SIGTERM. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand(command, args, async ({ values, positionals }) => {
    noOperands(positionals);
    return runService(process.env, process.stdout.isTTY && !values.json ? terminal : undefined);
  });
}

/** A person gets three lines to begin with, and a log without JSON. */
const terminal: Terminal = {
  destination: { write: (line) => standardOutput(1).write(`${forPeople(line)}\n`) },
  started({ url, docs, metrics }) {
    const [first, second, third] = url
      ? [
          `Listening at ${url}`,
          `Docs at ${docs}`,
          "chain-webhooks-service keys create --account NAME --scopes read,write",
        ]
      : [
          "Running, without the API: see ROLES",
          `Metrics ${metrics ? `at ${metrics}` : "off: see METRICS_PORT"}`,
          "chain-webhooks-service serve --help",
        ];
    console.log(`${coloured("bold", first)}\n${second}\nNext: ${third}`);
  },
};

const levels: Readonly<Record<number, string>> = {
  10: "trace",
  20: "debug",
  30: "info ",
  40: coloured("yellow", "warn "),
  50: coloured("red", "error"),
  60: coloured("red", "fatal"),
};

/** @example forPeople('{"level":30,"time":"2026-01-01T12:00:00.000Z","msg":"request","status":200}') // "12:00:00 info  request status=200" */
function forPeople(line: string): string {
  const { level, time, msg, err, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const { stack, message } = (err ?? {}) as Record<string, unknown>;
  const shown = Object.entries(fields)
    .filter(([name]) => name !== "requestId")
    .map(([name, value]) =>
      coloured("dim", printable(`${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)),
    );
  const said = [String(time).slice(11, 19), levels[Number(level)], printable(String(msg ?? "")), ...shown].join(" ");
  const why = err === undefined ? "" : `\n${stack ?? message}`;
  return said + why.replaceAll(/[^\P{Cc}\n]/gu, "?");
}

/** Runs the service, which takes its configuration from the environment. */
import { runService } from "../../../server/process.ts";
import { settingsHelp } from "../../../server/settings/settings.ts";
import { noOperands, runCommand } from "../command-line.ts";

const help = `Run the service: the API, the followers of the chains, and the delivery of notifications.

Usage:
  chain-webhooks-service serve

Environment:
${settingsHelp()}

Options:
  -h, --help            Show this help.

The service logs JSON lines to standard output. On SIGTERM or Ctrl-C it finishes what is in flight.

Exit codes: 0 after SIGTERM or Ctrl-C, 1 when it cannot start, 2 for a wrong argument, 3 when a package that these settings need is
not installed, 4 when the embedded PostgreSQL died and could not be started again.`;

/** Runs `serve` until SIGINT or SIGTERM. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand({ help, options: {} }, args, async ({ positionals }) => {
    noOperands(positionals);
    return runService(process.env);
  });
}

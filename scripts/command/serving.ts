/** Commands that serve until a signal. */
import type { Express } from "express";
import { listen } from "../../server/api/listening/listen.ts";
import { waitForSignal } from "../../server/base/shutdown-signal.ts";
import { CommandError, UsageError } from "./command-line.ts";

/** Where to listen; port 0 for any free one. */
export type ListeningPlace = { port: number; host: string };

/**
 * Serves until SIGINT or SIGTERM; a second one kills the process. Requests in flight are answered first.
 *
 * @param onListening receives the base address
 * @throws CommandError when it cannot listen, UsageError for an empty host
 */
export async function serve(app: Express, place: ListeningPlace, onListening: (url: string) => void): Promise<void> {
  // Node takes an empty one for every address of the machine.
  if (place.host === "") throw new UsageError("--host must be an address, such as 127.0.0.1.");
  const shutdown = waitForSignal();
  try {
    const server = await listen(app, place).catch((error: unknown) => {
      throw new CommandError(whyNot(error, place), { cause: error });
    });
    onListening(server.url);
    await shutdown.received;
    await server.close();
  } finally {
    shutdown.ignore();
  }
}

function whyNot(error: unknown, { port, host }: ListeningPlace): string {
  const code = error instanceof Error && "code" in error ? error.code : error;
  if (code === "EADDRINUSE") return `Port ${port} of ${host} is in use; choose another with --port.`;
  return `It is not possible to listen on port ${port} of ${host} (${code}).`;
}

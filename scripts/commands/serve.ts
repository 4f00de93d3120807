/** Commands that serve until they are told to end. */
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { Express } from "express";
import { listen } from "../../server/http/listen.ts";
import { CommandError } from "./command-line.ts";

// Read early: npm may be gone by the time that we listen.
const parent = process.ppid;

/** Where to listen; port 0 for any free one. */
export type Place = { port: number; host: string };

/**
 * Serves until SIGINT or SIGTERM; a second one ends the process at once. Requests under way are answered first.
 *
 * @param onListening told of the base address
 * @throws CommandError when it cannot listen
 */
export async function serve(app: Express, place: Place, onListening: (url: string) => void): Promise<void> {
  // Before anybody can know that it listens, and so that it may end.
  const ended = new AbortController();
  const told = toEnd(ended);
  try {
    const server = await listen(app, place).catch((error: unknown) => {
      throw new CommandError(whyNot(error, place));
    });
    onListening(server.url);
    await told;
    await server.close();
  } finally {
    ended.abort();
  }
}

/** Resolves when the process is told to end, and then listens no more, or without that when the waiting is ended. */
async function toEnd(ended: AbortController): Promise<void> {
  const { signal } = ended;
  const signals = (["SIGINT", "SIGTERM"] as const).map((name) => once(process, name, { signal }));
  await Promise.race([...signals, orphaned(signal)]).catch(() => undefined);
  ended.abort();
}

function whyNot(error: unknown, { port, host }: Place): string {
  const code = error instanceof Error && "code" in error ? error.code : error;
  if (code === "EADDRINUSE") return `Port ${port} of ${host} is in use; choose another with --port.`;
  return `It is not possible to listen on port ${port} of ${host} (${code}).`;
}

/**
 * npm passes SIGTERM on to the shell that it runs us in, and that shell ends without a word to us. What we can see is that
 * our parent is another one. Without npm that means nothing: whoever starts us in the background may leave.
 */
async function orphaned(signal: AbortSignal): Promise<void> {
  const underNpm = process.env.npm_lifecycle_event !== undefined;
  while (!underNpm || process.ppid === parent) await wait(250, undefined, { signal });
}

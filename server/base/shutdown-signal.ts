/** Waits for the signal to shut down: SIGINT, SIGTERM, or the end of the npm that runs the process. */
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

// Read early: npm may be gone by the time we listen.
const parent = process.ppid;

type ShutdownSignal = {
  /** Resolves with the signal's name, or with `npm ended`. After that a second signal kills the process. */
  received: Promise<string>;
  /** Stops waiting, so that it keeps no process alive. `received` then never resolves. */
  ignore(): void;
};

/** Starts to wait. Call it before anybody can know that the process is listening. */
export function waitForSignal(): ShutdownSignal {
  const ended = new AbortController();
  const { signal } = ended;
  const signals = (["SIGINT", "SIGTERM"] as const).map((name) => once(process, name, { signal }).then(() => name));
  const received = new Promise<string>((resolve) => {
    Promise.race([...signals, orphaned(signal)]).then(
      (reason) => {
        ended.abort();
        resolve(reason);
      },
      () => undefined,
    );
  });
  return { received, ignore: () => ended.abort() };
}

/**
 * npm sends SIGTERM to the shell in which it runs us, and that shell ends without forwarding it. We only see that our parent changed.
 * Without npm a new parent means nothing: a shell that starts us in the background may end.
 */
async function orphaned(signal: AbortSignal): Promise<string> {
  if (process.env.npm_lifecycle_event === undefined) return new Promise(() => undefined);
  while (process.ppid === parent) await wait(250, undefined, { signal });
  return "npm ended";
}

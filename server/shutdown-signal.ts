/** When a process that serves has to end: at SIGINT or SIGTERM, and when the npm that ran it is gone. */
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

// Read early: npm may be gone by the time that we listen.
const parent = process.ppid;

/** A wait for being told to end. */
export type ToldToEnd = {
  /** Resolves with the signal, or with `npm ended`. Then a second signal ends the process at once. */
  why: Promise<string>;
  /** Ends the wait, so that it keeps no process alive; `why` then never resolves. */
  forget(): void;
};

/** Starts to wait. To be called before anybody can know that the process serves. */
export function waitToBeTold(): ToldToEnd {
  const ended = new AbortController();
  const { signal } = ended;
  const signals = (["SIGINT", "SIGTERM"] as const).map((name) => once(process, name, { signal }).then(() => name));
  const why = new Promise<string>((resolve) => {
    Promise.race([...signals, orphaned(signal)]).then(
      (reason) => {
        ended.abort();
        resolve(reason);
      },
      () => undefined,
    );
  });
  return { why, forget: () => ended.abort() };
}

/**
 * npm passes SIGTERM on to the shell that it runs us in, and that shell ends without a word to us. What we can see is that
 * our parent is another one. Without npm that means nothing: whoever starts us in the background may leave.
 */
async function orphaned(signal: AbortSignal): Promise<string> {
  const underNpm = process.env.npm_lifecycle_event !== undefined;
  while (!underNpm || process.ppid === parent) await wait(250, undefined, { signal });
  return "npm ended";
}

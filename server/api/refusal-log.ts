/** Tells in the log that requests are refused, without a line for each: they are refused since there is too much to do already. */
import type { Logger } from "pino";

const everyMs = 10_000;

/** @returns what is told of each refusal; the first is logged at once, and then every ten seconds how many there were and the newest */
export function refusalLog(log: Logger): (newest: Record<string, unknown>) => void {
  let refused = 0;
  let latest: Record<string, unknown> = {};
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    timer = undefined;
    if (refused === 0) return;
    log.warn({ refused, newest: latest }, "requests are refused: too much in hand");
    refused = 0;
    timer = setTimeout(tell, everyMs).unref();
  };
  return (newest) => {
    refused += 1;
    latest = newest;
    if (!timer) tell();
  };
}

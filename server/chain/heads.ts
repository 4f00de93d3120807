/** Wakes the follower when a node announces a new head. Losing the socket costs waiting for the next poll, nothing else. */
import type { Logger } from "pino";
import { webSocket } from "viem";

/** @param url the node's `ws:` or `wss:` address @param wake called for each new head @param signal ends it */
export function announceHeads(
  url: string,
  { wake, signal, log }: { wake: () => void; signal: AbortSignal; log: Logger },
): void {
  const { origin } = new URL(url);
  void subscribe();

  async function subscribe(): Promise<void> {
    if (signal.aborted) return;
    let again = false;
    const retry = () => {
      if (!again) setTimeout(() => void subscribe(), 5_000).unref();
      again = true;
    };
    try {
      const { value } = webSocket(url, { reconnect: false, keepAlive: { interval: 20_000 }, timeout: 10_000 })({});
      if (!value) return;
      const { unsubscribe } = await value.subscribe({
        params: ["newHeads"],
        onData: wake,
        onError: (error: unknown) => {
          log.debug({ origin, reason: String(error).split("\n")[0] }, "head announcements ended; polling goes on");
          retry();
        },
      });
      const close = async () => {
        await unsubscribe().catch(() => undefined);
        (await value.getRpcClient()).close();
      };
      if (signal.aborted) await close();
      else signal.addEventListener("abort", () => void close().catch(() => undefined), { once: true });
    } catch (error) {
      log.debug({ origin, reason: String(error).split("\n")[0] }, "no head announcements; polling goes on");
      retry();
    }
  }
}

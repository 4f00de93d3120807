/** The notification that a mocked webhook sends when it has been created: signed, and always the same. */
import { loadScenarios } from "../notifications/scenarios.ts";
import { exampleSecret } from "../notifications/secret.ts";
import { sendNotification } from "../notifications/send.ts";

/** Sends callbacks. */
export type Callbacks = {
  /** Sends a webhook's first notification, and does not wait for it. */
  send(webhook: { id: string; url: string }): void;
  /** Aborts what is still in flight, and waits for that. */
  close(): Promise<void>;
};

/** @param say called with the outcome of each */
export async function createCallbacks(say: (line: string) => void): Promise<Callbacks> {
  const scenarios = await loadScenarios();
  const inFlight = new Set<Promise<void>>();
  const closing = new AbortController();

  async function send(id: string, url: string): Promise<void> {
    const scenario = scenarios.find(({ notification }) => notification.webhookId === id) ?? scenarios[0];
    if (!scenario) return;
    const notification = { ...scenario.notification, webhookId: id };
    const { signal } = closing;
    const outcome = await sendNotification({ to: url, notification, sequence: 1, secret: exampleSecret, signal });
    say(`POST ${url} ${outcome.description} (notification ${scenario.name})`);
  }

  return {
    send({ id, url }) {
      const done = send(id, url)
        .catch((error: unknown) => say(`POST ${url} failed: ${String(error)}`))
        .finally(() => inFlight.delete(done));
      inFlight.add(done);
    },
    async close() {
      closing.abort();
      await Promise.all(inFlight);
    },
  };
}

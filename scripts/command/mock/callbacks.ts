/** The notification that a mocked webhook sends when it has been created: signed, and always the same. */
import { Agent } from "undici";
import { lookupFor } from "../../../server/delivery/send/lookup.ts";
import { defaultPeriods } from "../../../server/settings/periods.ts";
import { refusalOf, type TargetReach } from "../../../server/targets/targets.ts";
import { loadScenarios } from "../notifications/scenarios.ts";
import { exampleSecret } from "../notifications/secret.ts";
import { sendNotification } from "../notifications/send.ts";
import { policyOf } from "./transport.ts";

/** Sends callbacks. */
export type Callbacks = {
  /** Sends a webhook's first notification, and does not wait for it. */
  send(webhook: { id: string; url: string }): void;
  /** Aborts what is still in flight, and waits for that. */
  close(): Promise<void>;
};

/** @param say called with the outcome of each @param targets where they may go */
export async function createCallbacks(
  say: (line: string) => void,
  targets: TargetReach = "loopback",
): Promise<Callbacks> {
  const policy = policyOf(targets);
  const lookup = lookupFor(policy);
  const dispatcher = new Agent({ connect: { timeout: defaultPeriods.timeoutMs, ...(lookup && { lookup }) } });
  const scenarios = await loadScenarios();
  const inFlight = new Set<Promise<void>>();
  const closing = new AbortController();

  async function send(id: string, url: string): Promise<void> {
    const scenario = scenarios.find(({ notification }) => notification.webhookId === id) ?? scenarios[0];
    if (!scenario) return;
    const notification = { ...scenario.notification, webhookId: id };
    const refusal = refusalOf(url, policy);
    if (refusal) return say(`POST ${url} was not sent: url ${refusal}; --targets allows more`);
    const { signal } = closing;
    const outgoing = { to: url, notification, sequence: 1, secret: exampleSecret, signal, dispatcher };
    const outcome = await sendNotification(outgoing);
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
      await dispatcher.destroy();
    },
  };
}

/** Makes the mock's POSTs in Node, with the service's own code. */
import { settingsOf } from "../../../server/delivery/endpoint/endpoint.ts";
import { createDialer } from "../../../server/delivery/send/dialer.ts";
import type { Exchange, Outcome } from "../../../server/delivery/send/exchange.ts";
import { createPost } from "../../../server/delivery/send/post.ts";
import { defaultPeriods } from "../../../server/settings/periods.ts";
import type { TargetPolicy, TargetReach } from "../../../server/targets/targets.ts";
import type { Transport } from "./state/sender.ts";

const { timeoutMs } = defaultPeriods;

/** What the mock may call. */
export function policyOf(targets: TargetReach): TargetPolicy {
  return { allowPrivateTargets: true, ...(targets !== "any" && { within: targets }) };
}

export function createTransport(targets: TargetReach = "loopback"): Transport {
  const policy = policyOf(targets);
  const dialer = createDialer(policy);
  const post = createPost({ dialer, policy, timeoutMs, now: Date.now });
  const inFlight = new Set<Exchange>();
  const abort = () => {
    for (const exchange of inFlight) exchange.abort();
  };
  return {
    post({ id: webhookId, url, compatibility, operational, metadata: { batch } }, messages, signing) {
      const keyOf = (secret: Buffer) => ({ secret, expiresAt: null });
      const secrets = signing.secrets.map((secret) => keyOf(Buffer.from(secret.slice("whsec_".length), "base64")));
      const sharedSecrets = signing.sharedSecrets.map((secret) => keyOf(Buffer.from(secret, "hex")));
      const settings = settingsOf({
        ...{ url, active: true, secrets, sharedSecrets, headers: signing.headers },
        ...(operational && { operational }),
      });
      return new Promise<Outcome | undefined>((resolve) => {
        const addressee = { webhookId, batch, compatibility, ...settings };
        const exchange = post(addressee, messages, (outcome) => {
          // It may end before `post` returns, and is added to the set afterwards.
          queueMicrotask(() => inFlight.delete(exchange));
          resolve(outcome);
        });
        inFlight.add(exchange);
      });
    },
    abort,
    async close() {
      abort();
      await dialer.destroy();
    },
  };
}

/** Secrets: each webhook has its own, and nothing but the two operations for it shows one. The answers are scanned elsewhere. */
import { asObject, sameJson } from "../../../document/json.ts";
import { idOf, type Probe } from "../probe.ts";

const dayMs = 24 * 3_600_000;

/** Looks at the secrets of two webhooks, and makes answers in which one could leak. */
export async function checkSecrets(probe: Probe): Promise<void> {
  const first = await probe.create();
  const second = await probe.create();
  if (!first || !second) return;
  const path = { id: idOf(first) };
  const one = await probe.succeed("getWebhookSecret", { path });
  const other = await probe.send("getWebhookSecret", { path: { id: idOf(second) } });
  if (one && other.status === 200) {
    const own = asObject(other.json).secret !== one.secret;
    probe.check(other, "secret-of-its-own", own, "another secret than that of another webhook");
  }
  const rotated = await probe.send("rotateWebhookSecret", { path });
  const { previousSecretExpiresAt } = asObject(rotated.json);
  const ahead = Number(previousSecretExpiresAt) - Date.now();
  // The two clocks may differ.
  const isADay = Math.abs(ahead - dayMs) < 600_000;
  if (probe.status(rotated, "status-expected", 200))
    probe.check(rotated, "rotation-shows-previous-secret", isADay, "previousSecretExpiresAt in 24 hours, in ms");
  const after = await probe.send("getWebhookSecret", { path });
  if (rotated.status === 200 && after.status === 200)
    probe.check(
      after,
      "rotation-shows-previous-secret",
      sameJson(after.json, rotated.json),
      "what the rotation answered",
    );
  const shared = await probe.succeed("getSharedSecret");
  const again = await probe.send("getSharedSecret");
  if (shared && again.status === 200)
    probe.check(
      again,
      "reads-as-written",
      asObject(again.json).secret === shared.secret,
      "the shared secret as before",
    );
  await probe.succeed("getWebhook", { path });
  await probe.succeed("listWebhooks", { query: { pageSize: 2 } });
  await probe.succeed("updateWebhook", { path, body: { name: "Still secret" } });
  for (const id of [idOf(first), idOf(second)]) await probe.succeed("deleteWebhook", { path: { id } });
}

/** The steps that read and rotate a secret. */
import { bodyOf } from "../attempt.ts";
import { type CaseState, isRecent, type Known, succeeded } from "./known.ts";

const dayMs = 86_400_000;

/** Reads the secret, or rotates it. */
export async function secret({ probe, live }: CaseState, known: Known, how: "secret" | "rotate"): Promise<void> {
  const operation = how === "secret" ? "getWebhookSecret" : "rotateWebhookSecret";
  const answer = await probe.send(operation, { path: { id: known.id } });
  const came = bodyOf(answer);
  if (!succeeded(probe, answer) || !came) return;
  const own = String(came.secret);
  if (how === "rotate") known.rotated = true;
  const others = live.filter((one) => one !== known && one.secret === own);
  probe.check(answer, "secret-of-its-own", others.length === 0, "another secret than that of another webhook");
  if (how === "rotate")
    probe.check(answer, "rotation-makes-another-secret", known.secret !== own, "another secret than the one before");
  else if (known.secret !== undefined)
    probe.check(answer, "reads-as-written", known.secret === own, "the secret of the webhook, as read before");
  known.secret = own;
  const { previousSecretExpiresAt: until } = came;
  const right = known.rotated ? isRecent(probe, answer, Number(until) - dayMs) : until === undefined;
  const expected = known.rotated ? "previousSecretExpiresAt in 24 hours, in ms" : "no previousSecretExpiresAt";
  probe.check(answer, "rotation-shows-previous-secret", right, expected);
  if (how === "secret" && known.until !== undefined)
    probe.check(answer, "reads-as-written", until === known.until, `previousSecretExpiresAt: ${known.until}`);
  known.until = until;
}

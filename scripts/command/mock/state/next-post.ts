/** Which of the mock's waiting notifications go into the next POST: by the webhook's `batch` and `ordered`, as the service decides. */
import type { Kept, MockWebhook } from "./records.ts";

/** As many as the service has in flight for an endpoint. */
const inFlightAtMost = 10;

/** Takes them from what waits. @param onReady called when what waits for more, or for the webhook's rate, should be sent @returns none if nothing can be sent now */
export function takeNext(webhook: MockWebhook, onReady: () => void): Kept[] {
  const { batch, ordered } = webhook.record.metadata;
  if (webhook.record.status !== "active" || webhook.isDeleted) return [];
  if (webhook.inFlight >= (ordered ? 1 : inFlightAtMost)) return [];
  const ready = webhook.waiting.filter((kept) => !kept.isInFlight);
  if (batch || ordered) ready.sort((a, b) => a.sequence - b.sequence);
  const at = ready.findIndex((kept) => !ordered || mayGo(kept));
  const first = ready[at];
  if (!first) return [];
  const next = [first];
  // Those of a batch are consecutive, so what is before each goes with it.
  for (const kept of batch ? ready.slice(at + 1) : []) {
    const last = next.at(-1);
    const isSame = kept.wanted === first.wanted && kept.attempts.length > 0 === first.attempts.length > 0;
    if (next.length === batch?.maxItems || kept.sequence !== (last?.sequence ?? 0) + 1 || !isSame) break;
    next.push(kept);
  }
  const gathers = batch && next.length < batch.maxItems && first.attempts.length === 0;
  webhook.rate.change(webhook.record.maxPerSecond);
  const waitMs = Math.max(
    gathers ? first.recordedAt + batch.maxWaitMs - Date.now() : 0,
    webhook.rate.waitMs(performance.now()),
  );
  clearTimeout(webhook.gathering);
  webhook.gathering = waitMs > 0 ? setTimeout(onReady, waitMs).unref() : undefined;
  if (waitMs > 0) return [];
  webhook.rate.begin(performance.now());
  webhook.waiting = webhook.waiting.filter((kept) => !next.includes(kept));
  return next;
}

/** Whether an ordered webhook's notification may be sent: what a client asked for always, else if no earlier one is left. */
function mayGo({ webhook, sequence, wanted, attempts }: Kept): boolean {
  if (attempts.length > 0 && wanted !== undefined && wanted !== "schedule") return true;
  for (const before of webhook.notifications.values()) {
    if (before.sequence >= sequence) return true;
    const isLeft = before.retry !== undefined || before.isInFlight || before.attempts.length === 0;
    if (isLeft || (before.wanted === "schedule" && !isAccepted(before))) return false;
  }
  return true;
}

const isAccepted = ({ attempts }: Kept) => attempts.some(({ errorClass }) => !errorClass);

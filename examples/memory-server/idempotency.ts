/** What createWebhook answered under an `Idempotency-Key`. A real server forgets it after 24 hours. */
import { isDeepStrictEqual } from "node:util";
import { HttpError, type Output } from "chain-webhooks/server";

type Answer = Output<"createWebhook">;

/** Answers, or repeats the answer to the same key. */
export type AnswerOnce = (key: string | undefined, body: unknown, answer: () => Promise<Answer>) => Promise<Answer>;

/** @param exists whether the webhook of the first answer still exists */
export function answersOnce(exists: (id: string) => boolean): AnswerOnce {
  const answered = new Map<string, { body: unknown; answer: Promise<Answer> }>();
  return async (key, body, answer) => {
    if (key === undefined) return answer();
    const before = answered.get(key);
    if (before && !isDeepStrictEqual(before.body, body))
      throw new HttpError(409, "The header Idempotency-Key must not have been used with another body.");
    if (before && !exists((await before.answer).body.id))
      throw new HttpError(409, "The header Idempotency-Key must not be that of a webhook that was deleted.");
    if (before) return before.answer;
    const first = answer();
    answered.set(key, { body, answer: first });
    // A failed request may be sent again under the same key.
    first.catch(() => answered.delete(key));
    return first;
  };
}

/** What the example server answered under an `Idempotency-Key`. */
import { isDeepStrictEqual } from "node:util";
import { HttpError, type Output } from "../../server/contract/index.ts";

type Answer = Output<"createWebhook">;

/** Answers, or repeats what was answered under the same key. */
export type AnswerOnce = (key: string | undefined, body: unknown, answer: () => Promise<Answer>) => Promise<Answer>;

/** Remembers answers for as long as it lives. @param exists whether there still is the webhook that was answered with */
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
    // A request that failed answered nothing that could be repeated.
    first.catch(() => answered.delete(key));
    return first;
  };
}

/** One timer for all: each is over after its time, none before it, and none that has ended. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Deadlines, type Expiring } from "../../server/delivery/deadlines.ts";

const timeoutMs = 300;
const deadlines = new Deadlines(timeoutMs);

type Begun = Expiring & { expiredAfterMs: number | undefined };

function begin(): Begun {
  const startedAt = performance.now();
  const begun: Begun = {
    startedAt,
    expiredAfterMs: undefined,
    expire() {
      this.expiredAfterMs = performance.now() - startedAt;
    },
  };
  deadlines.add(begun);
  return begun;
}

test("what does not end is over after its time, whenever it began and whatever ends meanwhile", async () => {
  const all: Begun[] = [];
  for (let n = 0; n < 30; n += 1) {
    all.push(begin());
    if (n % 5 === 0) await sleep(7);
  }
  const ended = all.filter((_, n) => n % 3 === 0 || n > 27);
  for (const each of ended) deadlines.delete(each);
  const others = all.filter((each) => !ended.includes(each));
  await expect.poll(() => others.every(({ expiredAfterMs }) => expiredAfterMs !== undefined)).toBe(true);
  for (const { expiredAfterMs } of others) expect(expiredAfterMs).toBeGreaterThanOrEqual(timeoutMs);
  for (const { expiredAfterMs } of ended) expect(expiredAfterMs).toBeUndefined();
});

test("after a while in which nothing was under way, there are deadlines again", async () => {
  deadlines.delete(begin());
  await sleep(2 * timeoutMs);
  const late = begin();
  await expect.poll(() => late.expiredAfterMs).toBeGreaterThanOrEqual(timeoutMs);
});

/** The search for the first block that a node has: exact where it can be, in few rounds, and with what is known when its time is over. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Held, searchFirst } from "../../../server/chain/questions/answer-question.ts";

const never = () => performance.now() + 600_000;

test("finds the first block that is there, whatever is empty", async () => {
  const bounds = fc.record({ first: fc.integer({ min: 1, max: 500 }), top: fc.integer({ min: 501, max: 3_000 }) });
  await fc.assert(
    fc.asyncProperty(bounds, fc.integer({ min: 1, max: 5 }), async ({ first, top }, every) => {
      const isEmpty = (number: number) => number % every !== 0;
      const ask = async (number: number): Promise<Held> =>
        isEmpty(number) ? "nothing needed" : number >= first ? "all" : "part";
      const { firstBlock, isAbout } = await searchFirst({ missing: 0, there: top }, ask, never());
      // Of what is between the last that it has forgotten and the first that it has, nothing is needed.
      const needed = Array.from({ length: top }, (_, number) => number).filter(
        (number) => number > 0 && !isEmpty(number),
      );
      const lastMissing = needed.filter((number) => number < first).at(-1) ?? 0;
      expect(firstBlock).toBeGreaterThan(lastMissing);
      if (!isAbout) expect(firstBlock).toBeLessThanOrEqual(needed.find((number) => number >= first) ?? top);
      if (every === 1) expect([firstBlock, isAbout]).toEqual([first, undefined]);
    }),
    { numRuns: 200 },
  );
});

test("asks for several blocks at the same time: twenty million take eight rounds", async () => {
  let rounds = 0;
  let isAsking = false;
  const ask = async (number: number): Promise<Held> => {
    if (!isAsking) rounds += 1;
    isAsking = true;
    await new Promise((resolve) => setImmediate(resolve));
    isAsking = false;
    return number >= 12_345_678 ? "all" : "part";
  };
  expect(await searchFirst({ missing: 1, there: 20_000_000 }, ask, never())).toEqual({ firstBlock: 12_345_678 });
  expect(rounds).toBeLessThanOrEqual(8);
});

test("says about where they begin once its time is over", async () => {
  let asked = 0;
  const ask = (number: number): Promise<Held> => {
    asked += 1;
    return asked > 8 ? new Promise(() => {}) : Promise.resolve(number >= 500_000 ? "all" : "part");
  };
  const found = await searchFirst({ missing: 1, there: 900_000 }, ask, performance.now() + 50);
  expect(found.isAbout).toBe(true);
  expect(found.firstBlock).toBeGreaterThanOrEqual(500_000);
  expect(found.firstBlock).toBeLessThan(620_000);
});

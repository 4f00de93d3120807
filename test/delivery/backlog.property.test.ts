/** Whatever happens in whatever order, no first attempt is lost, and none is made twice but for what a crash left unknown. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../support/runs.ts";
import { BacklogModel, type Step } from "./backlog-model.ts";

// Rather few notifications for rather little room, so that endpoints are parked and read on all the time.
const on = fc.integer({ min: 0, max: 1 });
const count = fc.integer({ min: 1, max: 4 });
const rows = fc.integer({ min: 1, max: 12 });
const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
const steps: fc.Arbitrary<Step> = fc.oneof(
  often(4, fc.record({ do: fc.constant("append"), on, count })),
  often(6, fc.record({ do: fc.constant("readOutbox"), on, count: rows, leaveOut: fc.boolean() })),
  often(5, fc.record({ do: fc.constant("readAccount"), on, count: rows, leaveOut: fc.boolean() })),
  often(3, fc.record({ do: fc.constantFrom("separate", "rejoin"), on }) as fc.Arbitrary<Step>),
  often(6, fc.record({ do: fc.constant("send"), on, count })),
  often(6, fc.record({ do: fc.constant("finish"), on, count: fc.nat(9), succeeds: fc.boolean() })),
  often(4, fc.record({ do: fc.constant("record"), on, count })),
  often(5, fc.record({ do: fc.constantFrom("beginPage", "endPage"), on }) as fc.Arbitrary<Step>),
  often(4, fc.record({ do: fc.constant("beginState"), on, exactly: fc.boolean() })),
  often(4, fc.record({ do: fc.constant("commitState"), on })),
  often(1, fc.record({ do: fc.constant("loseState"), on, applied: fc.boolean() })),
  often(3, fc.record({ do: fc.constant("writeCursor") })),
  often(3, fc.record({ do: fc.constantFrom("park", "pause", "resume", "resume", "forget"), on })),
);
const crash: fc.Arbitrary<Step> = fc.record({ do: fc.constant("crash") });

function play(list: readonly Step[]): BacklogModel {
  const model = new BacklogModel();
  for (const step of list) {
    model.step(step);
    model.check();
  }
  model.drain();
  return model;
}

const lengths = { minLength: 50, maxLength: 400, size: "max" } as const;

test("without a crash every first attempt is made exactly once, in order", () => {
  let skipped = 0;
  let leftOut = 0;
  let separately = 0;
  fc.assert(
    fc.property(fc.array(steps, lengths), (list) => {
      const model = play(list);
      expect(model.repeated).toBe(0);
      skipped += model.skipped;
      leftOut += model.leftOut;
      separately += Math.min(model.separately, model.rejoined);
    }),
    { numRuns: runs(50, 1_000) },
  );
  expect(skipped).toBeGreaterThan(runs(10, 1_000));
  expect(leftOut).toBeGreaterThan(runs(10, 1_000));
  expect(separately).toBeGreaterThan(runs(10, 1_000));
});

test("with crashes nothing is lost, and only what was in flight is sent again", () => {
  let repeated = 0;
  fc.assert(
    fc.property(fc.array(fc.oneof(often(30, steps), often(1, crash)), lengths), (list) => {
      repeated += play(list).repeated;
    }),
    { numRuns: runs(50, 1_000) },
  );
  expect(repeated).toBeGreaterThan(runs(0, 100));
});

/** Whatever happens in whatever order, an ordered webhook's notifications are sent in theirs, and all of them. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../support/runs.ts";
import { OrderModel, type Step } from "./order-model.ts";

const few = fc.integer({ min: 1, max: 6 });
const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
const steps: fc.Arbitrary<Step> = fc.oneof(
  often(4, fc.record({ do: fc.constantFrom("append", "readOutbox", "wait"), count: few }) as fc.Arbitrary<Step>),
  often(1, fc.record({ do: fc.constant("resend"), count: fc.integer({ min: 1, max: 30 }) }) as fc.Arbitrary<Step>),
  often(5, fc.record({ do: fc.constant("finish"), succeeds: fc.boolean(), pause: few })),
  often(4, fc.record({ do: fc.constant("turn"), succeeds: fc.boolean(), pause: few })),
  often(3, fc.record({ do: fc.constant("beginLook"), limit: few })),
  often(3, fc.record({ do: fc.constant("endLook"), missing: fc.integer({ min: -8, max: 3 }) })),
  often(
    8,
    fc.record({
      do: fc.constantFrom("send", "send", "record", "beginPage", "endPage", "beginCheck", "endCheck"),
    }) as fc.Arbitrary<Step>,
  ),
  often(2, fc.record({ do: fc.constantFrom("saveState", "writeCursor", "park", "forget") }) as fc.Arbitrary<Step>),
);
const rare: fc.Arbitrary<Step> = fc.record({ do: fc.constantFrom("crash", "crash", "retention") });

test.each([1, 4])("with %i notifications in a POST, none is sent before one below it is over", (maxItems) => {
  let retried = 0;
  let passedOver = 0;
  fc.assert(
    fc.property(
      fc.array(fc.oneof(often(30, steps), often(1, rare)), { minLength: 50, maxLength: 400, size: "max" }),
      (list) => {
        const model = new OrderModel(maxItems);
        for (const step of list) model.step(step);
        model.drain();
        retried += model.retried;
        passedOver += model.passedOver.size;
      },
    ),
    { numRuns: runs(50, 1_000) },
  );
  expect(retried).toBeGreaterThan(runs(50, 2_000));
  expect(passedOver).toBeGreaterThan(runs(1, 200));
});

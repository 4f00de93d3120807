/** It tells the same as prom-client's histogram of the same values. */
import fc from "fast-check";
import { Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import { FrequentHistogram } from "../server/frequent-histogram.ts";

const about = { name: "seconds", help: "How long it took.", buckets: [0.005, 0.1, 1, 30] };
// At the bounds, between them, and beyond. Their sums are exact, in whatever order.
const value = fc.constantFrom(0, 0.005, 0.0078125, 0.1, 0.5, 1, 2, 30, 31, 4_096);
const label = fc.constantFrom("delivered", "bad_status", "time\\out");

/** Theirs have room for exemplars. */
const withoutExemplars = (told: unknown) =>
  JSON.parse(JSON.stringify(told), (key, value) => (key === "exemplar" ? undefined : value));

test("with a label, as text and as JSON", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(value, label)), async (seen) => {
      const [theirs, ours] = [new Registry(), new Registry()];
      const labelNames = ["outcome"] as const;
      const expected = new Histogram({ ...about, labelNames, registers: [theirs] });
      const histogram = new FrequentHistogram({ ...about, labelNames, registers: [ours] });
      for (const [seconds, outcome] of seen) {
        expected.observe({ outcome }, seconds);
        histogram.add(seconds, outcome);
      }
      expect(await ours.metrics()).toBe(await theirs.metrics());
      expect(await ours.getMetricsAsJSON()).toEqual(withoutExemplars(await theirs.getMetricsAsJSON()));
      for (const [outcome, count] of histogram.counts())
        expect(count).toBe(seen.filter(([, itsOutcome]) => itsOutcome === outcome).length);
    }),
    { numRuns: 50 },
  );
});

test("without a label, of which zeros are told from the beginning", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(value), async (seen) => {
      const [theirs, ours] = [new Registry(), new Registry()];
      const expected = new Histogram({ ...about, registers: [theirs] });
      const histogram = new FrequentHistogram({ ...about, registers: [ours] });
      for (const seconds of seen) {
        expected.observe(seconds);
        histogram.add(seconds);
      }
      expect(await ours.metrics()).toBe(await theirs.metrics());
    }),
    { numRuns: 50 },
  );
});

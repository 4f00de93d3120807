/** An exchange counts as in flight until it ends, whatever else ends meanwhile. */
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { InFlightSet } from "../../server/delivery/shard.ts";

test("exchanges in flight are aborted and awaited", async () => {
  const steps = fc.array(fc.record({ begins: fc.boolean(), which: fc.nat(9) }));
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const cutOff = new Set<number>();
      const exchanges = Array.from({ length: 10 }, (_, which) => ({ abort: () => void cutOff.add(which) }));
      const inFlight = new InFlightSet();
      const expected = new Set<number>();
      for (const { begins, which } of steps) {
        const exchange = exchanges[which];
        if (!exchange || (begins && expected.has(which))) continue;
        inFlight[begins ? "add" : "delete"](exchange);
        expected[begins ? "add" : "delete"](which);
      }
      inFlight.abort();
      expect(cutOff).toEqual(expected);

      let ended = false;
      const waited = inFlight.ended().then(() => {
        ended = true;
      });
      for (const which of expected) {
        await setImmediate();
        expect(ended).toBe(false);
        inFlight.delete(exchanges[which] as (typeof exchanges)[number]);
      }
      await waited;
    }),
    { numRuns: 50 },
  );
});

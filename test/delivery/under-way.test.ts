/** What is under way is known until it has ended, whatever else ends meanwhile. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Running, UnderWay } from "../../server/delivery/under-way.ts";

test("what was added and not deleted is under way", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ added: fc.boolean(), which: fc.nat(9) })), (steps) => {
      const tasks = Array.from({ length: 10 }, (): Running => ({ done: Promise.resolve(), exchange: { abort() {} } }));
      const underWay = new UnderWay();
      const expected = new Set<Running>();
      for (const { added, which } of steps) {
        const task = tasks[which] as Running;
        if (added && expected.has(task)) continue;
        underWay[added ? "add" : "delete"](task);
        expected[added ? "add" : "delete"](task);
      }
      expect(new Set(underWay.all())).toEqual(expected);
      expect(underWay.all().length).toBe(expected.size);
    }),
  );
});

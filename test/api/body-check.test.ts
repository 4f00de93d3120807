/** What it costs to refuse a body. */
import { expect, test } from "vitest";
import { bodyChecks } from "../../server/contract/body-check.ts";
import { loadContract } from "../../server/contract/contract.ts";

test("a refusal costs the same however many faults there are", async () => {
  const check = bodyChecks(await loadContract()).get("addWebhookAddresses");
  const medianMs = (faults: number): number => {
    const body = { addresses: Array.from({ length: faults }, () => "") };
    const samples = Array.from({ length: 51 }, () => {
      const from = performance.now();
      expect(() => check?.(body)).toThrow();
      return performance.now() - from;
    });
    return samples.sort((a, b) => a - b)[25] ?? 0;
  };
  medianMs(10);
  expect(medianMs(9_999) / medianMs(10)).toBeLessThan(4);
});

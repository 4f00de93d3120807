/** A notification in one line: the value is in ether, exactly. */
import fc from "fast-check";
import { formatEther } from "viem";
import { expect, test } from "vitest";
import { describe as inOneLine } from "../../scripts/command/notifications/describe.ts";
import { loadScenarios } from "../../scripts/command/notifications/scenarios.ts";

test("any value in wei is shown as viem formats it", async () => {
  const scenarios = await loadScenarios();
  const { notification } = scenarios[0] as (typeof scenarios)[number];
  const { event } = notification;
  fc.assert(
    fc.property(
      fc.oneof(
        fc.bigInt(1n, 2n ** 256n - 1n),
        fc.nat(40).map((n) => 10n ** BigInt(n)),
      ),
      (wei) => {
        const transaction = { ...event.transaction, value: String(wei) };
        const line = inOneLine({ ...notification, event: { ...event, transaction } });
        expect(line).toContain(`  value ${formatEther(wei)}  `);
      },
    ),
  );
});

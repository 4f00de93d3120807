/** The log of blocks that were accepted without a check. */
import { pino } from "pino";
import { expect, test } from "vitest";
import { logSkippedChecks } from "../../../server/chain/observe.ts";

const block = { number: 7, hash: `0x${"07".repeat(32)}` };

test("a skipped check is logged with its first block, and with every thousandth", () => {
  const lines: { level: number; blocks: number; check: string }[] = [];
  const onSkippedCheck = logSkippedChecks(
    pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
  );
  for (let count = 0; count < 2_500; count += 1) {
    onSkippedCheck({ check: "transactionsRoot", reason: "a transaction is not signed" }, block);
    if (count === 10) onSkippedCheck({ check: "bloom", reason: "it is another's" }, block);
  }
  expect(lines.map(({ check, blocks }) => [check, blocks])).toEqual([
    ["transactionsRoot", 1],
    ["bloom", 1],
    ["transactionsRoot", 1_000],
    ["transactionsRoot", 2_000],
  ]);
  expect(lines[0]).toMatchObject({ block: block.number, hash: block.hash, reason: "a transaction is not signed" });
});

test("reasons without end are counted by check", () => {
  const lines: unknown[] = [];
  const onSkippedCheck = logSkippedChecks(pino({ level: "warn" }, { write: (line: string) => void lines.push(line) }));
  for (let count = 0; count < 500; count += 1)
    onSkippedCheck({ check: "headerHash", reason: `a field x${count}` }, block);
  expect(lines).toHaveLength(101);
});

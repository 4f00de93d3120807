/** Heavy blocks are examined in threads of their own, with the same verdict. */
import type { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { examineBeside } from "../../../server/chain/checks/threads.ts";
import { profileOf } from "../../../server/chain/profiles.ts";
import { recordedBundle } from "../../support/recorded.ts";

const bundle = recordedBundle("mainnet/22869878");
const { checks } = profileOf("1");

test("a thread that breaks costs no block", async () => {
  process.once("worker", (worker: Worker) => void worker.terminate());
  expect(await examineBeside(bundle, checks)).toEqual({ inapplicable: [] });
});

test("a block is examined while everything else goes on", async () => {
  let turns = 0;
  const count = () => {
    turns += 1;
    ticking = setImmediate(count);
  };
  let ticking = setImmediate(count);
  expect(await examineBeside(bundle, checks)).toEqual({ inapplicable: [] });
  clearImmediate(ticking);
  expect(turns).toBeGreaterThan(10);
});

test("of many at once, each gets its own verdict", async () => {
  const spoilt = { ...bundle, receipts: bundle.receipts.slice(1) };
  const verdicts = await Promise.all([bundle, spoilt, bundle].map((each) => examineBeside(each, checks)));
  expect(verdicts.map(({ refused }) => refused?.check)).toEqual([undefined, "receipts", undefined]);
});

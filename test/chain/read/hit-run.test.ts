/** Of a range of blocks those are read whole of which a node returned logs, as long as the chain is still the same. */
import { expect, test } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import { type Node, NoLogsError } from "../../../server/chain/nodes/node.ts";
import { LogRanges, RefusedMethods } from "../../../server/chain/nodes/node-limits.ts";
import { digestIn, logTest } from "../../../server/chain/read/logs.ts";
import { fetchHitRun } from "../../../server/chain/read/run.ts";
import { rulesOf } from "../../../server/settings/chain-profiles.ts";
import { rehashed } from "../../support/sealed.ts";

const first = recordedBundle("mainnet/20000000");
const [log] = first.receipts.flatMap(({ logs }) => logs);
const interest = [{ signatures: [log?.topics[0] ?? ""], addresses: undefined }];

/** Consecutive blocks with the same logs. */
function chainOf(length: number) {
  const chained = [first];
  for (let { block: parent } = first; chained.length < length; ) {
    const number = `0x${(Number(parent.number) + 1).toString(16)}` as const;
    const child = rehashed({ ...first, block: { ...parent, number, parentHash: parent.hash } });
    chained.push(child);
    parent = child.block;
  }
  return chained;
}

test("hits of a chain that the node has left are not read, wherever in the range the run ends", async () => {
  const chained = chainOf(12);
  const blocks = chained.map(({ block }) => ({ number: Number(block.number), hash: block.hash }));
  const digest = digestIn(first, logTest(interest));
  const [from, to] = [blocks[0], blocks.at(-1)];
  if (!from || !to) throw new Error("there is no block");
  let newest = to.hash;
  const node: Node = {
    ...{ origin: "a node", cancel: () => undefined, refused: new RefusedMethods(), logRanges: new LogRanges() },
    async request<T>(method: string, [ref]: readonly unknown[]) {
      const bundle = chained.find(({ block }) => block.hash === ref || block.number === ref);
      if (method === "eth_getBlockReceipts") return bundle?.receipts as T;
      return (ref === `0x${to.number.toString(16)}` ? { ...bundle?.block, hash: newest } : bundle?.block) as T;
    },
  };
  const rules = rulesOf({ chainId: "1" });
  const read = () =>
    fetchHitRun(
      { chainId: "1", rules, node, traces: false, onSkippedCheck: () => undefined },
      {
        ...{ from: from.number, to: to.number, interest },
        hits: { to: to.number, hash: to.hash, blocks: blocks.map((block) => ({ ...block, digest })) },
      },
    );
  const run = await read();
  expect(run.length).toBeGreaterThan(0);
  expect(run.length).toBeLessThan(blocks.length);
  newest = `0x${"9".repeat(64)}`;
  await expect(read()).rejects.toThrow(NoLogsError);
});

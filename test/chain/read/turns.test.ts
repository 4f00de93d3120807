/** The blocks of one response are checked one at a time, and other work goes on between them. */
import { expect, test } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import type { Node } from "../../../server/chain/nodes/node.ts";
import { LogRanges, RefusedMethods } from "../../../server/chain/nodes/node-limits.ts";
import { fetchByHash } from "../../../server/chain/read/run.ts";
import type { WireReceipt } from "../../../server/matching/wire.ts";
import { rulesOf } from "../../../server/settings/chain-profiles.ts";
import { rehashed } from "../../support/sealed.ts";

const first = recordedBundle("mainnet/20000000");

test("each of several blocks is checked in its own turn of the event loop", async () => {
  const chained = [first];
  for (let { block: parent } = first; chained.length < 8; ) {
    const number = `0x${(Number(parent.number) + 1).toString(16)}` as const;
    const child = rehashed({ ...first, block: { ...parent, number, parentHash: parent.hash } });
    chained.push(child);
    parent = child.block;
  }
  let turn = 0;
  const ticking = setInterval(() => {
    turn += 1;
  });
  const checkedIn = new Set<number>();
  /** Notes the turn in which the first receipt's logs are read. */
  const watched = ([first, ...others]: WireReceipt[] = []) => {
    const { logs } = first ?? {};
    const get = () => {
      checkedIn.add(turn);
      return logs;
    };
    return [Object.defineProperty({ ...first }, "logs", { get }), ...others];
  };
  const respond = async (method: string, [hash]: readonly unknown[]) => {
    const bundle = chained.find(({ block }) => block.hash === hash);
    return method === "eth_getBlockReceipts" ? watched(bundle?.receipts) : bundle?.block;
  };
  const node: Node = {
    origin: "a node",
    request: async (method, params) => (await respond(method, params)) as never,
    cancel: () => undefined,
    refused: new RefusedMethods(),
    logRanges: new LogRanges(),
  };
  const context = {
    chainId: "1",
    rules: rulesOf({ chainId: "1" }),
    node,
    traces: false,
    onSkippedCheck: () => undefined,
  };
  expect(
    await fetchByHash(
      context,
      chained.map(({ block }) => block.hash),
    ),
  ).toHaveLength(8);
  clearInterval(ticking);
  expect(checkedIn.size).toBeGreaterThanOrEqual(6);
});

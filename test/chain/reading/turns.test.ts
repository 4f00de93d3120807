/** Blocks that come together, as in one answer, do not hold everything else up until the last one is examined. */
import { expect, test } from "vitest";
import type { Node } from "../../../server/chain/nodes/node.ts";
import { fetchByHash } from "../../../server/chain/read/run.ts";
import type { WireReceipt } from "../../../server/matching/wire.ts";
import { recordedBundle } from "../../support/recorded.ts";
import { rehashed } from "../../support/sealed.ts";
import { testChain } from "../../support/service.ts";

const first = recordedBundle("mainnet/20000000");

test("each of several blocks is examined in a turn of its own", async () => {
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
  const examinedIn = new Set<number>();
  const byHash = new Map(chained.map((bundle) => [bundle.block.hash as string, bundle]));
  /** Notes the turn in which the first receipt's logs are read. */
  const watched = ([first, ...others]: WireReceipt[] = []) => {
    const { logs } = first ?? {};
    const get = () => {
      examinedIn.add(turn);
      return logs;
    };
    return [Object.defineProperty({ ...first }, "logs", { get }), ...others];
  };
  const request = async (method: string, [hash]: readonly unknown[]) => {
    const bundle = byHash.get(String(hash));
    return method === "eth_getBlockReceipts" ? watched(bundle?.receipts) : bundle?.block;
  };
  const node = { origin: "a node", refused: { has: () => false }, request } as unknown as Node;
  const chain = { ...testChain({ rpcUrl: "http://127.0.0.1" }), chainId: "1" };
  const source = { chain, node, traces: false, onInapplicable: () => undefined };
  expect(await fetchByHash(source, [...byHash.keys()] as never)).toHaveLength(8);
  clearInterval(ticking);
  expect(examinedIn.size).toBeGreaterThanOrEqual(6);
});

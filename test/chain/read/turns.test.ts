/** The blocks of one response are checked one at a time, and other work goes on between them. */
import { expect, test } from "vitest";
import { rulesOf } from "../../../server/chain/check/profiles.ts";
import type { Node } from "../../../server/chain/nodes/node.ts";
import { rememberRefusedMethods } from "../../../server/chain/nodes/node-limits.ts";
import { fetchByHash } from "../../../server/chain/read/run.ts";
import { recordedBundle } from "../../support/recorded.ts";
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
  const parsedIn = new Set<number>();
  const byHash = new Map(chained.map((bundle) => [bundle.block.hash as string, bundle]));
  const unparsed = async (method: string, [hash]: readonly unknown[]) => {
    const bundle = byHash.get(String(hash));
    if (method !== "eth_getBlockReceipts") return () => bundle?.block;
    return () => {
      parsedIn.add(turn);
      return bundle?.receipts;
    };
  };
  const node: Node = {
    origin: "a node",
    request: () => Promise.reject(new Error("nothing else is requested")),
    requestUnparsed: async (method, params) => (await unparsed(method, params)) as never,
    cancel: () => undefined,
    refused: rememberRefusedMethods(),
  };
  const context = {
    chainId: "1",
    rules: rulesOf({ chainId: "1" }),
    node,
    traces: false,
    onSkippedCheck: () => undefined,
  };
  expect(await fetchByHash(context, [...byHash.keys()] as never)).toHaveLength(8);
  clearInterval(ticking);
  expect(parsedIn.size).toBeGreaterThanOrEqual(6);
});

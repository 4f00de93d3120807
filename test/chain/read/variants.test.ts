/** One event for each transaction and variant: webhooks share a text where they get the same. */
import { expect, test } from "vitest";
import { recordedBundle } from "../../../scripts/local/recorded.ts";
import { readBlock } from "../../../server/chain/read/block.ts";
import { type AddressActivityEvent, ownEventText } from "../../../server/matching/event.ts";
import type { WebhookOptions } from "../../../server/matching/new-webhook.ts";
import type { Watcher } from "../../../server/store/webhooks/watchers.ts";

const contract = "0xed6af25e6158a2a6106f72126a4db188f55ab723";
const party = (name: string) => ({ name, type: "address", indexed: true });
const transfer = (last: string, indexed: boolean) => ({
  type: "event" as const,
  name: "Transfer",
  inputs: [party("from"), party("to"), { name: last, type: "uint256", indexed }],
});
const erc721 = [transfer("tokenId", true)];

function watcher(id: number, includeLogs: boolean, options?: WebhookOptions): Watcher {
  const own = {
    accountId: 1,
    id: `00000000-0000-4000-8000-00000000000${id}`,
    shard: 0,
    eventSignatures: new Set<string>(),
  };
  return { ...own, includeInternalTxs: false, includeLogs, ...(options && { options }) };
}

test("webhooks share a stored text whatever they decode, and each gets its own from it", async () => {
  const block = readBlock(recordedBundle("mainnet/18951424"), "1");
  const webhooks = [
    watcher(1, true),
    watcher(2, true, { abi: erc721 }),
    watcher(3, true, { abi: structuredClone(erc721) }),
    watcher(4, true, { abi: [transfer("value", false)] }),
    watcher(5, false, { abi: erc721 }),
    watcher(6, false),
  ];
  const { events, matches } = await block.match(new Map([[contract, webhooks]]));
  const first = matches.filter(({ event }) => events[event]?.transactionIndex === 33);
  expect(first.map(({ event }) => event - (first[0]?.event ?? 0))).toEqual([0, 0, 0, 0, 1, 1]);
  const decodedOf = (index: number) => {
    const text = ownEventText(events[first[index]?.event ?? -1]?.body ?? "{}", webhooks[index]?.options?.abi);
    return (JSON.parse(text) as AddressActivityEvent).logs?.flatMap(({ decoded }) =>
      decoded ? [Object.keys(decoded.args).at(-1)] : [],
    );
  };
  expect([0, 1, 3, 4].map(decodedOf)).toEqual([[], ["tokenId"], ["value"], undefined]);
});

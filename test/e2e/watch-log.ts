/** A webhook with a log of what it watched from which block to which, as the API answered, to hold against the chain. */
import { expect } from "vitest";
import type { WebhooksClient } from "../../client/index.ts";

/** Blocks from `from` on and before `to`; where the API does not tell the exact end, before some block up to `toAtMost`. */
type Period = { from: number; to: number; toAtMost: number };

export type Watch = {
  id: string;
  watches(address: string): boolean;
  add(...addresses: string[]): Promise<void>;
  remove(...addresses: string[]): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** @param mined all transactions, in chain order, with the watched address that each went to */
  assertExact(mined: readonly { address: string; hash: string; blockNumber: number }[], notified: Set<string>): void;
};

export async function createWatch(
  client: WebhooksClient,
  { addresses, ...wanted }: { url: string; chainId: string; addresses: string[] },
): Promise<Watch> {
  const body = { ...wanted, eventType: "address_activity" as const, metadata: { addresses } };
  const { id, effectiveFromBlock } = await client.createWebhook({ body });
  const path = { id };
  const active: Period[] = [openFrom(effectiveFromBlock)];
  const watched = new Map<string, Period[]>();
  const note = (address: string, from: string) =>
    watched.set(address, [...(watched.get(address) ?? []), openFrom(from)]);
  for (const address of new Set(addresses)) note(address, effectiveFromBlock);
  const watches = (address: string) => watched.get(address)?.at(-1)?.to === Number.POSITIVE_INFINITY;
  const isActive = () => active.at(-1)?.to === Number.POSITIVE_INFINITY;
  const nextBlock = async () => Number((await client.listChains()).chains[0]?.followedBlock) + 1;

  return {
    id,
    watches,
    async add(...addresses) {
      const others = addresses.filter((address) => !watches(address));
      if (others.length === 0) return;
      const change = await client.addWebhookAddresses({ path, body: { addresses: others } });
      for (const address of others) note(address, change.effectiveFromBlock);
    },
    async remove(...addresses) {
      const periods = addresses.flatMap((address) => watched.get(address)?.at(-1) ?? []);
      if (periods.length === 0) return;
      const change = await client.removeWebhookAddresses({ path, body: { addresses } });
      for (const period of periods) close(period, Number(change.effectiveFromBlock));
    },
    async pause() {
      const period = active.at(-1);
      if (!period || !isActive()) return;
      const earliest = await nextBlock();
      await client.updateWebhook({ path, body: { status: "inactive" } });
      close(period, earliest, await nextBlock());
    },
    async resume() {
      if (isActive()) return;
      active.push(openFrom((await client.updateWebhook({ path, body: { status: "active" } })).effectiveFromBlock));
    },
    assertExact(mined, notified) {
      const expected = new Set<string>();
      for (const period of active) {
        let ended = false;
        for (const { address, hash, blockNumber } of mined) {
          if (!isWithin(period, blockNumber, period.toAtMost)) continue;
          if (!watched.get(address)?.some((one) => isWithin(one, blockNumber, one.to))) continue;
          // Between the earliest and the latest block of its end, what came before the end is there and the rest is not.
          if (blockNumber >= period.to && !notified.has(hash)) ended = true;
          if (blockNumber < period.to || !ended) expected.add(hash);
        }
      }
      expect([...notified].filter((hash) => !expected.has(hash))).toEqual([]);
      expect([...expected].filter((hash) => !notified.has(hash))).toEqual([]);
    },
  };
}

function openFrom(from: string): Period {
  return { from: Number(from), to: Number.POSITIVE_INFINITY, toAtMost: Number.POSITIVE_INFINITY };
}

function close(period: Period, to: number, toAtMost = to): void {
  Object.assign(period, { to, toAtMost });
}

function isWithin({ from }: Period, block: number, end: number): boolean {
  return block >= from && block < end;
}

/** The contracts that factories create in a block, as their logs name them. */

import { zeroAddress } from "./bundle.ts";
import type { WebhookFilter, WebhookOptions } from "./new-webhook.ts";
import type { TransactionParticipants } from "./participants.ts";
import type { BlockBundle, WireLog } from "./wire.ts";

/** A contract, and the log that names it first. */
export type CreatedContract = { address: string; transactionIndex: number; logIndex: number };

/** The contracts of one factory, and the webhooks that watch them: at least one of each. */
export type Created<Webhook> = { webhooks: readonly Webhook[]; contracts: readonly CreatedContract[] };

type Factory = NonNullable<WebhookOptions["createdBy"]>;

/**
 * @param transactions the block's, from `participantsByTransaction`
 * @param webhooks those with `createdBy`
 * @returns what each factory created, in chain order, each contract once
 */
export function createdContracts<Webhook extends WebhookFilter>(
  bundle: BlockBundle,
  transactions: readonly TransactionParticipants[],
  webhooks: readonly Webhook[],
): Created<Webhook>[] {
  const factories = new Map<
    string,
    { factory: Factory; webhooks: Webhook[]; contracts: Map<string, CreatedContract> }
  >();
  for (const webhook of webhooks) {
    const factory = webhook.options?.createdBy;
    if (!factory) continue;
    const key = Object.values(factory).join(" ");
    const known = factories.get(key);
    if (known) known.webhooks.push(webhook);
    else factories.set(key, { factory, webhooks: [webhook], contracts: new Map() });
  }
  const byLog = new Map<string, (typeof all)[number][]>();
  const all = [...factories.values()];
  for (const one of all) {
    const key = `${one.factory.address} ${one.factory.eventSignature}`;
    byLog.set(key, [...(byLog.get(key) ?? []), one]);
  }
  for (const { transactionIndex, logs } of transactions)
    for (const [logIndex, { topic0 }] of logs.entries()) {
      const log = bundle.receipts[transactionIndex]?.logs[logIndex];
      if (!log || topic0 === null) continue;
      for (const { factory, contracts } of byLog.get(`${log.address.toLowerCase()} ${topic0}`) ?? []) {
        const address = addressIn(log, factory.argument);
        if (address !== undefined && !contracts.has(address))
          contracts.set(address, { address, transactionIndex, logIndex });
      }
    }
  return all
    .filter(({ contracts }) => contracts.size > 0)
    .map(({ webhooks, contracts }) => ({ webhooks, contracts: [...contracts.values()] }));
}

const word = /^0{24}([0-9a-fA-F]{40})$/;

/** @returns undefined if there is none, or the zero address, which is no contract and has a part in every mint */
function addressIn({ topics, data }: WireLog, argument: string): string | undefined {
  const [, place, index = ""] = /^(topic|data)(\d+)$/.exec(argument) ?? [];
  const start = 2 + 64 * Number(index);
  const text = place === "topic" ? topics[Number(index)]?.slice(2) : data.slice(start, start + 64);
  const [, digits] = word.exec(text ?? "") ?? [];
  const address = digits && `0x${digits.toLowerCase()}`;
  return address === zeroAddress ? undefined : address;
}

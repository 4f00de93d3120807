/** What an endpoint knows of its notifications without any table: whether each came, in which order, and under which id. */
import { verifyNotification } from "../../client/receiver/index.ts";
import type { Mined } from "../chain/local-chain.ts";
import { inSequence, type Notified, standing } from "../chain/notified.ts";
import type { Delivered, Receiver } from "../support/receiver.ts";

/** A webhook, as its owner knows it. */
export type Watching = { id: string; path: string; secret: string; addresses: readonly string[]; from: number };

/** All deliveries, by the path of the endpoint. Every one is read and verified once. */
export type Received = {
  /** Reads what came since. @throws where one is not signed, is not the endpoint's, or comes as two different texts */
  read(): Promise<void>;
  /** @returns the notifications of a webhook, each once, in their sequence @throws where one is missing in between */
  notified(webhook: Watching): Notified[];
  deliveries(webhook: Watching): readonly Delivered[];
};

export function readReceived(receiver: Receiver, webhooks: readonly Watching[]): Received {
  const byPath = new Map(webhooks.map((webhook) => [webhook.path, { webhook, all: [] as Delivered[] }]));
  const texts = new Map<string, string>();
  let read = 0;
  let wrong: unknown;

  async function readOne(delivered: Delivered): Promise<void> {
    const { path, headers, rawBody, notification, sequence } = delivered;
    const own = byPath.get(path);
    if (own?.webhook.id !== notification.webhookId)
      throw new Error(`${path} received a notification of ${notification.webhookId}`);
    await verifyNotification(rawBody, headers, own.webhook.secret);
    const text = `${sequence} ${rawBody}`;
    const known = texts.get(notification.messageId) ?? text;
    if (known !== text) throw new Error(`${notification.messageId} came as\n${known}\nand as\n${text}`);
    texts.set(notification.messageId, text);
    own.all.push(delivered);
  }

  const deliveries = ({ path }: Watching) => byPath.get(path)?.all ?? [];
  return {
    deliveries,
    async read() {
      while (read < receiver.deliveries.length) {
        const delivered = receiver.deliveries[read];
        read += 1;
        if (delivered)
          await readOne(delivered).catch((error) => {
            wrong ??= error;
          });
      }
      if (wrong) throw wrong;
    },
    notified: (webhook) => inSequence(webhook.id, withOccurrences(deliveries(webhook))),
  };
}

/** Each messageId once, with how often its transaction of its block came before. */
function withOccurrences(deliveries: readonly Delivered[]): Notified[] {
  const first = new Map(deliveries.toReversed().map((delivered) => [delivered.notification.messageId, delivered]));
  const times = new Map<string, number>();
  return [...first.values()]
    .toSorted((a, b) => a.sequence - b.sequence)
    .map(({ notification: { messageId, event }, sequence }) => {
      const { blockHash, txHash: transactionHash, blockNumber } = event.transaction;
      const occurrence = times.get(`${blockHash} ${transactionHash}`) ?? 0;
      times.set(`${blockHash} ${transactionHash}`, occurrence + 1);
      const where = { blockNumber: Number(blockNumber), blockHash, transactionHash };
      return { sequence, messageId, occurrence, removed: event.removed === true, ...where, event };
    });
}

/** @throws unless what was notified and not retracted is what is on the chain */
export function assertStands(webhook: Watching, notified: readonly Notified[], onChain: Map<string, Mined[]>): void {
  const brief = ({ hash, blockHash, blockNumber }: Mined) => `${blockNumber} ${blockHash} ${hash}`;
  const expected = webhook.addresses
    .flatMap((address) => onChain.get(address) ?? [])
    .filter(({ blockNumber }) => blockNumber >= webhook.from)
    .map(brief);
  const stands = standing(notified).map(brief);
  const [missing, foreign] = [without(expected, stands), without(stands, expected)];
  if (missing.length + foreign.length > 0)
    throw new Error(`${webhook.path} lacks ${missing.join()} and has instead ${foreign.join()}`);
}

function without(all: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return all.filter((one) => !known.has(one));
}

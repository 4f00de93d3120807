/**
 * The matching rule stated once more, as plainly as it reads and straight from what the node answered, to hold the real one
 * against. It shares no code with it and does not care for speed.
 */
import type { BlockBundle, WireCallFrame, WireLog } from "../../server/matching/wire.ts";

export type NaiveWebhook = { id: string; addresses: string[]; eventSignatures: string[]; includeInternalTxs: boolean };

/** Which webhook is notified of which transaction: `index:id`, in chain order and then by id. */
export function naiveMatches(bundle: BlockBundle, webhooks: NaiveWebhook[]): string[] {
  const byId = [...webhooks].sort((a, b) => a.id.localeCompare(b.id));
  return bundle.block.transactions.flatMap((_, index) =>
    byId
      .filter((webhook) => webhook.addresses.some((address) => isNotified(bundle, index, webhook, address)))
      .map(({ id }) => `${index}:${id}`),
  );
}

function isNotified(bundle: BlockBundle, index: number, webhook: NaiveWebhook, address: string): boolean {
  const transaction = bundle.block.transactions[index];
  const receipt = bundle.receipts[index];
  if (!transaction || !receipt) throw new Error("incomplete bundle");
  const failed = receipt.status === "0x0";
  const { eventSignatures } = webhook;
  if (eventSignatures.length > 0)
    return !failed && receipt.logs.some((log) => isInLog(log, address) && isOneOf(eventSignatures, log.topics[0]));
  if (same(transaction.from, address) || same(transaction.to, address)) return true;
  if (failed) return false;
  if (same(receipt.contractAddress, address) && Number(address) !== 0) return true;
  if (receipt.logs.some((log) => isInLog(log, address))) return true;
  const top = bundle.traces?.[index]?.result;
  if (!webhook.includeInternalTxs || !top) return false;
  return pathsOf(top).some((path) => {
    const frame = path.at(-1);
    return path.every(({ error }) => !error) && (same(frame?.from, address) || same(frame?.to, address));
  });
}

const isInLog = (log: WireLog, address: string): boolean =>
  same(log.address, address) || [1, 2, 3].some((at) => same(log.topics[at], `0x${"00".repeat(12)}${address.slice(2)}`));

const isOneOf = (signatures: string[], topic: string | undefined): boolean => signatures.some((s) => same(topic, s));

const same = (a: string | null | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase();

/** For each frame the way to it from the top, itself included, in whatever order. */
export function pathsOf(top: WireCallFrame): WireCallFrame[][] {
  const paths = [[top]];
  for (const path of paths) for (const call of path.at(-1)?.calls ?? []) paths.push([...path, call]);
  return paths;
}

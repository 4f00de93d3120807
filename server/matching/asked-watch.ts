/** What a webhook watches in the block of a question: from the block's begin, from one of its logs on, or only later. */
import type { components } from "../../generated/types.ts";
import type { Watch } from "./conditional.ts";
import { type CreatedContract, createdContracts } from "./created.ts";
import type { TransactionParticipants } from "./participants.ts";
import type { BlockQuestion } from "./question.ts";
import { matchBlock, type WebhookFilter } from "./rule.ts";
import type { BlockBundle } from "./wire.ts";

type Part = components["schemas"]["Part"];

export type AskedWatch = {
  isWatched(address: string): boolean;
  /** Applies the rule. @param when `ever`: as if everything had been watched for ever @returns those of the transactions that match */
  matching(
    when: "now" | "ever",
    transactions: readonly TransactionParticipants[],
    webhook: WebhookFilter,
  ): ReadonlySet<TransactionParticipants>;
  /** Whether a transaction matches in which nobody but this address takes part, as if it had been watched for ever. */
  matchesAlone(transaction: TransactionParticipants, address: string, webhook: WebhookFilter): boolean;
  /** For the conditions. */
  watch(when: "now" | "ever"): Watch;
  /** Since when the address is watched, where that is not before the block. */
  since(address: string): Pick<Part, "fromBlock" | "namedBy">;
  /** The first block for which it is watched; 0 if that is long ago. */
  firstBlock(address: string): number;
};

/** @param transactions all of the block's */
export function watchIn(
  bundle: BlockBundle,
  transactions: readonly TransactionParticipants[],
  { webhook, watched, named = new Map() }: Pick<BlockQuestion, "webhook" | "watched" | "named">,
): AskedWatch {
  const block = Number(bundle.block.number);
  const now = new Set<string>();
  for (const [address, from] of watched) if (from <= block) now.add(address);
  for (const [address, at] of named) if (at < block) now.add(address);
  const created = new Map<string, CreatedContract>();
  for (const { contracts } of createdContracts(bundle, transactions, [webhook]))
    for (const contract of contracts) if (!now.has(contract.address)) created.set(contract.address, contract);
  const ever = new Set([...watched.keys(), ...named.keys(), ...created.keys()]);
  const contracts = [...created.values()];
  const isAny = webhook.options?.anyAddress ?? false;

  const txHashAt = (index: number) => bundle.block.transactions[index]?.hash.toLowerCase() ?? "";
  const firstBlock = (address: string) =>
    created.has(address) ? block : (named.get(address) ?? watched.get(address) ?? 0);
  return {
    isWatched: (address) => isAny || ever.has(address),
    matching(when, transactions, webhook) {
      const watching = [webhook];
      const watchedBy = new Map([...(when === "now" ? now : ever)].map((address) => [address, watching]));
      const matches = matchBlock(transactions, watchedBy, bundle, {
        anywhere: isAny ? watching : [],
        created: when === "now" && contracts.length > 0 ? [{ webhooks: watching, contracts }] : [],
      });
      return new Set(matches.map(({ transaction }) => transaction));
    },
    matchesAlone(transaction, address, webhook) {
      const watching = [webhook];
      const anywhere = isAny ? watching : [];
      return matchBlock([transaction], new Map([[address, watching]]), bundle, { anywhere }).length > 0;
    },
    watch: (when) => ({
      addresses: isAny ? undefined : when === "now" ? now : ever,
      created: when === "now" ? created : new Map(),
    }),
    since(address) {
      const { transactionIndex, logIndex } = created.get(address) ?? {};
      if (transactionIndex !== undefined && logIndex !== undefined)
        return { namedBy: { blockNumber: String(block), txHash: txHashAt(transactionIndex), logIndex } };
      const from = firstBlock(address);
      const isNamed = named.has(address) && from >= block;
      return {
        ...(from > block && { fromBlock: String(from) }),
        ...(isNamed && { namedBy: { blockNumber: String(from) } }),
      };
    },
    firstBlock,
  };
}

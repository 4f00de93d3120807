/**
 * An account that costs most, within the default quotas: webhooks that decode and compare large logs, and previews and explanations of
 * the blocks that have them, all the time.
 */
import { pad } from "viem";
import { emitterCode, largestAbi } from "../../support/emitter.ts";
import { openApi } from "../api.ts";
import type { Acts } from "./acts.ts";

/**
 * Contracts, and the code of each: the largest logs that are decoded, and some that are too large for that. Blocks have fewer than they can:
 * with more, the private node takes seconds for each block, which would hide what the service takes.
 */
const emitters = [
  { address: pad("0xe418", { size: 20 }), code: () => emitterCode({ numbers: 1_000, bool: 0 }, 20) },
  { address: pad("0xe419", { size: 20 }), code: () => emitterCode({ numbers: 10_000, bool: 2 }, 2) },
] as const;
/** Where the large logs come from that the account watches. */
export const emitterAddresses = emitters.map(({ address }) => address);
const addresses = emitterAddresses;
/** The same contracts where nobody watches them: a block with their logs costs the node and the service as much, without the account. */
const twins = emitters.map(({ code }, index) => ({ address: pad(`0xe51${index}`, { size: 20 }), code }));
export const twinAddresses = twins.map(({ address }) => address);
/** Previews and explanations in flight. More than two of an account wait. */
const questions = 4;

export type CostlyAccount = {
  url: string;
  key: string;
  chainId: string;
  /** Of the node itself. */
  rpcUrl: string;
  /** Some of its webhooks. */
  ids: readonly string[];
  dice: (below: number) => number;
  acts: Acts;
};

/** The metadata of the nth of its webhooks. Each tenth is notified of everything; the others decode it, and then a condition fails. */
export function costlyMetadata(n: number): object {
  const abi = largestAbi(`${"n".repeat(150)}${n}of`);
  const conditions = { field: "args.isLast", op: "eq", value: "true" };
  return { addresses, includeLogs: true, abi, ...(!isNotified(n) && { conditions }) };
}

/** Whether the nth is notified of what its contracts emit. */
export const isNotified = (n: number) => n % 10 === 0;

/** Puts its contracts on the chain. */
export async function deployEmitters(rpc: (method: string, params: unknown[]) => Promise<unknown>): Promise<void> {
  for (const { address, code } of [...emitters, ...twins]) await rpc("anvil_setCode", [address, code()]);
}

/** Starts to do it, until the acts end. */
export function startCostlyAccount({ url, key, chainId, rpcUrl, ids, dice, acts }: CostlyAccount): void {
  const { call } = openApi(key, () => [url]);
  const hashes: string[] = [];
  const someHash = () => hashes[Math.max(0, hashes.length - 1 - dice(4))] ?? `0x${"cd".repeat(32)}`;

  /** Notes the newest block's transaction with large logs. */
  async function look(): Promise<void> {
    const params = ["latest", true];
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_getBlockByNumber", params });
    const response = await fetch(rpcUrl, { method: "POST", headers: { "content-type": "application/json" }, body });
    const { result } = (await response.json()) as { result: { transactions: { hash: string; to: string | null }[] } };
    const found = result.transactions.find(({ to }) => addresses.some((one) => one === to?.toLowerCase()));
    if (found && !hashes.includes(found.hash)) hashes.push(found.hash);
  }

  acts.repeat({ "looks for large logs": look }, { everyMs: 500, atOnce: 1, dice });
  acts.repeat(
    {
      "previews the largest logs": () => {
        const metadata = { addresses, includeLogs: true, abi: largestAbi("preview") };
        return call("POST", "/v1/webhooks/preview", { chainId, metadata, txHash: someHash() });
      },
      "asks why": () => call("GET", `/v1/webhooks/${ids[dice(ids.length)]}/explain?txHash=${someHash()}`),
    },
    { everyMs: 50, atOnce: questions, dice },
  );
}

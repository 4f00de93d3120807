/** A block a second with transfers to watched addresses, large logs in some of them, and a reorganisation now and then. */
import { setTimeout as sleep } from "node:timers/promises";
import type { LocalChain } from "../chain/local-chain.ts";
import type { Course } from "./course.ts";

const transfersABlock = 8;
/** Each fourth block has large logs, for whoever watches them. */
const blocksBetweenLogs = 4;
/** The gas of a call that emits them: a block may have 30 M. */
const gas = "0x1a00000";
/** So many blocks come between two reorganisations, and at most as many again. */
const leastBetweenReorgs = 8;

export type Activity = {
  /** When each block could first be had, in ms since the epoch, by its hash. */
  minedAt: Map<string, number>;
  counts: { blocks: number; reorgs: number };
  /** Ends it. */
  stop(): Promise<void>;
};

/** Starts it. @param to.addresses that transfers go to @param to.emitters gives the contracts that emit large logs now, by turns */
export async function startActivity(
  chain: LocalChain,
  { addresses, emitters }: { addresses: readonly string[]; emitters: () => readonly string[] },
  course: Course,
): Promise<Activity> {
  const dice = course.diceFor("activity");
  const accounts = await chain.rpc<string[]>("eth_accounts");
  await chain.rpc("evm_setAutomine", [false]);
  const minedAt = new Map<string, number>();
  const counts = { blocks: 0, reorgs: 0 };
  const anyAddress = () => addresses[dice(addresses.length)] ?? "";
  let nextReorg = leastBetweenReorgs;
  let going = true;

  async function block(): Promise<void> {
    for (let sent = 0; sent < transfersABlock; sent += 1)
      await chain.rpc("eth_sendTransaction", [{ from: accounts[sent], to: anyAddress(), value: "0x1" }]);
    if (counts.blocks % blocksBetweenLogs === 0) {
      const now = emitters();
      const to = now[(counts.blocks / blocksBetweenLogs) % now.length];
      await chain.rpc("eth_sendTransaction", [{ from: accounts.at(-1), to, gas }]);
    }
    await chain.rpc("evm_mine");
    minedAt.set((await chain.head()).hash, Date.now());
    counts.blocks += 1;
  }

  async function reorg(): Promise<void> {
    const depth = 1 + dice(4);
    await chain.reorg(depth, [{ to: anyAddress(), at: 0 }]);
    const at = Date.now();
    const { number } = await chain.head();
    for (let below = 0; below < depth; below += 1) {
      const { hash } = await chain.rpc<{ hash: string }>("eth_getBlockByNumber", [
        `0x${(number - below).toString(16)}`,
        false,
      ]);
      minedAt.set(hash, at);
    }
    counts.reorgs += 1;
  }

  const running = (async () => {
    while (going) {
      const started = performance.now();
      await block();
      if (counts.blocks >= nextReorg) {
        await reorg();
        nextReorg = counts.blocks + leastBetweenReorgs + dice(leastBetweenReorgs);
      }
      await sleep(Math.max(0, 1_000 - (performance.now() - started)));
    }
  })();
  // Seen when it is stopped; until then nobody waits for it.
  running.catch(() => undefined);
  return {
    minedAt,
    counts,
    async stop() {
      going = false;
      await running;
    },
  };
}

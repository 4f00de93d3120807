/** A chain on which something happens all the time. */
import { setTimeout as sleep } from "node:timers/promises";
import type { LocalChain, Mined } from "./local-chain.ts";

export type Mining = {
  /** What was mined, with when it was, by `performance.now()`. Reorganisations may have removed some of it. */
  mined: (Mined & { to: string; at: number })[];
  /** Does something between two blocks, such as replacing the newest. */
  between<T>(work: () => Promise<T>): Promise<T>;
  /** Ends it after the block that is being mined. */
  stop(): Promise<void>;
};

/** Mines a block with a transfer to one of the addresses every few ms. @param options.pauseMs between two blocks, the least and the most */
export function keepMining(
  chain: LocalChain,
  options: { addresses: readonly string[]; random: (below: number) => number; pauseMs?: [number, number] },
): Mining {
  const { addresses, random, pauseMs: [least, most] = [10, 70] } = options;
  const mined: Mining["mined"] = [];
  let going = true;
  let turn: Promise<unknown> = Promise.resolve();

  function between<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  }

  const mining = (async () => {
    while (going) {
      const to = addresses[random(addresses.length)] ?? "";
      await between(async () => mined.push({ ...(await chain.transfer(to)), to, at: performance.now() }));
      await sleep(least + random(most - least));
    }
  })();
  return {
    mined,
    between,
    async stop() {
      going = false;
      await mining;
    },
  };
}

/** Lets a proxy to a node go wrong now and then: the same way in every run of the same seed, call for call. */
import type { RpcAnswer, RpcProxy } from "../support/rpc-proxy.ts";
import { seeded } from "../support/seeded.ts";
import { faults } from "./faults.ts";

/** What the node did wrong so far, by the name of the fault. */
export type Ledger = Map<string, number>;

/**
 * @param percent of its calls go wrong, as far as they can in the way that the dice choose
 * @returns the ledger
 */
export function makeFaulty(proxy: RpcProxy, { seed, percent }: { seed: number; percent: number }): Ledger {
  const dice = seeded(seed);
  const names = Object.keys(faults);
  const ledger: Ledger = new Map();
  const count = (name: string) => ledger.set(name, (ledger.get(name) ?? 0) + 1);
  /** The node's head at some time, which it goes back to. */
  let old: RpcAnswer | undefined;

  proxy.answer = async (call, forward) => {
    const wrong = dice(100) < percent;
    const name = names[dice(names.length)] ?? "";
    if (call.params[0] === "latest") {
      const now = await forward();
      if (wrong && old && dice(2) === 0) {
        count("oldHead");
        return old;
      }
      if (dice(10) === 0) old = now;
    }
    if (!wrong) return forward();
    if (dice(300) === 0) {
      count("hang");
      return new Promise(() => undefined);
    }
    const answer = await faults[name]?.(call, forward, dice);
    if (answer === undefined) return forward();
    count(name);
    return answer;
  };
  return ledger;
}

/** Breaks the connections on which heads are announced. @returns how many there were */
export function dropSockets({ sockets }: RpcProxy): number {
  const { size } = sockets;
  for (const socket of sockets) socket.destroy();
  return size;
}

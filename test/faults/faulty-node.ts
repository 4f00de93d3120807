/** Lets a proxy to a node go wrong now and then: the same way in every run of the same seed, call for call of a method. */
import type { RpcAnswer, RpcProxy } from "../support/rpc-proxy.ts";
import { seeded } from "../support/seeded.ts";
import { type Dice, faults } from "./faults.ts";

/** What the node did wrong so far, by the name of the fault. */
export type Ledger = Map<string, number>;

/** How many of the calls that go wrong hang; the first does when so many have gone wrong. A hang costs the time-out of its call. */
const oneHangsIn = 50;

/**
 * @param percent of its calls go wrong, as far as they can in the way that the dice choose
 * @returns the ledger
 */
export function makeFaulty(proxy: RpcProxy, { seed, percent }: { seed: number; percent: number }): Ledger {
  const ledger: Ledger = new Map();
  const count = (name: string) => ledger.set(name, (ledger.get(name) ?? 0) + 1);
  const callsOf = new Map<string, number>();
  let wrong = 0;
  /** The node's head at some time, which it goes back to. */
  let old: RpcAnswer | undefined;

  /** In whatever order calls of different methods come, the nth of one always fares the same. */
  function diceFor(method: string): Dice {
    const nth = (callsOf.get(method) ?? 0) + 1;
    callsOf.set(method, nth);
    return scattered(`${seed} ${method} ${nth}`);
  }

  proxy.answer = async (call, forward) => {
    const isHead = call.params[0] === "latest";
    const dice = diceFor(isHead ? "head" : call.method);
    const isWrong = dice(100) < percent;
    if (isHead) {
      const now = await forward();
      if (isWrong && old && dice(2) === 0) {
        count("oldHead");
        return old;
      }
      if (dice(10) === 0) old = now;
    }
    if (!isWrong) return forward();
    wrong += 1;
    if (wrong % oneHangsIn === 0 && !call.method.startsWith("debug_")) {
      count("hang");
      return new Promise(() => undefined);
    }
    const able = Object.entries(faults).filter(([, { asked }]) => asked.test(call.method));
    const [name, fault] = able[dice(able.length)] ?? [];
    const answer = await fault?.answer(call, forward, dice);
    if (name === undefined || answer === undefined) return forward();
    count(name);
    return answer;
  };
  return ledger;
}

function scattered(text: string): Dice {
  let hash = 2_166_136_261;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 16_777_619);
  const dice = seeded(hash);
  // The first numbers of seeds that are near one another are near one another.
  for (let time = 0; time < 3; time += 1) dice(2);
  return dice;
}

/** Breaks the connections on which heads are announced, and counts them. */
export function dropSockets({ sockets }: RpcProxy, ledger: Ledger | undefined): void {
  ledger?.set("socketDrop", (ledger.get("socketDrop") ?? 0) + sockets.size);
  for (const socket of sockets) socket.destroy();
}

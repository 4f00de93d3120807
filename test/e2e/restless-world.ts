/** A chain on which something happens all the time: it is reorganised at its head, and its two followers are killed one after the other. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { type ChainWorld, soon, startChainWorld } from "../chain/chain-world.ts";
import { seeded } from "../support/seeded.ts";
import { testChain } from "../support/service.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";

export type RestlessWorld = {
  world: ChainWorld;
  random: (below: number) => number;
  /** Two more blocks, and now and then a reorganisation or a kill. */
  round(round: number): Promise<void>;
  /** Ends the unrest, and waits until everything has been followed. */
  settle(): Promise<void>;
};

/**
 * It ends with the test.
 *
 * @param options.to who gets 1 or 2 wei
 * @param options.blocks how many there are at first
 * @param options.idle how many empty ones come before each of the first ones
 * @param options.patienceMs how long following may take
 * @param options.beside sends more in some blocks
 */
export async function startRestlessWorld(options: {
  seed: number;
  to: readonly string[];
  blocks: number;
  idle?: number;
  patienceMs?: number;
  beside?: (world: ChainWorld, from: string, random: (below: number) => number) => Promise<void>;
}): Promise<RestlessWorld> {
  const { to, beside, idle = 0, patienceMs = 300_000 } = options;
  const random = seeded(options.seed);
  const finality = { confirmations: 12 };
  const world = await startChainWorld({ chain: { finality } });
  const { chain } = world;
  const config = { ...testChain({ rpcUrl: world.proxy.url }), pollMs: 20, finality };
  const start = () =>
    startServiceProcess(world.databaseUrl, [config], { env: { ROLES: "follow", LEASE_SECONDS: "2" } });
  const processes: ServiceProcess[] = [];
  onTestFinished(async () => {
    for (const process of processes) process.signal("SIGKILL");
    await Promise.all(processes.map(({ ended }) => ended));
    await world.stop();
  });

  async function mineSome(blocks: number, apart = 0): Promise<void> {
    const [from = ""] = await chain.rpc<string[]>("eth_accounts");
    await chain.rpc("evm_setAutomine", [false]);
    for (let block = 0; block < blocks; block += 1) {
      if (apart > 0) await chain.rpc("anvil_mine", [`0x${apart.toString(16)}`]);
      for (let count = random(4); count > 0; count -= 1) {
        const value = `0x${(1 + random(2)).toString(16)}`;
        await chain.rpc("eth_sendTransaction", [{ from, to: to[random(to.length)], value }]);
      }
      if (random(5) === 0) await beside?.(world, from, random);
      await chain.rpc("evm_mine");
    }
  }

  await mineSome(options.blocks, idle);
  processes.push(await start(), await start());
  await soon(async () => expect(await world.cursor()).toBeDefined(), 60_000);
  return {
    world,
    random,
    async round(round) {
      await mineSome(2);
      if (round % 4 === 1) {
        await chain.rpc("evm_setAutomine", [true]);
        await chain.reorg(3 + random(4), [{ to: to[random(to.length)] ?? "", at: 0 }]);
      }
      if (round % 3 === 2) {
        processes.shift()?.signal("SIGKILL");
        processes.push(await start());
      }
      await sleep(100);
    },
    async settle() {
      await chain.rpc("evm_setAutomine", [true]);
      await chain.mine(20);
      await soon(() => world.followed(), patienceMs);
    },
  };
}

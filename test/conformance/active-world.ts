/** The service itself, on a chain where something happened: transactions with several logs, with a long input, and with neither. */
import type { Options } from "../../scripts/command/conformance/run.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";

/** It, and what conformance needs to examine it. */
export type ActiveWorld = {
  url: string;
  options: Required<Pick<Options, "apiKey" | "readKey" | "writeKey" | "otherKey" | "chainId" | "address" | "nodeUrl">>;
  world: World;
  close(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts it. */
export async function startActiveWorld(): Promise<ActiveWorld> {
  const world = await startWorld();
  const { pool } = world.service.database;
  const keyOf = async (account: string, ...scopes: ("read" | "write")[]) =>
    (await createKey(pool, { account, scopes })).key;
  const { wallet } = world;
  await wallet.send(wallet.address, 1n);
  // Its constructor grants three roles, each with a log.
  const token = await wallet.deploy("ERC20PresetMinterPauser", ["Token", "TKN"]);
  await wallet.call(token, "mint", [wallet.address, 5n]);
  const { blockNumber } = await wallet.send(wallet.address, 2n);
  await world.followed(blockNumber);
  return {
    url: world.service.url ?? "",
    options: {
      apiKey: await keyOf("conformance", "read", "write"),
      readKey: await keyOf("conformance", "read"),
      writeKey: await keyOf("conformance", "write"),
      otherKey: await keyOf("another", "read", "write"),
      chainId: testChainId,
      address: wallet.address,
      nodeUrl: world.node.rpcUrl,
    },
    world,
    close: async () => undefined,
    stop: () => world.stop(),
  };
}

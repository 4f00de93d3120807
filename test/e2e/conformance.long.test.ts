/** The service itself is held to the contract by the same command that others use, on a chain where something happens. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { run } from "../../scripts/command/commands/conformance.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { runHere } from "../support/command.ts";
import { startWorld, testChainId, type World } from "../support/service.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

test("the service passes conformance, with its callback, replays and notifications", async () => {
  const { pool } = world.service.database;
  const keyWith = async (scopes: ("read" | "write")[], account = "conformance") =>
    (await createKey(pool, { account, scopes })).key;
  for (const value of [1n, 2n, 3n]) await world.wallet.send(world.wallet.address, value);
  const { blockNumber } = await world.wallet.send(world.wallet.address, 4n);
  await world.followed(blockNumber);
  const { code, stdout } = await runHere(run, [
    world.service.url ?? "",
    "--key",
    await keyWith(["read", "write"]),
    "--read-key",
    await keyWith(["read"]),
    "--write-key",
    await keyWith(["write"]),
    "--other-key",
    await keyWith(["read", "write"], "another"),
    "--rpc-url",
    world.node.rpcUrl,
    "--chain-id",
    testChainId,
    "--address",
    world.wallet.address,
    ...["--cases", "60", "--seed", "1"],
  ]);
  expect(code, stdout).toBe(0);
  // With notifications on record nothing is left that a black box could provoke.
  expect(stdout).toMatch(/^getNotification +ok +ok/m);
  expect(stdout).toMatch(/^resendNotification +ok +ok/m);
  expect(stdout).toMatch(/^createReplay +ok +ok/m);
  const { rows } = await pool.query("SELECT 1 FROM webhooks");
  expect(rows).toEqual([]);
});

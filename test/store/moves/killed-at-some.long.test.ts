/** One account that moves there and back, each command killed a little later than the one before. `killed.long.test.ts` tries each statement. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openCells } from "./cells.ts";
import { MoveWorld } from "./move-world.ts";

let cells: Awaited<ReturnType<typeof openCells>>;
beforeAll(async () => {
  cells = await openCells();
});
afterAll(() => cells.close());

test("an account moves there and back, whenever the command is killed, while blocks come and leave", async () => {
  const world = await MoveWorld.start(cells.pools, "ratchet");
  await world.create({ includeInternalTxs: true });
  world.chain.mine(40);
  for (const side of [0, 1] as const) while (await world.step(side, "plain"));
  await world.create({ includeInternalTxs: false, back: 38 });
  for (const to of [1, 0] as const) {
    let runs = 0;
    for (let killedAfter = 3; (await world.move({ to, killedAfter })) !== "done"; killedAfter += 7) {
      runs += 1;
      world.reorganise(2);
      await world.step(runs % 2 === 0 ? 0 : 1, "plain");
      await world.step(runs % 2 === 0 ? 1 : 0, "plain-catch-up");
      await world.step(runs % 2 === 0 ? 0 : 1, "plain-history");
      world.chain.mine(1);
    }
    expect(runs).toBeGreaterThan(5);
    expect((await world.home())?.side).toBe(to);
  }
  await world.finish();
  await world.assertExact();
});

test("a second run of the command takes over from the first, which ends without changing anything", async () => {
  const world = await MoveWorld.start(cells.pools, "overtaken");
  let second: Promise<string> | undefined;
  const meanwhile = async () => {
    second ??= world.move({ to: 1 });
    await second;
  };
  await expect(world.move({ to: 1, meanwhile })).rejects.toMatchObject({ code: "move_overtaken" });
  expect(await second).toBe("done");
  await world.finish();
  await world.assertExact();
});

test("of commands that begin at the same time one moves the account, and the others say why they do not", async () => {
  const world = await MoveWorld.start(cells.pools, "same time");
  const runs = await Promise.allSettled([1, 2, 3, 4].map(() => world.move({ to: 1 })));
  for (const run of runs)
    if (run.status === "rejected") expect(run.reason).toMatchObject({ code: "move_overtaken" });
    else expect(["done", "refused"]).toContain(run.value);
  expect(await world.move({ to: 1 })).toBe("done");
  await world.finish();
  await world.assertExact();
});

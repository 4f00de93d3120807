/**
 * The hostile account, the hostile client and the costly account, in a process of their own, so that the run's own clock is not theirs to
 * disturb. Its argument says whom to attack, its standard input when. It prints what it did when it is ended.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { address } from "../../support/api.ts";
import { seeded } from "../../support/seeded.ts";
import { startHostileAccount } from "./account.ts";
import { createActs } from "./acts.ts";
import { startHostileClient } from "./client.ts";
import { type CostlyAccount, startCostlyAccount } from "./costly.ts";

/** Whom to attack, and with what. */
export type HostileOrder = {
  url: string;
  key: string;
  chainId: string;
  watched: number;
  seed: number;
  costly: Pick<CostlyAccount, "key" | "rpcUrl" | "ids">;
};

/** A line of standard input: the hostile ones come, and what the costly account does, which rests at first. */
export type HostileCommand = "hostile" | "ask" | "rest";

const order = JSON.parse(process.argv[2] ?? "{}") as HostileOrder;
const [acts, costlyActs] = [createActs(), createActs()];

const commands: Record<HostileCommand, () => void> = {
  hostile() {
    const dice = seeded(order.seed * 31 + 7);
    const silent = createServer((request) => void request.resume());
    silent.listen(0, "127.0.0.1", () => {
      const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
      const watched = Array.from({ length: order.watched }, (_, index) => address(1_000 + index));
      startHostileAccount({ ...order, silentUrl, watched, dice, acts });
      startHostileClient(order.url, dice, acts);
    });
  },
  ask: () => costlyActs.pause(false),
  rest: () => costlyActs.pause(true),
};
commands.rest();
startCostlyAccount({ ...order, ...order.costly, dice: seeded(order.seed * 31 + 8), acts: costlyActs });
createInterface({ input: process.stdin }).on("line", (line) => commands[line as HostileCommand]());

process.once("SIGTERM", () => {
  for (const each of [acts, costlyActs]) each.end();
  const counts = Object.fromEntries([...acts.counts, ...costlyActs.counts].sort());
  process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit(0));
});

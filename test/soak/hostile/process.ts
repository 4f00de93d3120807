/**
 * The hostile account, the hostile client and the costly account, in a process of their own, so that the run's own clock is not theirs to
 * disturb. It begins with the order in its argument and prints what it did when it is ended.
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
};

/** The costly account begins when it is named on standard input. */
export type CostlyOrder = Pick<CostlyAccount, "key" | "rpcUrl" | "ids">;

const order = JSON.parse(process.argv[2] ?? "{}") as HostileOrder;
const dice = seeded(order.seed * 31 + 7);
const acts = createActs();
const silent = createServer((request) => void request.resume());
silent.listen(0, "127.0.0.1", () => {
  const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  const watched = Array.from({ length: order.watched }, (_, index) => address(1_000 + index));
  startHostileAccount({ ...order, silentUrl, watched, dice, acts });
  startHostileClient(order.url, dice, acts);
});

createInterface({ input: process.stdin }).once("line", (line) => {
  const costly = JSON.parse(line) as CostlyOrder;
  startCostlyAccount({ ...order, ...costly, dice: seeded(order.seed * 31 + 8), acts });
});

process.once("SIGTERM", () => {
  acts.end();
  process.stdout.write(`${JSON.stringify(Object.fromEntries([...acts.counts].sort()))}\n`, () => process.exit(0));
});

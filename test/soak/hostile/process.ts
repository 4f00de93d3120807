/**
 * The hostile account and the hostile client, in a process of their own, so that the run's own clock is not theirs to disturb. It begins
 * with the order in its argument and prints what it did when it is ended.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { address } from "../../support/api.ts";
import { seeded } from "../../support/seeded.ts";
import { startHostileAccount } from "./account.ts";
import { createActs } from "./acts.ts";
import { startHostileClient } from "./client.ts";

/** Whom to attack, and with what. */
export type HostileOrder = { url: string; key: string; chainId: string; watched: number; seed: number };

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

process.once("SIGTERM", () => {
  acts.end();
  process.stdout.write(`${JSON.stringify(Object.fromEntries([...acts.counts].sort()))}\n`, () => process.exit(0));
});

import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Precedence } from "../../server/base/pause.ts";

/** Work that the test ends. */
function heldWork() {
  let end = () => {};
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => held, end: () => end() };
}

/** Whether a promise has settled soon. */
const isSettled = (promise: Promise<unknown>) => Promise.race([promise.then(() => true), sleep(20).then(() => false)]);

test("other work waits until all work that goes first is done", async () => {
  const precedence = new Precedence(300_000);
  await precedence.free();
  const [one, two] = [heldWork(), heldWork()];
  const done = [precedence.first(one.work), precedence.first(two.work)];
  const free = precedence.free();
  expect(await isSettled(free)).toBe(false);
  one.end();
  await done[0];
  expect(await isSettled(free)).toBe(false);
  two.end();
  await free;
  await precedence.free();
});

test("work that fails stops nobody", async () => {
  const precedence = new Precedence(300_000);
  const failing = precedence.first(() => Promise.reject(new Error("no node")));
  const free = precedence.free();
  await expect(failing).rejects.toThrow("no node");
  await free;
});

test("work that hangs, such as a node that never responds, holds others up for a while only", async () => {
  const precedence = new Precedence(5);
  void precedence.first(() => new Promise(() => {}));
  await precedence.free();
  await precedence.free();
});

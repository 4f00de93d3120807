/** Answers without end, in trickles, compressed a thousandfold or all header: hundreds at once take no more memory than few. */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { runChild } from "../../support/child.ts";
import { eventually } from "../../support/eventually.ts";
import { type Outbox, openOutbox } from "../../support/outbox.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function heldBytes(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Sends to so many webhooks of each kind. @returns by how much memory grew at most */
async function growth(outbox: Outbox, url: string, webhooksOfAKind: number): Promise<number> {
  const kinds = ["endless", "trickle", "bomb", "headers"].flatMap((kind) => Array(webhooksOfAKind).fill(kind));
  const webhooks = await Promise.all(kinds.map((kind) => outbox.addWebhook(`${url}/${kind}`)));
  const before = heldBytes();
  let most = 0;
  await outbox.append(webhooks, 5);
  // Each look collects garbage, which takes 50 ms of processor.
  await eventually(async () => {
    most = Math.max(most, heldBytes());
    expect(await outbox.unattempted()).toBe(0);
  });
  return most - before;
}

test("the sender's memory does not grow with what endpoints answer", async () => {
  const { result: url, kill } = await runChild<string>(`await import("./test/support/hostile-receiver.ts");`);
  const outbox = await openOutbox();
  outbox.deliver({ timeoutMs: 400 });
  try {
    await growth(outbox, url, 2);
    // 200 webhooks: of bombs alone 12 GB, were they unpacked.
    expect(await growth(outbox, url, 50)).toBeLessThan(48_000_000);
  } finally {
    await kill();
    await outbox.close();
  }
});

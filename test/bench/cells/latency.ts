/** How long one notification takes from its block, in two clusters that take turns. */
import { setTimeout as sleep } from "node:timers/promises";
import { startReceiver } from "../../support/receiver.ts";
import type { Cluster } from "./cluster.ts";

const address = `0x${"c".padStart(40, "0")}`;

/** @returns from asking the node for the block until its notification arrived, in ms */
export async function latencies(stream: Cluster, nodes: Cluster, samples: number) {
  const receiver = await startReceiver();
  for (const [name, cluster] of [
    ["stream", stream],
    ["nodes", nodes],
  ] as const)
    await cluster.cells[0]?.watch(address, `${receiver.url}/${name}`, 1);
  let arrived = 0;
  const measure = async (cluster: Cluster) => {
    const { askedAt } = await cluster.mine(1, address);
    arrived += 1;
    const [delivered] = (await receiver.waitFor(arrived)).slice(-1);
    // Blocks of chains do not come at once after a delivery.
    await sleep(100 + Math.random() * 50);
    return (delivered?.receivedAt ?? Number.NaN) - askedAt;
  };
  const [through, without]: [number[], number[]] = [[], []];
  for (let sample = 0; sample < samples; sample += 1) {
    through.push(await measure(stream));
    without.push(await measure(nodes));
  }
  await receiver.close();
  return { through, without };
}

/** What the tests here have in common: an outbox, a receiver that keeps a ledger, and senders that are processes of their own. */

import { onTestFinished } from "vitest";
import type { TestDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { duplicatesIn, expectNothingLost, type Ledger, readLedger } from "../../support/ledger.ts";
import { type Outbox, type OutboxWebhook, openOutbox } from "../../support/outbox.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { testChain } from "../../support/service.ts";
import { type ServiceProcess, startServiceProcess } from "../../support/service-process.ts";

export type Scene = {
  outbox: Outbox;
  receiver: Receiver;
  webhooks: OutboxWebhook[];
  /** Starts a process that only delivers, with leases of 2 s. @param options.databaseUrl to reach the database another way */
  startSender(options?: {
    databaseUrl?: string;
    env?: Record<string, string>;
    preload?: string;
  }): Promise<ServiceProcess>;
  ledger(): Promise<Ledger>;
  /** Waits until everything recorded is on record as delivered. @returns the ledger, in which nothing is lost */
  allDelivered(): Promise<Ledger>;
};

/** Everything in it is gone when the test ends. @param database one of the test's own; by default one on the shared server */
export async function openScene(webhookCount: number, database?: TestDatabase): Promise<Scene> {
  const [outbox, receiver] = await Promise.all([openOutbox(database), startReceiver()]);
  const processes: ServiceProcess[] = [];
  onTestFinished(async () => {
    for (const sender of processes) sender.signal("SIGKILL");
    await Promise.all(processes.map(({ ended }) => ended));
    await receiver.close();
    await outbox.close();
  });
  const addWebhook = (_: unknown, index: number) => outbox.addWebhook(`${receiver.url}/${index}`);
  const scene: Scene = {
    outbox,
    receiver,
    webhooks: await Promise.all(Array.from({ length: webhookCount }, addWebhook)),
    async startSender({ databaseUrl = outbox.databaseUrl, env, preload } = {}) {
      const nobody = testChain({ rpcUrl: "http://127.0.0.1:9" });
      const options = { env: { ROLES: "deliver", ...env }, ...(preload && { preload }) };
      const sender = await startServiceProcess(databaseUrl, [nobody], options);
      processes.push(sender);
      await sender.started;
      return sender;
    },
    ledger: () => readLedger(outbox.pool, receiver),
    async allDelivered() {
      return eventually(async () => {
        const ledger = await scene.ledger();
        expectNothingLost(ledger);
        if (ledger.delivered.size < ledger.recorded.size)
          throw new Error(`${ledger.delivered.size} of ${ledger.recorded.size} are delivered`);
        return ledger;
      });
    },
  };
  return scene;
}

/** Appends a notification to each of the webhooks again and again. @returns what ends it and gives all that was confirmed */
export function keepAppending({ outbox, webhooks }: Scene, everyMs = 20): () => Promise<Set<string>> {
  const confirmed = new Set<string>();
  let going = true;
  const appending = (async () => {
    while (going) {
      // The database may be away; what it did not confirm may nevertheless be there.
      const ids = await outbox.append(webhooks).catch(() => []);
      for (const id of ids) confirmed.add(id);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  })();
  return async () => {
    going = false;
    await appending;
    return confirmed;
  };
}

/** How many arrivals are beyond the attempts on record. */
export function countDuplicates(ledger: Ledger): number {
  return [...duplicatesIn(ledger).values()].reduce((sum, more) => sum + more, 0);
}

/** What the blocks of a step add to what is watched in its later blocks. What was watched before the step is looked up once for all of them. */
import type { CreatedIn } from "../../store/webhooks/created-addresses.ts";
import type { Watcher, WatchersBeyond } from "../../store/webhooks/watchers.ts";
import type { ReadBlock } from "../read/block.ts";

export type StepWatch = {
  /** Adds to a block's watchers those of contracts that were created in earlier blocks of the step. */
  at(block: ReadBlock, watchedBy: Map<string, Watcher[]>): Map<string, Watcher[]>;
  /** @param stopped webhooks that became inactive, and match in no later block */
  add(created: CreatedIn, beyond: WatchersBeyond, stopped: ReadonlySet<string>): void;
  isStopped(webhookId: string): boolean;
};

export function createStepWatch(): StepWatch {
  const watchersOf = new Map<string, readonly Watcher[]>();
  const allStopped = new Set<string>();
  return {
    at({ participants }, watchedBy) {
      for (const address of watchersOf.size > 0 ? participants : []) {
        const known = watchersOf.get(address);
        if (!known) continue;
        const watchers = new Map([...(watchedBy.get(address) ?? []), ...known].map((watcher) => [watcher.id, watcher]));
        watchedBy.set(address, [...watchers.values()]);
      }
      return watchedBy;
    },
    add(created, { factories }, stopped) {
      for (const id of stopped) allStopped.add(id);
      const active = new Map(factories.filter(({ isActive }) => isActive).map((watcher) => [watcher.id, watcher]));
      for (const { webhookIds, addresses } of created) {
        const watchers = webhookIds.flatMap((id) => active.get(id) ?? []);
        for (const address of watchers.length > 0 ? addresses : []) {
          const known = watchersOf.get(address);
          // Thousands of contracts of one factory share their thousands of watchers.
          watchersOf.set(address, known ? [...known, ...watchers] : watchers);
        }
      }
    },
    isStopped: (webhookId) => allStopped.has(webhookId),
  };
}

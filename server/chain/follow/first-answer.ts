/**
 * Asks the nodes of a chain one after the other, for somebody who waits: the next is asked when one failed, and also when one has not
 * answered for a while. The first answer counts.
 */
import type { Node } from "../nodes/node.ts";

/** An answer, and whether it is certain. A node that lags does not know what others do, so they are asked, too. */
export type NodeAnswer<T> = { answer: T; isCertain: boolean };

/**
 * @param nodes the preferred one first
 * @param options.staggerMs how long a node has before the next one is asked, too
 * @param options.deadlineMs when to give up
 * @param options.onSlow called with each node that failed, or had not answered by then, and with the error
 * @returns the first certain answer, else any other; undefined if no node answered in time
 */
export function firstAnswer<T>(
  nodes: readonly Node[],
  askNode: (node: Node) => Promise<NodeAnswer<T>>,
  {
    staggerMs,
    deadlineMs,
    onSlow,
  }: { staggerMs: number; deadlineMs: number; onSlow: (node: Node, error: unknown) => void },
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const waiting = [...nodes];
    const timers = new Set<NodeJS.Timeout>();
    let unanswered = nodes.length;
    let uncertain: T | undefined;
    let isOver = false;

    function end(answer: T | undefined): void {
      isOver = true;
      for (const timer of timers) clearTimeout(timer);
      resolve(answer);
    }

    function after(ms: number, act: () => void): () => void {
      const timer = setTimeout(act, ms);
      timers.add(timer);
      return () => clearTimeout(timer);
    }

    function askNext(): void {
      const node = waiting.shift();
      if (!node || isOver) return;
      const notLate = after(staggerMs, () => {
        onSlow(node, new Error("it did not answer in time"));
        askNext();
      });
      askNode(node)
        .then(
          ({ answer, isCertain }) => {
            if (isCertain) return end(answer);
            uncertain ??= answer;
          },
          (error: unknown) => onSlow(node, error),
        )
        .finally(() => {
          notLate();
          unanswered -= 1;
          if (isOver) return;
          if (unanswered === 0) end(uncertain);
          else askNext();
        });
    }

    after(deadlineMs, () => end(uncertain));
    if (unanswered === 0) end(undefined);
    askNext();
  });
}

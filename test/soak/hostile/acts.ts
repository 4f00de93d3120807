/** What hostile ones do, again and again, at a bounded rate and so much at the same time, counted by name. */

export type Acts = {
  /** Whether they still go on. */
  going(): boolean;
  once(name: string, act: () => Promise<unknown>): void;
  /** Does one of `acts` every so often, unless `atOnce` of these are in flight. */
  repeat(
    acts: Readonly<Record<string, () => Promise<unknown>>>,
    pace: { everyMs: number; atOnce: number; dice: (below: number) => number },
  ): void;
  counts: Map<string, number>;
  /** Does nothing more for a while. */
  pause(isPaused: boolean): void;
  end(): void;
};

export function createActs(): Acts {
  const counts = new Map<string, number>();
  const timers: NodeJS.Timeout[] = [];
  let going = true;
  let resting = false;

  /** What goes wrong is the service's defence, or its end, which the run notices. */
  async function once(name: string, act: () => Promise<unknown>): Promise<void> {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    await act().catch(() => undefined);
  }

  return {
    going: () => going,
    once: (name, act) => void once(name, act),
    repeat(acts, { everyMs, atOnce, dice }) {
      const names = Object.keys(acts);
      let inFlight = 0;
      const timer = setInterval(() => {
        const name = names[dice(names.length)] ?? "";
        const act = acts[name];
        if (!act || resting || inFlight >= atOnce) return;
        inFlight += 1;
        void once(name, act).finally(() => {
          inFlight -= 1;
        });
      }, everyMs);
      timers.push(timer);
    },
    counts,
    pause(isPaused) {
      resting = isPaused;
    },
    end() {
      going = false;
      for (const timer of timers) clearInterval(timer);
    },
  };
}

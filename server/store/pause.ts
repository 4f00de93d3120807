/** Waits that end early: at a wake-up, or when what is waited for is done. */

/** A wait that a wake-up ends. One just before it counts too, so that none is missed. */
export type Pause = {
  /** Settles after so many ms, or at the next wake-up, or at once if one came since the last wait. */
  wait(ms: number): Promise<void>;
  wake(): void;
};

export function createPause(): Pause {
  let woken = false;
  let end = () => {};
  return {
    async wait(ms) {
      if (!woken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          end = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      woken = false;
    },
    wake() {
      woken = true;
      end();
    },
  };
}

/** Settles as `work` does, but after so many ms at the latest; what becomes of it then is of no interest. */
export async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const impatience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, impatience]).finally(() => clearTimeout(timer));
}

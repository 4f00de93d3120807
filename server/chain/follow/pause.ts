/** A pause between steps that can be cut short. */

export type Pause = {
  (ms: number): Promise<void>;
  /** Ends the pause, or the next one if there is none now. */
  wake(): void;
};

/** @param signal ends pauses for good */
export function createPause(signal: AbortSignal): Pause {
  let woken = false;
  let end = () => {};
  signal.addEventListener("abort", () => end(), { once: true });
  const pause = async (ms: number) => {
    if (!woken && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    woken = false;
  };
  const wake = () => {
    woken = true;
    end();
  };
  return Object.assign(pause, { wake });
}

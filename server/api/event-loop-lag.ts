/** How late the event loop is, which is how long whatever comes next has to wait. */

const sampleMs = 100;
/** Sampling ends so long after somebody asked last: nothing else would wake an idle process ten times a second. */
const interestMs = 10_000;

/** @returns what returns how late it was of late, in ms; 0 for who is the first to ask for a while */
export function watchLag(): () => number {
  let lag = 0;
  let expectedAt = 0;
  let askedAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function sample(): void {
    const now = performance.now();
    lag = Math.max(now - expectedAt, lag / 2);
    expectedAt = now + sampleMs;
    if (now - askedAt < interestMs) return;
    clearInterval(timer);
    timer = undefined;
    lag = 0;
  }

  return () => {
    askedAt = performance.now();
    if (timer === undefined) {
      expectedAt = askedAt + sampleMs;
      timer = setInterval(sample, sampleMs).unref();
    }
    return lag;
  };
}

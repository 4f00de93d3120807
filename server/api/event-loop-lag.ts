/** How late the event loop is, which is how long whatever comes next has to wait. */

const sampleMs = 100;

/** @returns what tells how late it was of late, in ms */
export function watchLag(): () => number {
  let lag = 0;
  let expectedAt = performance.now() + sampleMs;
  const timer = setInterval(() => {
    const now = performance.now();
    lag = Math.max(now - expectedAt, lag / 2);
    expectedAt = now + sampleMs;
  }, sampleMs);
  timer.unref();
  return () => lag;
}

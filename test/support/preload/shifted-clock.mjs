/**
 * Sets this process's wall clock off by CLOCK_OFF_MS, as on a machine whose clock is wrong: `Date` is all that a Node program
 * knows of it. The monotonic clock, `performance.now()`, and the timers stay as they are, which a wrong clock does not touch either.
 */
const offMs = Number(process.env.CLOCK_OFF_MS);
const Right = Date;

globalThis.Date = class extends Right {
  constructor(...given) {
    if (given.length === 0) super(Right.now() + offMs);
    else super(...given);
  }
  static now() {
    return Right.now() + offMs;
  }
};

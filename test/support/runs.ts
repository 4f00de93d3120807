/** How much of a search `npm test` makes. `npm run test:all` runs each file that imports this a second time, and makes the whole of it. */

/** @param quick at least as many as show that the test works @param whole as many as once found something */
export function runs(quick: number, whole: number): number {
  return process.env.TEST_WHOLE ? whole : quick;
}

/** How much of a search `npm test` makes. `npm run test:all` runs each file that imports this a second time, and makes the whole of it. */

/** @param quick at least as many as show that the test works @param whole as many as once found something */
export function runs(quick: number, whole: number): number {
  return process.env.TEST_WHOLE ? whole : quick;
}

/** Whether a recorded block is searched: `npm test` leaves out the one whose 6 MB cost as much as all others. */
export function isSearched({ name }: { name: string }): boolean {
  return Boolean(process.env.TEST_WHOLE) || name !== "mainnet/15537394";
}

let isAlwaysTheSame = false;

/** From now on searches begin with one seed. `npm test` calls it before each file, so that what nobody changed is never red by chance. */
export function searchTheSame(): void {
  isAlwaysTheSame = true;
}

/** The seed of a search, unless a variable sets it. */
export function searchSeed(): number {
  return isAlwaysTheSame ? 1 : Math.floor(Math.random() * 1_000_000);
}

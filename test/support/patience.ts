/**
 * How long tests wait for what must come. They also run on machines that do much else, so it is minutes; a test that passes never waits
 * longer than it must. `expect.poll` has it from `vitest.config.ts`, whose time limit of a test is longer.
 */
export const patienceMs = 180_000;

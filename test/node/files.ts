/** The files that depend on the version of Node, by how their paths begin. */
export const ofNode = [
  "test/api/documents",
  "test/api/hostile/b",
  "test/api/hostile/f",
  "test/api/hostile/r",
  "test/api/limits",
  "test/api/listening",
  "test/api/unavailable",
  "test/chain/follow/heads",
  "test/chain/nodes",
  "test/chain/read/f",
  "test/chain/read/r",
  "test/client",
  "test/contract/enforcement",
  "test/delivery/deliver",
  "test/delivery/dialer",
  "test/delivery/nothing-lost/09",
  "test/delivery/s",
  "test/e2e/activity",
  "test/e2e/metrics",
  "test/e2e/roles",
  "test/e2e/tracing",
  "test/embedded-postgres",
  "test/scripts/commands",
  "test/scripts/l",
  "test/scripts/mock.command",
  "test/server",
  "test/store/keyring",
  "test/store/open",
  "test/store/pool",
  "test/targets",
];

export const ofPackage = ["test/package/command", "test/package/entries"];

/** Vitest's patterns of them. */
export const patternsOf = (beginnings: readonly string[]) =>
  beginnings.flatMap((path) => [`${path}*.test.ts`, `${path}*/**/*.test.ts`]);

/** Many more of the random runs of test/chain/follow/lanes.property.test.ts: `LANES_RUNS` of them, 100 unless given. */
process.env.LANES_RUNS ??= "100";
await import("../chain/follow/lanes.property.test.ts");

export {};

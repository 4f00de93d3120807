/** What the profiles say, and that a chain's configuration has the last word. */
import { expect, test } from "vitest";
import { checkNames, checksOf, profileOf, profiles } from "../../../server/settings/chain-profiles.ts";

test.each(profiles)("the profile of $name decides on every check, and parentHash is always on", ({ checks }) => {
  expect(Object.keys(checks).sort()).toEqual([...checkNames].sort());
  expect(checks.parentHash).toBe("on");
});

test("no chain has two profiles", () => {
  const chainIds = profiles.flatMap((profile) => profile.chainIds);
  expect(new Set(chainIds).size).toBe(chainIds.length);
});

test.each([
  ["43114", "Avalanche C-Chain", "latest", []],
  ["43113", "Avalanche C-Chain", "latest", []],
  ["1", "Ethereum", "finalized", []],
  ["11155111", "Ethereum", "finalized", []],
  ["56", "BNB Smart Chain", "finalized", ["traceGas"]],
  ["137", "Polygon PoS", "finalized", []],
  ["42161", "Arbitrum", "finalized", ["traceGas"]],
  ["10", "OP stack", "finalized", ["traceGas"]],
  ["8453", "OP stack", "finalized", ["traceGas"]],
  ["59144", "Linea", "finalized", ["traceGas"]],
  ["324", "ZK stack", "finalized", ["receiptsRoot", "traces", "traceGas"]],
  ["534352", "Scroll", "finalized", ["traceGas"]],
  ["100", "Gnosis", "finalized", []],
  ["42220", "Celo", "finalized", ["traceGas"]],
  ["25", "Cronos", "latest", ["transactionsRoot", "receiptsRoot", "headerHash", "traceGas"]],
  ["5", "unknown", "finalized", ["traceGas"]],
])("chain %s has the profile of %s, final %s, with %j off", (chainId, name, finality, off) => {
  const profile = profileOf(chainId);
  expect(profile).toMatchObject({ name, finality });
  expect(checkNames.filter((check) => profile.checks[check] === "off")).toEqual(off);
});

test("the configuration turns checks on and off, and leaves the others as the profile has them", () => {
  const checks = checksOf({ chainId: "137", checks: { traces: "on", bloom: "off" } });
  expect(checks).toEqual({ ...profileOf("137").checks, traces: "on", bloom: "off" });
});

/** A configuration of chains is taken as it is meant, or refused in a sentence that names the place. */
import { expect, test } from "vitest";
import { defaultChains, parseChains } from "../../server/settings/chains.ts";

const smallest = { chainId: "1", rpcUrls: ["https://node.example"] };
const parse = (...chains: unknown[]) => parseChains(JSON.stringify(chains), "CHAINS");

function refusal(text: string): string {
  try {
    parseChains(text, "CHAINS");
  } catch (error) {
    expect(error).toMatchObject({ code: "config_invalid" });
    return (error as Error).message;
  }
  throw new Error(`${text} was taken`);
}

test("an omitted field has its default", () => {
  expect(parse(smallest)).toEqual([
    {
      chainId: "1",
      name: "Chain 1",
      rpcUrls: ["https://node.example"],
      traces: false,
      finality: "finalized",
      pollMs: 1_000,
    },
  ]);
});

test.each([
  ["43114", "latest"],
  ["43113", "latest"],
  ["8453", "finalized"],
  ["5", "finalized"],
])("finality of chain %s is %s where it is left out", (chainId, finality) => {
  expect(parse({ ...smallest, chainId })[0]?.finality).toBe(finality);
});

test("a chain cannot be followed without its parent hashes", () => {
  expect(parse({ ...smallest, checks: { parentHash: "on" } })[0]?.checks).toEqual({ parentHash: "on" });
  expect(refusal(JSON.stringify([{ ...smallest, checks: { parentHash: "off" } }]))).toBe(
    'CHAINS[0].checks.parentHash cannot be "off", since a chain is followed by it.',
  );
});

test("a node that is there twice is refused, since it would agree with itself", () => {
  const rpcUrls = ["https://node.example", "https://other.example", "https://NODE.example/"];
  expect(refusal(JSON.stringify([{ ...smallest, rpcUrls }]))).toBe(
    "CHAINS[0].rpcUrls must have each URL once: a node that is there twice would agree with itself.",
  );
});

test("configured values are kept", () => {
  const whole = {
    chainId: "43114",
    name: "C-Chain",
    rpcUrls: ["https://one.example/key", "http://two.example"],
    wsUrl: "wss://one.example/key",
    traces: true,
    finality: { confirmations: 12 },
    pollMs: 10,
    patienceMs: 5_000,
    startBlock: 0,
    checks: { bloom: "off", receipts: "on" },
  };
  expect(parse(whole, smallest)[0]).toEqual(whole);
});

test("the default chains are a valid configuration", () => {
  expect(parse(...defaultChains)).toEqual(defaultChains);
});

test.each([
  ["null", "CHAINS must be a JSON list of at least one chain."],
  ["{}", "CHAINS must be a JSON list of at least one chain."],
  ["[]", "CHAINS must be a JSON list of at least one chain."],
  ['"x"', "CHAINS must be a JSON list of at least one chain."],
  ["[null]", "CHAINS[0] must be an object."],
  ["[[]]", "CHAINS[0] must be an object."],
])("%s is refused", (text, message) => {
  expect(refusal(text)).toBe(message);
});

test.each<readonly [string, unknown, string]>([
  ["chainId", undefined, 'CHAINS[1].chainId must be a decimal string such as "43114".'],
  ...[1, "", "0", "01", "0x1", "1.5", "-1", "12345678901234567890"].map(
    (id) => ["chainId", id, 'CHAINS[1].chainId must be a decimal string such as "43114".'] as const,
  ),
  ...["", "  ", 7, null].map((name) => ["name", name, "CHAINS[1].name must be a text that is not empty."] as const),
  ...[undefined, [], "https://node.example", ["https://ok.example", "ftp://node.example"], [""], [null]].map(
    (urls) => ["rpcUrls", urls, "CHAINS[1].rpcUrls must be a list of at least one http or https URL."] as const,
  ),
  ...["https://node.example", "", 7].map((url) => ["wsUrl", url, "CHAINS[1].wsUrl must be a ws or wss URL."] as const),
  ...["true", 1, null].map((traces) => ["traces", traces, "CHAINS[1].traces must be true or false."] as const),
  ...[
    "safe",
    12,
    null,
    {},
    { confirmations: 0 },
    { confirmations: 10_001 },
    { confirmations: "3" },
    { confirmations: 3, tag: "safe" },
  ].map(
    (finality) =>
      [
        "finality",
        finality,
        'CHAINS[1].finality must be "latest", "finalized" or {"confirmations": n} with n from 1 to 10000.',
      ] as const,
  ),
  ...[0, 9, 600_001, 20.5, "1000", null].map(
    (pollMs) => ["pollMs", pollMs, "CHAINS[1].pollMs must be a number of milliseconds from 10 to 600000."] as const,
  ),
  ...[-1, 1.5, "7", null, 2 ** 53].map(
    (block) => ["startBlock", block, "CHAINS[1].startBlock must be a block number."] as const,
  ),
  ...[[], "off", null, { receipts: true }, { root: "on" }].map(
    (checks) =>
      [
        "checks",
        checks,
        'CHAINS[1].checks must be an object with "on" or "off" for parentHash, receipts, logIndex, bloom, transactionsRoot, receiptsRoot, headerHash, traces, traceGas.',
      ] as const,
  ),
])("%s = %j is refused", (field, value, message) => {
  expect(refusal(JSON.stringify([smallest, { ...smallest, chainId: "2", [field]: value }]))).toBe(message);
});

test("an unknown field is refused by its name", () => {
  expect(refusal(JSON.stringify([{ ...smallest, rpcUrl: "https://node.example" }]))).toBe(
    "CHAINS[0].rpcUrl is not a known field; those are chainId, name, rpcUrls, wsUrl, traces, finality, pollMs, patienceMs, startBlock, checks.",
  );
});

test("a repeated chain is refused", () => {
  expect(refusal(JSON.stringify([smallest, smallest]))).toBe(
    "CHAINS must name each chain once, but chainId 1 is there twice.",
  );
});

test.each([
  '[{"chainId": "1", "rpcUrls": ["https://node.example/0123456789abcdef"]',
  '[{"rpcUrls": ["https://node.example/0123456789abcdef" x]}]',
  "https://node.example/0123456789abcdef",
  "",
])("what is not JSON is refused without a word of it: %s", (text) => {
  expect(refusal(text)).toMatch(/^CHAINS must be JSON, and is not( at position \d+)?\.$/);
});

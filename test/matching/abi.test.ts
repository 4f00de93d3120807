/** Logs decoded by events in JSON ABI form, encoded here by viem. */
import { encodeAbiParameters, encodeEventTopics, parseAbi, parseAbiParameters } from "viem";
import { expect, test } from "vitest";
import type { AbiEvent } from "../../server/matching/abi/fragment.ts";
import { compileAbi, decodeLog, newAllowance } from "../../server/matching/abi.ts";
import type { Hex, WireLog } from "../../server/matching/wire.ts";

const address = "0xabcdef0123456789abcdef0123456789abcdef01";

function log(topics: readonly unknown[], data: Hex = "0x"): WireLog {
  return { address, topics: topics as Hex[], data, logIndex: "0x0" };
}

/** A fragment as a compiler writes it, from a readable one. */
function fragment(text: string): AbiEvent {
  return JSON.parse(JSON.stringify(parseAbi([text] as readonly string[])[0])) as AbiEvent;
}

const decode = (event: AbiEvent, { topics, data }: WireLog) =>
  decodeLog(compileAbi([event]), log(topics, data)).decoded;

const erc20 = fragment("event Transfer(address indexed from, address indexed to, uint256 value)");
const erc721 = fragment("event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)");
const transferAbi = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]);
const transferTopics = encodeEventTopics({ abi: transferAbi, args: { from: address, to: address } });

test("names and values of an ERC-20 transfer", () => {
  const data = encodeAbiParameters(parseAbiParameters("uint256"), [2n ** 256n - 1n]);
  expect(decode(erc20, log(transferTopics, data))).toEqual({
    name: "Transfer",
    signature: "Transfer(address,address,uint256)",
    args: { from: address, to: address, value: String(2n ** 256n - 1n) },
  });
});

test("of two events with one signature, the one with as many indexed arguments fits", () => {
  const abi = compileAbi([erc20, erc721]);
  expect(abi.signatures).toHaveLength(1);
  const topics = [...transferTopics, `0x${"0".repeat(63)}7`];
  expect(decodeLog(abi, log(topics)).decoded?.args).toEqual({ from: address, to: address, tokenId: "7" });
  expect(decodeLog(abi, log(transferTopics, `0x${"0".repeat(63)}8`)).decoded?.args).toMatchObject({ value: "8" });
});

test("every kind of value becomes JSON", () => {
  const event: AbiEvent = {
    type: "event",
    name: "Everything",
    inputs: [
      { name: "text", type: "string", indexed: true },
      { name: "list", type: "uint8[]" },
      { name: "negative", type: "int24" },
      { name: "flag", type: "bool" },
      { name: "", type: "bytes4" },
      { name: "raw", type: "bytes" },
      { name: "note", type: "string" },
      {
        name: "orders",
        type: "tuple[2]",
        components: [
          { name: "maker", type: "address" },
          { name: "__proto__", type: "uint" },
          { name: "parts", type: "tuple[]", components: [{ name: "n", type: "uint64" }, { type: "string" }] },
        ],
      },
    ],
  };
  const types = parseAbiParameters(
    "uint8[], int24, bool, bytes4, bytes, string, (address maker, uint256 amount, (uint64 n, string s)[] parts)[2]",
  );
  const order = (n: bigint) => ({ maker: address, amount: n, parts: [{ n, s: `part ${n} 😀 \0` }] }) as const;
  const data = encodeAbiParameters(types, [
    [1, 255],
    -3,
    true,
    "0xAABBCCDD",
    "0x",
    "0xnot hex",
    [order(1n), order(2n)],
  ]);
  const topic0 = compileAbi([event]).signatures[0];
  const hash = `0x${"AB".repeat(32)}`;
  const decoded = decode(event, log([topic0, hash], data));
  expect(decoded?.signature).toBe(
    "Everything(string,uint8[],int24,bool,bytes4,bytes,string,(address,uint256,(uint64,string)[])[2])",
  );
  const shown = (n: string) =>
    JSON.parse(
      `{"maker":"${address}","__proto__":"${n}","parts":[{"n":"${n}","1":"part ${n} 😀 \\u0000"}]}`,
    ) as unknown;
  expect(JSON.parse(JSON.stringify(decoded?.args))).toEqual({
    text: { hash: hash.toLowerCase(), hashed: true },
    list: ["1", "255"],
    negative: "-3",
    flag: true,
    4: "0xaabbccdd",
    raw: "0x",
    note: "0xnot hex",
    orders: [shown("1"), shown("2")],
  });
});

test.each<[string, readonly unknown[], Hex]>([
  ["another signature", [`0x${"1".repeat(64)}`, ...transferTopics.slice(1)], `0x${"0".repeat(64)}`],
  ["no topics", [], "0x"],
  ["fewer topics", transferTopics.slice(0, 2), `0x${"0".repeat(64)}`],
  ["no data", transferTopics, "0x"],
  ["short data", transferTopics, "0x0001"],
])("a log with %s is not decoded", (_, topics, data) => {
  expect(decode(erc20, log(topics, data))).toBeUndefined();
});

test("a boolean that is neither, and a text beyond the data, are not decoded", () => {
  const flag = fragment("event Flag(bool on)");
  const [topic] = compileAbi([flag]).signatures;
  expect(decode(flag, log([topic], `0x${"0".repeat(63)}2`))).toBeUndefined();
  const text = fragment("event Text(string text)");
  const word = (n: number | bigint) => n.toString(16).padStart(64, "0");
  const [textTopic] = compileAbi([text]).signatures;
  for (const [offset, length] of [
    [32, 33],
    [32, 2 ** 32],
    [2n ** 255n, 1],
    [96, 0],
    [1_000, 1],
  ] as const)
    expect(decode(text, log([textTopic], `0x${word(offset)}${word(length)}${word(0)}`))).toBeUndefined();
  expect(decode(text, log([textTopic], `0x${word(32)}${word(2)}${"6869".padEnd(64, "0")}`))?.args).toEqual({
    text: "hi",
  });
});

test("data in which one text stands for thousands is refused in no time", () => {
  const bomb = fragment("event Bomb(string[][] texts)");
  const [topic] = compileAbi([bomb]).signatures;
  const word = (n: number) => n.toString(16).padStart(64, "0");
  // 300 pointers to one array of 300 pointers to one text of 8 KB: 700 MB from 28 KB.
  const inner = word(300) + word(300 * 32).repeat(300) + word(8_192) + "61".repeat(8_192);
  const data = word(32) + word(300) + word(300 * 32).repeat(300) + inner;
  const from = process.cpuUsage().user;
  expect(decode(bomb, log([topic], `0x${data}`))).toBeUndefined();
  expect(process.cpuUsage().user - from).toBeLessThan(2_000_000);
});

const word = (n: number | bigint) => n.toString(16).padStart(64, "0");
/** `bytes` of this length. */
const bytesData = (length: number): Hex => `0x${word(32)}${word(length)}${"61".repeat(length)}`;

test("a log of more than 32 KiB, or that becomes too long a text, says that it is not decoded", () => {
  const event = fragment("event Bytes(bytes b)");
  const abi = compileAbi([event]);
  const topics = abi.signatures;
  expect(decodeLog(abi, log(topics, bytesData(32_768 - 64))).decoded?.args.b).toHaveLength(2 + 2 * (32_768 - 64));
  expect(decodeLog(abi, log(topics, bytesData(32_768 - 32)))).toEqual({ undecoded: "too_large" });
  // Not this event, whatever its size.
  expect(decodeLog(abi, log([...topics, topics[0]], bytesData(40_000)))).toEqual({});
  expect(decodeLog(abi, log([`0x${"1".repeat(64)}`], bytesData(40_000)))).toEqual({});
  const members = Array.from({ length: 2 }, (_, index) => ({ name: "n".repeat(199) + String(index), type: "uint8" }));
  const named: AbiEvent = { type: "event", name: "Named", inputs: [{ type: "tuple[]", components: members }] };
  const names = compileAbi([named]);
  const list = (length: number): Hex => `0x${word(32)}${word(length)}${word(1).repeat(2 * length)}`;
  expect(decodeLog(names, log(names.signatures, list(500))).decoded).toBeDefined();
  const short = compileAbi([{ ...named, inputs: [{ type: "uint8[2][]" }] }]);
  expect(decodeLog(short, log(short.signatures, list(511))).decoded).toBeDefined();
});

test("what a notification's logs may take to decode is bounded, and what fits before the bound is decoded", () => {
  const event = fragment("event List(uint256[] values)");
  const abi = compileAbi([event]);
  const list: Hex = `0x${word(32)}${word(1_000)}${word(2n ** 256n - 1n).repeat(1_000)}`;
  const allowance = newAllowance();
  const logs = Array.from({ length: 50 }, () => decodeLog(abi, log(abi.signatures, list), allowance));
  const decoded = logs.filter((one) => one.decoded).length;
  // 80 characters each and 1,000 of them; 1 MiB in all.
  expect(decoded).toBe(12);
  expect(logs.slice(decoded)).toEqual(logs.slice(decoded).map(() => ({ undecoded: "too_large" })));
});

test("a hundred events of one signature cost what one costs", () => {
  const inputs = (name: string) => [{ name, type: "uint8[]" }];
  const events = Array.from({ length: 100 }, (_, index) => ({
    ...{ type: "event" as const, name: "Same", inputs: inputs(`n${index}`) },
  }));
  const abi = compileAbi(events);
  // The last offset is wrong, so that none fits.
  const spoilt: Hex = `0x${word(32)}${word(1_000)}${word(1).repeat(999)}`;
  const allowance = newAllowance();
  expect(decodeLog(abi, log(abi.signatures, spoilt), allowance)).toEqual({});
  expect(newAllowance().words.left - allowance.words.left).toBeLessThanOrEqual(1_001);
});

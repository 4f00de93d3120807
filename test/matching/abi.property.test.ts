/** Random events and values, encoded by viem, come back as they were; spoilt data is never an error. */
import { decode } from "ox/AbiParameters";
import { type AbiParameter, encodeAbiParameters, pad, toHex } from "viem";
import { expect, test } from "vitest";
import { compileAbi, decodeLog } from "../../server/matching/abi.ts";
import type { Hex } from "../../server/matching/wire.ts";
import { runs } from "../support/runs.ts";
import { seeded } from "../support/seeded.ts";

type Random = (below: number) => number;
/** A type, what viem encodes, and what the payload shows. */
type Sample = { parameter: AbiParameter; value: unknown; shown: unknown };

const hexOf = (random: Random, bytes: number): Hex =>
  `0x${Array.from({ length: bytes * 2 }, () => random(16).toString(16)).join("")}`;

function sample(random: Random, name: string, depth: number): Sample {
  const kind = random(depth > 0 ? 9 : 6);
  if (kind === 0) return leaf(name, "address", hexOf(random, 20));
  if (kind === 1) return leaf(name, "bool", random(2) === 1);
  if (kind === 2) return leaf(name, "string", "é\0x".repeat(random(20)));
  if (kind === 3) return leaf(name, "bytes", hexOf(random, random(70)));
  if (kind === 4) return number(random, name);
  if (kind === 5) {
    const bytes = 1 + random(32);
    return leaf(name, `bytes${bytes}`, hexOf(random, bytes));
  }
  if (kind === 6) {
    const members = Array.from({ length: 1 + random(3) }, (_, index) => sample(random, `m${index}`, depth - 1));
    const components = members.map(({ parameter }) => parameter);
    const of = (field: "value" | "shown") => Object.fromEntries(members.map((one, index) => [`m${index}`, one[field]]));
    return { parameter: { name, type: "tuple", components }, value: of("value"), shown: of("shown") };
  }
  return list(random, name, { depth, length: kind === 7 ? random(4) : 1 + random(3), fixed: kind === 8 });
}

function leaf(name: string, type: string, value: unknown): Sample {
  return { parameter: { name, type }, value, shown: value };
}

function number(random: Random, name: string): Sample {
  const bits = 8 * (1 + random(32));
  const signed = random(2) === 1;
  const width = BigInt(signed ? bits - 1 : bits);
  const size = BigInt(hexOf(random, 32)) % 2n ** width;
  const value = signed && random(2) === 1 ? -size - 1n : size;
  // viem takes numbers for the narrow ones.
  const given = bits <= 48 ? Number(value) : value;
  return { parameter: { name, type: `${signed ? "" : "u"}int${bits}` }, value: given, shown: String(value) };
}

function list(random: Random, name: string, of: { depth: number; length: number; fixed: boolean }): Sample {
  const seed = random(2 ** 30);
  // The same seed gives the same type; values differ in what follows from the items' own numbers only where types do not.
  const items = Array.from({ length: of.length }, () => sample(seeded(seed), name, of.depth - 1));
  const { parameter } = items[0] ?? sample(seeded(seed), name, of.depth - 1);
  const type = `${parameter.type}[${of.fixed ? of.length : ""}]`;
  const [value, shown] = [items.map((one) => one.value), items.map((one) => one.shown)];
  return { parameter: { ...parameter, type }, value, shown };
}

/** What ox reads. */
function shownBy(inputs: readonly Named[], data: Hex): Record<string, unknown> {
  const values = decode(inputs.map(nameless), data, { checksumAddress: false }) as readonly unknown[];
  return Object.fromEntries(inputs.map((one, index) => [one.name ?? "", shown(one, values[index])]));
}

type Named = { name?: string; type: string; components?: readonly Named[] };

/** It would lose one of two members of one name, and takes numbers that are too wide for their type only as wide ones. */
function nameless({ type, components }: Named): Named {
  const widest = type.replace(/^(u?int)\d*/, "$1256");
  return { type: widest, ...(components && { components: components.map(nameless) }) };
}

function shown({ type, components = [] }: Named, value: unknown): unknown {
  if (type.endsWith("]"))
    return (value as unknown[]).map((one) => shown({ type: type.replace(/\[\d*\]$/, ""), components }, one));
  if (type === "tuple")
    return Object.fromEntries(components.map((one, index) => [one.name, shown(one, (value as unknown[])[index])]));
  return typeof value === "bigint" ? String(value) : value;
}

const seed = Number(process.env.ABI_SEED ?? 1);

const count = runs(150, 500);

test(`${count} random events (ABI_SEED=${seed})`, () => {
  const random = seeded(seed);
  for (let round = 0; round < count; round += 1) {
    const samples = Array.from({ length: 1 + random(5) }, (_, index) => sample(random, `a${index}`, 3));
    const inputs = samples.map(({ parameter }) => parameter as { type: string });
    const event = { type: "event" as const, name: "Made", inputs };
    const data = encodeAbiParameters(
      inputs,
      samples.map(({ value }) => value),
    );
    const abi = compileAbi([event]);
    const log = { address: hexOf(random, 20), topics: abi.signatures as Hex[], data, logIndex: toHex(0) };
    const { decoded } = decodeLog(abi, log);
    expect(decoded?.args, JSON.stringify(event)).toEqual(
      Object.fromEntries(samples.map(({ shown }, index) => [`a${index}`, shown])),
    );
    const bytes = Buffer.from(data.slice(2), "hex");
    for (let change = 0; change < 20; change += 1) {
      const spoilt = Buffer.from(bytes.subarray(0, bytes.length - (random(4) === 0 ? random(bytes.length) : 0)));
      const at = random(Math.max(1, spoilt.length));
      if (spoilt.length > 0) spoilt[at] = random(3) === 0 ? 0xff : random(256);
      const spoiltData: Hex = `0x${spoilt.toString("hex")}`;
      const { decoded } = decodeLog(abi, { ...log, data: spoiltData });
      // What we read, another reader reads as well. It also reads data whose values share bytes.
      if (decoded) expect(decoded.args, spoiltData).toEqual(shownBy(inputs, spoiltData));
    }
  }
});

test("a topic is padded to a word, as nodes return it", () => {
  const abi = compileAbi([{ type: "event", name: "At", inputs: [{ name: "n", type: "int8", indexed: true }] }]);
  const topics = [abi.signatures[0] as Hex, toHex(2n ** 256n - 2n)];
  const log = { address: pad("0x1", { size: 20 }), topics, data: "0x" as const, logIndex: toHex(0) };
  expect(decodeLog(abi, log).decoded?.args).toEqual({ n: "-2" });
});

/** Makes contracts that no compiler would: tokens whose answers a test chooses, byte by byte. */
import type { Hex } from "../../server/matching/wire.ts";

/** What a contract does when a function is called. */
export type Behaviour =
  | { returns: Hex }
  /** As many zero bytes. */
  | { returnsZeros: number }
  | { reverts: Hex }
  | "burns all gas"
  /** Calls itself until it runs out of gas or depth, then returns a word. */
  | "re-enters";

const selectors = { name: "06fdde03", symbol: "95d89b41", decimals: "313ce567" } as const;
const byte = (value: number) => value.toString(16).padStart(2, "0");
const push2 = (value: number) => `61${value.toString(16).padStart(4, "0")}`;
const push3 = (value: number) => `62${value.toString(16).padStart(6, "0")}`;
const transferTopic = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/**
 * The code that deploys such a token. Called with any other data, `mint(address,uint256)` for one, it emits a `Transfer` of ERC-20 from
 * zero to its first argument, of its second.
 */
export function madeToken(behaviours: Partial<Record<keyof typeof selectors, Behaviour>>): Hex {
  const chosen = Object.entries(behaviours);
  const dispatchBytes = 6 + chosen.length * 11;
  const emit = `602060246000376004356000${"7f"}${transferTopic}60206000a300`;
  let at = dispatchBytes + emit.length / 2;
  let dispatch = "60003560e01c";
  let bodies = "";
  for (const [field, behaviour] of chosen) {
    dispatch += `8063${selectors[field as keyof typeof selectors]}14${push2(at)}57`;
    const body = bodyOf(behaviour, at);
    bodies += body;
    at += body.length / 2;
  }
  const runtime = dispatch + emit + bodies;
  const size = runtime.length / 2;
  // Copies what follows on these 13 bytes, and returns it.
  return `0x${push2(size)}80600d6000396000f3${byte(0)}${runtime}`;
}

function bodyOf(behaviour: Behaviour, at: number): string {
  if (behaviour === "burns all gas") return `5b${push2(at)}56`;
  if (behaviour === "re-enters") return "5b3660006000376020600036600030" + "5afa50" + "60206000f3";
  if ("returnsZeros" in behaviour) return `5b${push3(behaviour.returnsZeros)}6000f3`;
  const [data, end] = "returns" in behaviour ? [behaviour.returns.slice(2), "f3"] : [behaviour.reverts.slice(2), "fd"];
  const code = (dataAt: number) =>
    `5b${push2(data.length / 2)}${push2(dataAt)}600039${push2(data.length / 2)}6000${end}`;
  return code(at + code(0).length / 2) + data;
}

/** The answer of a function that returns this text, as Solidity encodes it. */
export function stringAnswer(text: string | Uint8Array): Hex {
  const bytes = Buffer.from(text);
  const padded = Buffer.concat([bytes, Buffer.alloc((32 - (bytes.length % 32)) % 32)]);
  return `0x${word(32)}${word(bytes.length)}${padded.toString("hex")}`;
}

export const numberAnswer = (value: number | bigint): Hex => `0x${word(value)}`;

/** The answer of a function that returns bytes32 with this text. */
export const wordAnswer = (text: string): Hex => `0x${Buffer.from(text).toString("hex").padEnd(64, "0")}`;

const word = (value: number | bigint) => value.toString(16).padStart(64, "0");

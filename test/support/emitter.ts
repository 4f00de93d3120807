/** A contract that emits large logs whenever it is called, and the most expensive ABI for them that a webhook may have. */
import { type Hex, size, toEventSelector } from "viem";

const topic0 = toEventSelector("Large(uint256[],bool)");
const hex = (value: number, bytes: number) => value.toString(16).padStart(2 * bytes, "0");
const word = (value: number) => hex(value, 32);

/**
 * @param log.numbers how many each log has; 1,000 are the most that are decoded
 * @param log.bool its last argument; with 2 it is none, so that every event is tried to the end
 * @param logs how many a call emits
 * @returns its code. It copies the data from behind the code: PUSH3, PUSH3, PUSH1 0, CODECOPY. Each log is PUSH32, PUSH3, PUSH1 0, LOG1.
 */
export function emitterCode({ numbers, bool }: { numbers: number; bool: number }, logs: number): Hex {
  const values = Array.from({ length: numbers }, (_, index) => word(index)).join("");
  const data = `${word(64)}${word(bool)}${word(numbers)}${values}`;
  const length = hex(data.length / 2, 3);
  const log = `7f${topic0.slice(2)}62${length}6000a1`;
  const startFor = (offset: number) => `62${length}62${hex(offset, 3)}600039${log.repeat(logs)}00`;
  return `0x${startFor(size(`0x${startFor(0)}`))}${data}`;
}

/** As many events of one signature as an ABI may have. @param name begins their arguments' names, so that no two webhooks share an ABI */
export function largestAbi(name: string) {
  return Array.from({ length: 100 }, (_, index) => ({
    ...{ type: "event" as const, name: "Large" },
    inputs: [
      { name: `${name}${index}`, type: "uint256[]" },
      { name: "isLast", type: "bool" },
    ],
  }));
}

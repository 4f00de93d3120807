/** Our few lines of ABI encoding for Multicall3, against viem's. */
import { encodeFunctionData, encodeFunctionResult, type Hex, multicall3Abi } from "viem";
import { expect, it } from "vitest";
import { aggregate3, answersIn } from "../../../server/chain/tokens/multicall.ts";
import { numberAnswer, stringAnswer } from "../../support/made-token.ts";

const contracts: Hex[] = ["0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"];

it("calls are those of viem", () => {
  for (const selectors of [[], ["0x06fdde03"], ["0x06fdde03", "0x95d89b41", "0x313ce567"]] as Hex[][]) {
    const calls = contracts.flatMap((contract) => selectors.map((selector) => ({ contract, selector })));
    const args = calls.map(({ contract, selector }) => ({ target: contract, allowFailure: true, callData: selector }));
    const expected = encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args: [args] });
    expect(aggregate3(calls)).toBe(expected.toLowerCase());
  }
});

const results = [
  { success: true, returnData: stringAnswer("USD Coin") },
  { success: false, returnData: "0x08c379a0" as Hex },
  { success: true, returnData: "0x" as Hex },
  { success: true, returnData: numberAnswer(6) },
];
const answer = encodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", result: results });

it("answers are those of viem, without the failures", () => {
  expect(answersIn(answer, 4)).toEqual([stringAnswer("USD Coin"), undefined, "0x", numberAnswer(6)]);
});

it.each(["0x", "0x00", answer.slice(0, 200), answer.replace("4", "5"), `0x${"f".repeat(640)}`])(
  "nothing is read from %.80s… if it is not whole",
  (broken) => {
    const read = answersIn(broken, 3);
    expect(read).toHaveLength(3);
    expect(read.every((each) => each === undefined)).toBe(true);
  },
);

/** What contracts of tokens answer, read as text and numbers, whatever it is. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimalsIn, textIn } from "../../../server/chain/tokens/multicall.ts";
import { numberAnswer, stringAnswer, wordAnswer } from "../../support/made-token.ts";
import { runs } from "../../support/runs.ts";

describe("A name", () => {
  it.each([
    ["USD Coin", "USD Coin"],
    ["Größe 💎 株", "Größe 💎 株"],
    ["  spaced \t\n out  ", "spaced out"],
    ["red\u001b[31m\u0007\u0000alert\u009b", "red[31malert"],
    ["\u202egnirts\u202c \u2066isolated\u2069 \u200fmark", "gnirts isolated mark"],
    ["line\u2028separator\u2029", "line separator"],
    ["zero\u200bwidth\ufeff\u00ad", "zerowidth"],
    ["private\ue000\u{f0000}", "private"],
    ["x".repeat(1_000), "x".repeat(100)],
    ["💎".repeat(1_000), "💎".repeat(100)],
    [`${"a".repeat(399)}💎`, "a".repeat(100)],
    ["", null],
    ["\u200b \u0000", null],
  ])("%j is %j", (text, read) => {
    expect(textIn(stringAnswer(text))).toBe(read);
  });

  it("of bytes32 is read up to the first zero byte", () => {
    expect(textIn(wordAnswer("MKR"))).toBe("MKR");
    expect(textIn(wordAnswer("A".repeat(32)))).toBe("A".repeat(32));
    expect(textIn(wordAnswer(""))).toBeNull();
  });

  it("with bytes that are no UTF-8, lone surrogates among them, has marks in their place", () => {
    expect(textIn(stringAnswer(Buffer.from("41ff42", "hex")))).toBe("A\ufffdB");
    expect(textIn(stringAnswer(Buffer.from("41eda08042", "hex")))).toBe("A\ufffd\ufffd\ufffdB");
  });

  it.each(["0x", "0x00", "0x20", `0x${"f".repeat(64)}${"0".repeat(64)}`, `0x${"f".repeat(128)}`])(
    "is none in %s",
    (answer) => {
      expect(textIn(answer)).toBeNull();
    },
  );

  it("is as much as there is of a string that ends early", () => {
    const answer = `${stringAnswer("abc").slice(0, 2 + 64)}${numberAnswer(2n ** 256n - 1n).slice(2)}616263`;
    expect(textIn(answer)).toBe("abc");
  });

  it("is valid, short and visible, whatever the answer", () => {
    const answers = fc.oneof(
      fc.uint8Array({ maxLength: 1_000 }).map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`),
      fc.uint8Array({ maxLength: 1_000 }).map(stringAnswer),
      fc.string({ unit: "binary", maxLength: 500 }).map(stringAnswer),
    );
    fc.assert(
      fc.property(answers, (answer) => {
        const text = textIn(answer);
        if (text === null) return;
        expect([...text].length).toBeLessThanOrEqual(100);
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|^\s|\s$/u);
        expect(Buffer.from(text).toString()).toBe(text);
      }),
      { numRuns: runs(300, 2_000) },
    );
  });
});

it.each([
  [numberAnswer(0), 0],
  [numberAnswer(18), 18],
  [numberAnswer(255), 255],
  [numberAnswer(256), null],
  [numberAnswer(2n ** 256n - 1n), null],
  [`${numberAnswer(6)}ffff`, 6],
  ["0x", null],
  ["0x12", null],
  [stringAnswer("18"), 32],
])("decimals in %s are %s", (answer, decimals) => {
  expect(decimalsIn(answer)).toBe(decimals);
});

/** Which call frames the payload shows, and how. */
import { describe, expect, it } from "vitest";
import { buildEvent } from "../../server/matching/event.ts";
import type { WireCallFrame } from "../../server/matching/wire.ts";
import { addressOf, frame, hashOf, madeBundle, receiver, sender } from "./made-bundle.ts";

const variant = { chainId: "1", includeLogs: false, includeInternalTxs: true };

describe("Internal transactions", () => {
  const internal = (trace: WireCallFrame, status: "0x0" | "0x1" = "0x1") =>
    buildEvent(madeBundle({ trace, status }), 0, variant).transaction.internalTransactions ?? [];
  const call = (n: number, more: Partial<WireCallFrame> = {}) => frame(receiver, addressOf(n), more);

  it("come in the order of their start, without the top frame and those that reverted", () => {
    const failing = call(3, { error: "execution reverted", calls: [call(4)] });
    const trace = frame(sender, receiver, { calls: [call(1, { calls: [call(2), failing] }), call(5)] });
    expect(internal(trace).map(({ to }) => to)).toEqual([1, 2, 5].map(addressOf));
  });

  it("exclude reverted frames even if a node reports only the reason", () => {
    const failing = call(3, { error: null, revertReason: "no funds", calls: [call(4)] });
    const trace = frame(sender, receiver, { calls: [call(1, { revertReason: null, calls: [failing] })] });
    expect(internal(trace).map(({ to }) => to)).toEqual([addressOf(1)]);
  });

  it("are empty when the transaction failed, whichever field shows it", () => {
    expect(internal(frame(sender, receiver, { error: "out of gas", calls: [call(1)] }))).toEqual([]);
    expect(internal(frame(sender, receiver, { calls: [call(1)] }), "0x0")).toEqual([]);
  });

  it.each(["DELEGATECALL", "CALLCODE", "STATICCALL"])("move nothing by a %s", (type) => {
    expect(internal(frame(sender, receiver, { calls: [call(1, { type })] }))[0]?.value).toBe("0");
  });

  it("have 0 and the zero address for fields that a tracer omits", () => {
    const bare: WireCallFrame = { type: "selfdestruct", from: receiver };
    expect(internal(frame(sender, receiver, { calls: [bare] }))).toEqual([
      {
        from: receiver,
        to: "0x0000000000000000000000000000000000000000",
        internalTxType: "SELFDESTRUCT",
        value: "0",
        gasUsed: "0",
        gasLimit: "0",
        transactionHash: hashOf(0, "d"),
      },
    ]);
  });

  it("cannot be had from a bundle without their trace", () => {
    const bundle = madeBundle({});
    expect(() => buildEvent(bundle, 0, variant)).toThrow(
      `The traces of block ${bundle.block.hash} were not fetched, but internal transactions are wanted.`,
    );
    expect(() => buildEvent({ ...bundle, traces: [] }, 0, variant)).toThrow("has no trace: absent.");
    expect(() => buildEvent({ ...bundle, traces: [{ error: "timeout" }] }, 0, variant)).toThrow(
      "has no trace: timeout.",
    );
    const another = { txHash: hashOf(9), result: frame(sender, receiver) };
    expect(() => buildEvent({ ...bundle, traces: [another] }, 0, variant)).toThrow("is of another transaction.");
  });
});

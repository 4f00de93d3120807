/** What the payload says of particular transactions, recorded and made. */
import { describe, expect, it } from "vitest";
import { recordedBlocks, recordedBundle } from "../../scripts/local/recorded.ts";
import { buildEvent, eventText, notificationText, retractionText } from "../../server/matching/event.ts";
import { hashOf, type MadeTransaction, madeBundle } from "./made-bundle.ts";

const variant = { chainId: "1", includeLogs: true, includeInternalTxs: false };
const zeroAddress = "0x0000000000000000000000000000000000000000";
const eventAt = (name: string, index: number) => buildEvent(recordedBundle(name), index, variant);
const made = (transaction: MadeTransaction) => buildEvent(madeBundle(transaction), 0, variant).transaction;

describe("A creation", () => {
  it("has its contract, and to all zero", () => {
    const { to, contractAddress, txStatus } = eventAt("mainnet/4662649", 31).transaction;
    expect({ to, contractAddress, txStatus }).toEqual({
      to: zeroAddress,
      contractAddress: "0xa0d98ce1f048068aea21aa39d1bf494e5e5f86d9",
      txStatus: "1",
    });
  });

  it("that failed has no contract, though the node returns an address", () => {
    expect(recordedBundle("mainnet/17034870").receipts[107]?.contractAddress).toBe(
      "0x007de4d898054b9031d34cc1401d0a51a99e3c10",
    );
    const { to, contractAddress, txStatus } = eventAt("mainnet/17034870", 107).transaction;
    expect({ to, contractAddress, txStatus }).toEqual({
      to: zeroAddress,
      contractAddress: zeroAddress,
      txStatus: "0",
    });
  });

  it("is all that has a contract", () => {
    expect(eventAt("mainnet/4662649", 30).transaction.contractAddress).toBe(zeroAddress);
  });
});

describe("A transaction before Byzantium", () => {
  it.each(["mainnet/1000000", "mainnet/4369999"])("in %s has the receipt's own root and no status", (name) => {
    const { block, receipts } = recordedBundle(name);
    for (const [index, { root }] of receipts.entries()) {
      const { transaction } = eventAt(name, index);
      expect(transaction.receiptRoot).toBe(root);
      expect(transaction.receiptRoot).not.toBe(block.receiptsRoot);
      expect(transaction).not.toHaveProperty("txStatus");
    }
  });
});

describe("Fees", () => {
  const firstOfType = (name: string, type: number) => {
    const index = recordedBundle(name).block.transactions.findIndex((transaction) => Number(transaction.type) === type);
    const { gasPrice, maxFeePerGas, maxPriorityFeePerGas, receiptEffectiveGasPrice } = eventAt(name, index).transaction;
    return [gasPrice, maxFeePerGas, maxPriorityFeePerGas, receiptEffectiveGasPrice];
  };

  it.each([
    [0, "mainnet/20000000", ["7507492681", "0", "0", "7507492681"]],
    [1, "mainnet/18951424", ["24072042692", "0", "0", "24072042692"]],
    [2, "mainnet/20000000", ["4936957716", "4936957716", "0", "4936957716"]],
    [3, "mainnet/20000000", ["9936957716", "35000000000", "5000000000", "9936957716"]],
    [4, "mainnet/22869878", ["3070524167", "3219799039", "1811814493", "3070524167"]],
  ])("of type %i in %s", (type, name, fees) => {
    expect(firstOfType(name, type)).toEqual(fees);
  });

  it("that a type lacks are 0, even if the node returns some", () => {
    const fields = { maxFeePerGas: "0x5", maxPriorityFeePerGas: "0x5" } as const;
    expect(made({ fields: { ...fields, type: "0x1" } })).toMatchObject({
      maxFeePerGas: "0",
      maxPriorityFeePerGas: "0",
    });
    expect(made({ fields: { ...fields, type: "0x2" } })).toMatchObject({
      maxFeePerGas: "5",
      maxPriorityFeePerGas: "5",
    });
  });

  it("stand in for one another if the node returns only one", () => {
    expect(made({ fields: { gasPrice: null }, receiptFields: { effectiveGasPrice: "0x7" } }).gasPrice).toBe("7");
    expect(made({ receiptFields: { effectiveGasPrice: null } }).receiptEffectiveGasPrice).toBe("9");
    const neither = made({ fields: { gasPrice: null }, receiptFields: { effectiveGasPrice: null } });
    expect(neither).toMatchObject({ gasPrice: "0", receiptEffectiveGasPrice: "0" });
  });
});

describe("Values", () => {
  it("beyond 2^53 are whole", () => {
    expect(made({ fields: { value: `0x${"f".repeat(64)}` } }).value).toBe((2n ** 256n - 1n).toString());
  });

  it("are in lower case whatever the node's", () => {
    const upper = madeBundle({
      fields: { input: "0xABCD" },
      logs: [{ address: "0xABCD", topics: ["0xAB"], data: "0xAB" }],
    });
    expect(eventText(buildEvent(upper, 0, variant))).not.toMatch(/"0x[^"]*[A-F]/);
  });

  it("of a transaction without a type are those of type 0", () => {
    expect(made({ fields: { type: null } }).type).toBe(0);
  });

  it("of a receipt root that is empty are the block's", () => {
    expect(made({ receiptFields: { root: "0x" } }).receiptRoot).toBe(hashOf(1, "c"));
  });

  it("of a C-Chain block's time are seconds", () => {
    expect(eventAt("avalanche/20", 0).transaction.blockTimestamp).toBe(Date.UTC(2020, 11, 19, 5) / 1000);
  });
});

describe("Logs", () => {
  it("without topics have null for each", () => {
    const bundle = recordedBundle("mainnet/22869878");
    const index = bundle.receipts.findIndex(({ logs }) => logs.some(({ topics }) => topics.length === 0));
    const log = buildEvent(bundle, index, variant).logs?.find(({ topic0 }) => topic0 === null);
    expect(log).toMatchObject({ topic0: null, topic1: null, topic2: null, topic3: null });
  });

  it("of the block with 10,041 of them start from 0 in each transaction", () => {
    const { receipts } = recordedBundle("mainnet/15537394");
    const logs = receipts.map((_, index) => eventAt("mainnet/15537394", index).logs ?? []);
    expect(logs.flat()).toHaveLength(10_041);
    expect(logs[25]).toHaveLength(10_001);
    expect(logs.filter((some) => some.length > 0).every(([first]) => first?.logIndex === 0)).toBe(true);
    expect(logs[25]?.at(-1)?.logIndex).toBe(10_000);
  });

  it("of a transaction that emitted none are an empty list", () => {
    expect(buildEvent(madeBundle({}), 0, variant).logs).toEqual([]);
  });
});

describe("A bundle that does not fit together", () => {
  it("is refused", () => {
    const bundle = madeBundle({}, {});
    expect(() => buildEvent({ ...bundle, receipts: [] }, 0, variant)).toThrow("lacks its receipt at position 0.");
    expect(() => buildEvent({ ...bundle, receipts: bundle.receipts.toReversed() }, 0, variant)).toThrow(
      "lacks its receipt",
    );
    expect(() => buildEvent(bundle, 2, variant)).toThrow("has no transaction at position 2.");
  });
});

describe("The text", () => {
  const text = eventText(eventAt("mainnet/18951424", 33));

  it("of a retraction is the event's with removed, and every log's removed, true", () => {
    const event = JSON.parse(text);
    for (const log of event.logs) log.removed = true;
    expect(retractionText(text)).toBe(JSON.stringify({ ...event, removed: true }));
    expect(event.logs).toHaveLength(4);
  });

  it("of a retraction without logs has removed only", () => {
    const bare = eventText(buildEvent(recordedBundle("mainnet/18951424"), 33, { ...variant, includeLogs: false }));
    expect(retractionText(bare)).toBe(`${bare.slice(0, -1)},"removed":true}`);
  });

  it("of a notification has the event's text in it as it is", () => {
    const [webhookId, messageId] = ["6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a", "0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10"];
    expect(notificationText({ webhookId, messageId, eventText: '{"transaction": {}}' })).toBe(
      `{"webhookId":"${webhookId}","eventType":"address_activity","messageId":"${messageId}","event":{"transaction": {}}}`,
    );
  });

  it("of every recorded event survives parsing and writing again", () => {
    for (const { bundle } of recordedBlocks())
      for (const index of bundle.receipts.keys()) {
        const written = eventText(buildEvent(bundle, index, variant));
        expect(JSON.stringify(JSON.parse(written))).toBe(written);
      }
  });
});

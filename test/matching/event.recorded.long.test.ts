/** The payload of every recorded transaction, in every variant: valid, complete, and true to what the node answered. */
import { parseAbi } from "viem";
import { describe, expect, it } from "vitest";
import { recordedBlocks } from "../../scripts/local/recorded.ts";
import { compileAbi, decodeLog, newAllowance } from "../../server/matching/abi.ts";
import {
  type AddressActivityEvent,
  buildEvent,
  type EventVariant,
  eventText,
  finalityText,
  notificationText,
  ownEventText,
  retractionText,
  wireLog,
} from "../../server/matching/event.ts";
import { messageIdOf } from "../../server/matching/message-id.ts";
import type { TokenBook } from "../../server/matching/transfers.ts";
import type { BlockBundle, WireCallFrame } from "../../server/matching/wire.ts";
import { assertSchema, fieldsOf } from "../support/closed-schema.ts";
import { isSearched, runs } from "../support/runs.ts";
import { pathsOf } from "./naive.ts";

const webhookId = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";
const blocks = recordedBlocks().filter((block) => isSearched(block) && block.bundle.receipts.length > 0);

function eachEvent(
  { bundle, chainId }: { bundle: BlockBundle; chainId: string },
  variant: Omit<EventVariant, "chainId">,
  check: (event: AddressActivityEvent, index: number) => void,
): void {
  for (const index of bundle.receipts.keys()) check(buildEvent(bundle, index, { chainId, ...variant }), index);
}

const booleans = [false, true];
/** `npm test` takes the one with nothing and the one with everything. */
const variants = booleans
  .flatMap((includeLogs) =>
    booleans.flatMap((includeInternalTxs) =>
      booleans.map((includeTransfers) => ({ includeLogs, includeInternalTxs, includeTransfers })),
    ),
  )
  .filter((_, index) => index % runs(7, 1) === 0);

describe.each(variants)(
  "With logs $includeLogs, internal transactions $includeInternalTxs and transfers $includeTransfers",
  (variant) => {
    it.each(blocks)("notifications of $name match the closed contract", (recorded) => {
      if (variant.includeInternalTxs && !recorded.bundle.traces) {
        expect(() => eachEvent(recorded, variant, () => {})).toThrow("were not fetched");
        return;
      }
      eachEvent(recorded, variant, (event) => {
        const { blockHash, txHash: transactionHash } = event.transaction;
        const messageId = messageIdOf({ webhookId, blockHash, transactionHash, occurrence: 0 });
        const body = JSON.parse(notificationText({ webhookId, messageId, eventText: eventText(event) }));
        assertSchema("AddressActivityNotification", body);
        expect(JSON.stringify(body.event)).toBe(JSON.stringify(event));
        expect("logs" in event).toBe(variant.includeLogs);
        expect("internalTransactions" in event.transaction).toBe(variant.includeInternalTxs);
        const lists = ["erc20Transfers", "erc721Transfers", "erc1155Transfers", "nativeTransfers"];
        for (const list of lists) expect(list in event.transaction).toBe(variant.includeTransfers);
      });
    });
  },
);

const plain = { includeLogs: false, includeInternalTxs: false };
const seen = new Set<string>();
/** Once for each list of fields, of which there are few. */
const normalise = (fields: string[], schema: string) => {
  const key = `${schema} ${fields}`;
  if (seen.has(key)) return;
  expect(fields).toEqual(fieldsOf(schema).filter((field) => fields.includes(field)));
  seen.add(key);
};

it.each(blocks)("fields of $name are in the order of the contract", (recorded) => {
  const includeInternalTxs = recorded.bundle.traces !== undefined;
  const everything = { includeLogs: true, includeInternalTxs, includeTransfers: true };
  eachEvent(recorded, everything, (event) => {
    normalise(Object.keys(event), "AddressActivityEvent");
    normalise(Object.keys(event.transaction), "Transaction");
    for (const log of event.logs ?? []) normalise(Object.keys(log), "Log");
    for (const frame of event.transaction.internalTransactions ?? [])
      normalise(Object.keys(frame), "InternalTransaction");
    const {
      erc20Transfers = [],
      erc721Transfers = [],
      erc1155Transfers = [],
      nativeTransfers = [],
    } = event.transaction;
    for (const each of erc20Transfers) normalise(Object.keys(each), "Erc20Transfer");
    for (const { erc20Token } of erc20Transfers) normalise(Object.keys(erc20Token), "TransferredToken");
    for (const each of erc721Transfers) normalise(Object.keys(each), "Erc721Transfer");
    for (const each of erc1155Transfers) normalise(Object.keys(each), "Erc1155Transfer");
    for (const each of nativeTransfers) normalise(Object.keys(each), "NativeTransfer");
  });
});

const hexOf = (decimal: string) => `0x${BigInt(decimal).toString(16)}`;
const zeroAddress = "0x0000000000000000000000000000000000000000";

it.each(blocks)("values of $name, back in hex, are those of the node", (recorded) => {
  const { block, receipts } = recorded.bundle;
  eachEvent(recorded, plain, ({ transaction: made }, index) => {
    const transaction = block.transactions[index];
    const receipt = receipts[index];
    expect({
      hash: made.txHash,
      from: made.from,
      gas: hexOf(made.gas),
      gasPrice: hexOf(made.gasPrice),
      input: made.input,
      nonce: hexOf(made.nonce),
      value: hexOf(made.value),
      type: `0x${made.type.toString(16)}`,
    }).toEqual(pick(transaction, ["hash", "from", "gas", "gasPrice", "input", "nonce", "value", "type"]));
    expect({
      transactionHash: made.txHash,
      transactionIndex: `0x${made.transactionIndex.toString(16)}`,
      cumulativeGasUsed: hexOf(made.receiptCumulativeGasUsed),
      gasUsed: hexOf(made.receiptGasUsed),
      effectiveGasPrice: hexOf(made.receiptEffectiveGasPrice),
    }).toEqual(
      pick(receipt, ["transactionHash", "transactionIndex", "cumulativeGasUsed", "gasUsed", "effectiveGasPrice"]),
    );
    expect(hexOf(made.maxFeePerGas)).toBe(transaction?.maxFeePerGas ?? "0x0");
    expect(hexOf(made.maxPriorityFeePerGas)).toBe(transaction?.maxPriorityFeePerGas ?? "0x0");
    expect(made.to).toBe(transaction?.to ?? zeroAddress);
    expect(made.txStatus && hexOf(made.txStatus)).toBe(receipt?.status);
    expect(made.receiptRoot).toBe(receipt?.root ?? block.receiptsRoot);
    expect(made.chainId).toBe(recorded.chainId);
    expect([made.blockHash, hexOf(made.blockNumber)]).toEqual([block.hash, block.number]);
    expect(`0x${made.blockTimestamp.toString(16)}`).toBe(block.timestamp);
  });
});

it.each(blocks)("logs of $name are all of their transaction's, counted from 0", (recorded) => {
  eachEvent(recorded, { includeLogs: true, includeInternalTxs: false }, ({ logs = [] }, index) => {
    const wire = recorded.bundle.receipts[index]?.logs ?? [];
    expect(logs.map(({ logIndex }) => logIndex)).toEqual([...wire.keys()]);
    expect(logs.map(({ address, data }) => address + data)).toEqual(wire.map(({ address, data }) => address + data));
    expect(logs.map(({ topic0, topic1, topic2, topic3 }) => [topic0, topic1, topic2, topic3])).toEqual(
      wire.map(({ topics }) => [0, 1, 2, 3].map((at) => topics[at] ?? null)),
    );
    expect(logs.every(({ transactionIndex, removed }) => transactionIndex === index && !removed)).toBe(true);
  });
});

const traced = blocks.filter(({ bundle }) => bundle.traces);

it.each(traced)("internal transactions of $name are the call frames that did not revert", (recorded) => {
  eachEvent(recorded, { includeLogs: false, includeInternalTxs: true }, ({ transaction }, index) => {
    const top = recorded.bundle.traces?.[index]?.result;
    const expected = top ? standingBelow(top) : [];
    const made = transaction.internalTransactions ?? [];
    expect(made.map(({ internalTxType }) => internalTxType)).toEqual(expected.map(({ type }) => type));
    expect(made.map(({ from, to }) => from + to)).toEqual(expected.map(({ from, to }) => from + to));
    expect(made.map(({ gasLimit, gasUsed }) => [hexOf(gasLimit), hexOf(gasUsed)])).toEqual(
      expected.map(({ gas, gasUsed }) => [gas, gasUsed]),
    );
    expect(made.map(({ value }) => hexOf(value))).toEqual(
      expected.map(({ type, value }) => (/^(CALL|CREATE2?|SELFDESTRUCT)$/.test(type) ? value : "0x0")),
    );
    expect(made.every(({ transactionHash }) => transactionHash === transaction.txHash)).toBe(true);
  });
});

/** Another way to flatten: by the positions on the way to each frame, as in the numbering of chapters. */
function standingBelow(top: WireCallFrame): WireCallFrame[] {
  const chapters = pathsOf(top).map((path) => ({
    path,
    number: path
      .slice(1)
      .map((frame, depth) => String(path[depth]?.calls?.indexOf(frame)).padStart(6, "0"))
      .join("."),
  }));
  return chapters
    .filter(({ path }) => path.length > 1 && path.every(({ error }) => !error))
    .sort((a, b) => (a.number < b.number ? -1 : 1))
    .map(({ path }) => path.at(-1) ?? top);
}

function pick<T extends object>(value: T | undefined, keys: (keyof T)[]): Partial<T> {
  return Object.fromEntries(keys.map((key) => [key, value?.[key]])) as Partial<T>;
}

const transfers = JSON.parse(
  JSON.stringify(
    parseAbi([
      "event Transfer(address indexed from, address indexed to, uint256 value)",
      "event Transfer(address indexed from, address indexed to, uint256 indexed id)",
      "event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)",
      "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
    ]),
  ),
);

/** Parses the whole text, where the service copies it. */
function parsedAndDecoded(text: string): string {
  const event = JSON.parse(text) as AddressActivityEvent;
  const allowance = newAllowance();
  const abi = compileAbi(transfers);
  const logs = event.logs?.map((log) => ({ ...log, ...decodeLog(abi, wireLog(log), allowance) }));
  return JSON.stringify(logs ? { ...event, logs } : event);
}

it.each(blocks)(
  "what a webhook's events say of $name is added to the stored text, and nothing else changes",
  (recorded) => {
    // A token may call itself anything.
    const name = '"}],"logs":[{"topic0":"';
    const tokens = { get: () => ({ name, symbol: `\\"${name}`, decimals: 18 }) } as unknown as TokenBook;
    const variant = { includeLogs: true, includeInternalTxs: false, includeTransfers: true, tokens };
    let decoded = 0;
    eachEvent(recorded, variant, (event) => {
      const stored = eventText(event);
      const texts = [stored, finalityText(stored, { confirmations: 3, finalized: true }), retractionText(stored)];
      for (const text of texts) expect(ownEventText(text, transfers)).toBe(parsedAndDecoded(text));
      expect(ownEventText(stored, undefined)).toBe(stored);
      decoded += ownEventText(stored, transfers).split('"decoded":').length - 1;
    });
    const fitting = recorded.bundle.receipts.flatMap(({ logs }) => logs).filter(({ topics }) => isTransfer(topics[0]));
    if (fitting.length > 0) expect(decoded).toBeGreaterThan(0);
  },
);

const isTransfer = (topic: string | undefined) => topic?.startsWith("0xddf252ad") ?? false;

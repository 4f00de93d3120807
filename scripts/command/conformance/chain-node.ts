/** Holds a notification's transaction and logs against what a node of the chain returns for them. */
import { asArray, asObject, type Json, type JsonObject } from "../../document/json.ts";
import type { Rule } from "./rules.ts";

/** Where a payload is not as on the chain. */
export type Difference = { rule: Rule; expected: string; came: string };

const timeoutMs = 30_000;
const zeroAddress = `0x${"0".repeat(40)}`;

/** @returns the differences, or in a sentence why the two could not be compared */
export async function differencesFromChain(
  nodeUrl: string,
  transaction: JsonObject,
  logs: readonly JsonObject[],
): Promise<Difference[] | string> {
  const { txHash, blockHash } = transaction;
  try {
    const [own, receipt, block] = await Promise.all([
      call(nodeUrl, "eth_getTransactionByHash", [txHash]),
      call(nodeUrl, "eth_getTransactionReceipt", [txHash]),
      call(nodeUrl, "eth_getBlockByHash", [blockHash, false]),
    ]);
    if (own.blockHash !== blockHash) return `the node of --rpc-url has no transaction ${txHash} in block ${blockHash}.`;
    return [
      ...differencesOf(transaction, expectedOf(own, receipt, block)),
      ...differencesOfLogs(logs, asArray(receipt.logs).map(asObject)),
    ];
  } catch (error) {
    return `the node of --rpc-url failed: ${error instanceof Error ? error.message : error}`;
  }
}

async function call(nodeUrl: string, method: string, params: readonly (Json | undefined)[]): Promise<JsonObject> {
  const response = await fetch(nodeUrl, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { result, error } = asObject((await response.json()) as Json);
  if (error !== undefined) throw new Error(`${method}: ${asObject(error).message}`);
  return asObject(result);
}

/** The fields that every chain and node has alike. */
function expectedOf(own: JsonObject, receipt: JsonObject, block: JsonObject): JsonObject {
  const type = Number(own.type ?? 0);
  // A node says of a later type what it came to. The contract leaves that to the receipt.
  const ofMarket = { maxFeePerGas: decimal(own.maxFeePerGas), maxPriorityFeePerGas: decimal(own.maxPriorityFeePerGas) };
  const prices = type < 2 ? { gasPrice: decimal(own.gasPrice) } : ofMarket;
  return {
    type,
    ...prices,
    receiptEffectiveGasPrice: decimal(receipt.effectiveGasPrice),
    receiptCumulativeGasUsed: decimal(receipt.cumulativeGasUsed),
    blockNumber: decimal(own.blockNumber),
    from: lower(own.from),
    to: own.to === null ? zeroAddress : lower(own.to),
    input: lower(own.input),
    nonce: decimal(own.nonce),
    value: decimal(own.value),
    gas: decimal(own.gas),
    transactionIndex: Number(own.transactionIndex),
    receiptGasUsed: decimal(receipt.gasUsed),
    txStatus: decimal(receipt.status),
    // Some nodes name a contract that a failed creation did not make.
    ...(receipt.status === "0x1" && { contractAddress: lower(receipt.contractAddress) ?? zeroAddress }),
    blockTimestamp: Number(block.timestamp),
  };
}

function differencesOf(transaction: JsonObject, expected: JsonObject): Difference[] {
  return Object.entries(expected).flatMap(([name, value]) => {
    if (value === undefined || transaction[name] === value) return [];
    const said = (one: Json | undefined) => `${name}: ${shortened(JSON.stringify(one))}`;
    return [{ rule: "payload-as-on-chain", expected: said(value), came: said(transaction[name]) }];
  });
}

function differencesOfLogs(logs: readonly JsonObject[], onChain: readonly JsonObject[]): Difference[] {
  const rule = "logs-complete";
  if (logs.length !== onChain.length)
    return [{ rule, expected: `${onChain.length} logs, as on the chain`, came: `${logs.length} logs` }];
  return onChain.flatMap(({ address, topics, data }, index) => {
    const expected = [lower(address), ...[0, 1, 2, 3].map((n) => lower(asArray(topics)[n]) ?? null), lower(data)];
    const log = asObject(logs[index]);
    const came = [log.address, log.topic0, log.topic1, log.topic2, log.topic3, log.data];
    if (JSON.stringify(expected) === JSON.stringify(came)) return [];
    return [{ rule, expected: `log ${index}: ${shortened(expected.join(" "))}`, came: shortened(came.join(" ")) }];
  });
}

function decimal(value: Json | undefined): string | undefined {
  return typeof value === "string" ? BigInt(value).toString() : undefined;
}

function lower(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value.toLowerCase() : undefined;
}

function shortened(text = ""): string {
  return text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text;
}

/** Asks a node what the contracts of tokens say of themselves. Gas bounds each answer: what costs more does not count as one. */
import type { TokenMetadata } from "../../matching/transfers.ts";
import { type Node, NodeError } from "../nodes/node.ts";
import { aggregate3, answersIn, decimalsIn, type InnerCall, multicall3, textIn } from "./multicall.ts";

const selectors = { name: "0x06fdde03", symbol: "0x95d89b41", decimals: "0x313ce567" } as const;
const fields = ["name", "symbol", "decimals"] as const;

/** A proxy with a long name takes 60,000. An answer is at most 490 KB, since memory for more costs more. */
const gasOfCall = "0x7a120";
/** One contract can use up nearly all of it. What fails then is asked for alone. */
const gasOfMulticall = "0x989680";
const contractsPerMulticall = 40;
/** For fewer, the calls fit in one batch, and cannot disturb one another. */
const fewContracts = 3;

/** `"latest"`, or a block's number in hex. */
type BlockTag = string;
/** Undefined while it could not be asked. */
type Answer = string | null | undefined;

/**
 * @param options.block the number of the block at which to ask. A node without its state is asked at its newest block
 * @param options.signal after it, nothing more is asked
 * @returns what the contracts say; those that could not be asked are missing
 * @throws NodeError if the node cannot be asked at all
 */
export async function askContracts(
  connected: Node,
  contracts: readonly string[],
  { block, signal }: { block: number; signal: AbortSignal },
): Promise<Map<string, TokenMetadata>> {
  const node: Node = {
    ...connected,
    request: async (method, params) => {
      if (signal.aborted) throw new NodeError("no time is left", { method, origin: connected.origin });
      return connected.request(method, params);
    },
  };
  const at = await usableBlock(node, `0x${block.toString(16)}`);
  const calls = contracts.flatMap((contract) => fields.map((field) => ({ contract, selector: selectors[field] })));
  const together = contracts.length > fewContracts ? await askTogether(node, calls, at) : calls.map(() => undefined);
  const answers = await Promise.all(calls.map((call, index) => together[index] ?? askAlone(node, call, at)));
  const found = new Map<string, TokenMetadata>();
  for (const [index, contract] of contracts.entries()) {
    const [name, symbol, decimals] = answers.slice(index * fields.length, (index + 1) * fields.length);
    if (name === undefined || symbol === undefined || decimals === undefined) continue;
    const metadata = {
      name: name && textIn(name),
      symbol: symbol && textIn(symbol),
      decimals: decimals === null ? null : decimalsIn(decimals),
    };
    // At its newest block, a node that lags may not have the contract yet.
    if (at === "latest" && Object.values(metadata).every((value) => value === null)) continue;
    found.set(contract, metadata);
  }
  return found;
}

/** The identity precompile: whoever cannot call it has no state of that block. */
const probe = { to: "0x0000000000000000000000000000000000000004", data: "0x01", gas: gasOfCall };

async function usableBlock(node: Node, at: BlockTag): Promise<BlockTag> {
  try {
    await node.request("eth_call", [probe, at]);
    return at;
  } catch (error) {
    if (!(error instanceof NodeError) || error.rpcCode === undefined || error.throttled) throw error;
    await node.request("eth_call", [probe, "latest"]);
    return "latest";
  }
}

/** @returns undefined for what failed, and for everything where there is no multicall */
async function askTogether(node: Node, calls: readonly InnerCall[], at: BlockTag): Promise<(string | undefined)[]> {
  const size = contractsPerMulticall * fields.length;
  const parts = Array.from({ length: Math.ceil(calls.length / size) }, (_, index) =>
    calls.slice(index * size, (index + 1) * size),
  );
  const answers = await Promise.all(
    parts.map(async (part) => {
      const answer = await ask(node, { to: multicall3, data: aggregate3(part), gas: gasOfMulticall }, at);
      return answersIn(answer ?? "0x", part.length);
    }),
  );
  return answers.flat();
}

const askAlone = (node: Node, { contract, selector }: InnerCall, at: BlockTag): Promise<Answer> =>
  ask(node, { to: contract, data: selector, gas: gasOfCall }, at);

/** @returns null if the contract did not answer, undefined if we do not know */
async function ask(node: Node, call: Record<string, string>, at: BlockTag): Promise<Answer> {
  try {
    const answer = await node.request<unknown>("eth_call", [call, at]);
    return typeof answer === "string" && /^0x[0-9a-f]*$/i.test(answer) ? answer : undefined;
  } catch (error) {
    return error instanceof NodeError && isOfContract(error) ? null : undefined;
  }
}

/** Code 3 is a revert. Others say it in words; a time-out or a limit is the node's. */
function isOfContract({ rpcCode, reason, throttled }: NodeError): boolean {
  if (rpcCode === undefined || throttled) return false;
  return (
    rpcCode === 3 || (/revert|gas|oog|opcode|jump|stack|evm error|vm exception/i.test(reason) && !/time/i.test(reason))
  );
}

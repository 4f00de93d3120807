/**
 * What is known of tokens, for one chain. What is not known is asked of a node between two attempts to record a step, never while the
 * chain's lock is held, and for a limited time. Then the step goes on: a contract that was not asked in time has nulls, and is asked again
 * for a later notification.
 *
 * Room `tokens/`: what contracts of tokens say of themselves. It imports `nodes/`; only `follow/` imports it.
 */
import type { Logger } from "../../base/log.ts";
import type { TokenBook, TokenMetadata } from "../../matching/transfers.ts";
import { findTokens, recordTokens } from "../../store/chains/tokens.ts";
import type { Pool, Queryable } from "../../store/pool.ts";
import { connectNode, type Node, NodeError, type OnCall, reportCalls, reportThrottled } from "../nodes/node.ts";
import { nodeAddress } from "../nodes/node-address.ts";
import { askContracts } from "./ask-contracts.ts";

/** A step waits no longer for tokens. */
const waitMs = 400;
/** Meanwhile they are asked for, so that the next notification has them. */
const askMs = 5_000;
/** A block full of new tokens must not occupy a node for long. */
const mostAsked = 400;
/** About 2 MB. */
const mostKnown = 10_000;
/** The follower needs the node, too. */
const maxConcurrent = 2;

/** The tokens of one attempt to record a step. */
export type TokenPass = {
  /** @param db the attempt's transaction @throws what the database throws */
  find(db: Queryable, contracts: readonly string[]): Promise<TokenBook>;
  /** Call this before anything is written. @throws TokensUnknownError in the first attempt, if some can be asked */
  assertAsked(): void;
};

export type TokenReader = {
  /** @param block the newest block of the step @param record tried again, once, after tokens were asked for */
  withTokens<T>(block: number, record: (pass: TokenPass) => Promise<T>): Promise<T>;
};

class TokensUnknownError extends Error {
  override readonly name = "TokensUnknownError";
}

/** @param options.signal ends what is asked @param options.callsOf counts the calls of a node */
export function createTokenReader(options: {
  pool: Pool;
  chain: { chainId: string; rpcUrls: readonly string[] };
  callsOf: (node: string) => OnCall;
  log: Logger;
  signal: AbortSignal;
}): TokenReader {
  const { pool, chain, callsOf, log, signal } = options;
  const known = new Map<string, TokenMetadata>();
  const times: AskingTimes = askingTimes();
  let connected: ReturnType<typeof connectNode>[] | undefined;

  /** Most processes never need them. */
  function nodes() {
    connected ??= chain.rpcUrls.map((url) => {
      const onCall = callsOf(nodeAddress(url).origin);
      const alone = chain.rpcUrls.length === 1;
      return countAnswers(
        connectNode(url, { signal, maxConcurrent, alone, onThrottled: reportThrottled(onCall) }),
        onCall,
      );
    });
    return connected;
  }

  function remember(tokens: ReadonlyMap<string, TokenMetadata>): void {
    for (const [contract, metadata] of tokens) known.set(contract, metadata);
    for (const contract of known.keys()) {
      if (known.size <= mostKnown) return;
      known.delete(contract);
    }
  }

  async function find(db: Queryable, contracts: readonly string[]): Promise<Map<string, TokenMetadata>> {
    const found = new Map<string, TokenMetadata>();
    const look = (tokens: ReadonlyMap<string, TokenMetadata>) => {
      for (const contract of contracts) {
        const metadata = tokens.get(contract);
        if (metadata) found.set(contract, metadata);
      }
    };
    look(known);
    const unknown = contracts.filter((contract) => !found.has(contract));
    if (unknown.length === 0) return found;
    const recorded = await findTokens(db, chain.chainId, unknown);
    look(recorded);
    remember(recorded);
    return found;
  }

  /** Whoever lacks the record asks again. */
  async function record(found: ReadonlyMap<string, TokenMetadata>, block: number): Promise<void> {
    await recordTokens(pool, { chainId: chain.chainId, block }, found).catch((error: unknown) => {
      log.warn({ block, reason: String(error) }, "tokens could not be recorded");
    });
  }

  async function ask(contracts: readonly string[], block: number): Promise<void> {
    for (const node of nodes()) {
      const late = new AbortController();
      const timer = setTimeout(() => {
        late.abort();
        node.cancel();
      }, askMs);
      try {
        const found = await askContracts(node, contracts, { block, signal: late.signal });
        times.asked(contracts, new Set(found.keys()));
        remember(found);
        log.debug({ block, contracts: contracts.length, read: found.size }, "contracts of tokens were asked");
        if (found.size > 0) await record(found, block);
        return;
      } catch (error) {
        if (signal.aborted) return;
        // Only the node's own words: those of a contract are in no NodeError that gets here.
        const reason = error instanceof NodeError ? error.message : String(error);
        log.warn({ block, node: node.origin, reason }, "tokens could not be read; they will be later");
      } finally {
        clearTimeout(timer);
      }
    }
    times.noNode(contracts);
  }

  /** @returns once all are asked, or after `waitMs` */
  async function askFor(contracts: readonly string[], block: number): Promise<void> {
    times.begin(contracts);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, waitMs);
    });
    await Promise.race([ask(contracts, block), late]).finally(() => clearTimeout(timer));
  }

  function createPass(isLast: boolean): TokenPass & { unknown: ReadonlySet<string> } {
    const unknown = new Set<string>();
    return {
      unknown,
      async find(db, contracts) {
        const found = await find(db, contracts);
        for (const contract of contracts)
          if (!isLast && unknown.size < mostAsked && !found.has(contract) && times.mayAsk(contract))
            unknown.add(contract);
        return found;
      },
      assertAsked() {
        if (unknown.size > 0) throw new TokensUnknownError(`${unknown.size} tokens are unknown`);
      },
    };
  }

  return {
    async withTokens(block, record) {
      const first = createPass(false);
      try {
        return await record(first);
      } catch (error) {
        if (!(error instanceof TokensUnknownError)) throw error;
      }
      await askFor([...first.unknown], block);
      return record(createPass(true));
    },
  };
}

/** @returns the same node, which reports each call when it ends. A contract that fails is an answer of its node, not a failure. */
function countAnswers(node: Node, onCall: OnCall): Node {
  const request: Node["request"] = async <T>(method: string, params: readonly unknown[]): Promise<T> => {
    const answering = { ...node, request: <R>() => answered<R>(node.request(method, params)) };
    const answer = await reportCalls(answering, onCall).request<{ result: T } | { refused: NodeError }>(method, params);
    if ("refused" in answer) throw answer.refused;
    return answer.result;
  };
  return { ...node, request };
}

async function answered<R>(call: Promise<unknown>): Promise<R> {
  try {
    return { result: await call } as R;
  } catch (error) {
    if (error instanceof NodeError && error.rpcCode !== undefined && !error.throttled) return { refused: error } as R;
    throw error;
  }
}

/** When to ask for a token again: not while it is asked for, and the later, the more often that failed. */
type AskingTimes = {
  mayAsk(contract: string): boolean;
  begin(contracts: readonly string[]): void;
  /** A node was asked. @param answered those that need not be asked again */
  asked(contracts: readonly string[], answered: ReadonlySet<string>): void;
  /** No node could be asked, which says nothing about the contracts. */
  noNode(contracts: readonly string[]): void;
};

const shortestMs = 10_000;
const longestMs = 3_600_000;
/** Without a node, blocks wait for tokens only so often. */
const noNodeMs = 5_000;
const longestNoNodeMs = 60_000;
const mostRemembered = 10_000;

/** @param now a monotonic clock, in ms */
export function askingTimes(now: () => number = () => performance.now()): AskingTimes {
  const inFlight = new Set<string>();
  const failed = new Map<string, { times: number; until: number }>();
  let outages = 0;
  let outUntil = Number.NEGATIVE_INFINITY;

  const end = (contracts: readonly string[]) => {
    for (const contract of contracts) inFlight.delete(contract);
  };

  return {
    mayAsk: (contract) =>
      now() >= outUntil &&
      !inFlight.has(contract) &&
      now() >= (failed.get(contract)?.until ?? Number.NEGATIVE_INFINITY),
    begin(contracts) {
      for (const contract of contracts) inFlight.add(contract);
    },
    asked(contracts, answered) {
      end(contracts);
      outages = 0;
      for (const contract of contracts) {
        const times = (failed.get(contract)?.times ?? 0) + 1;
        failed.delete(contract);
        if (!answered.has(contract))
          failed.set(contract, { times, until: now() + Math.min(longestMs, shortestMs * 2 ** (times - 1)) });
      }
      for (const contract of failed.keys()) {
        if (failed.size <= mostRemembered) return;
        failed.delete(contract);
      }
    },
    noNode(contracts) {
      end(contracts);
      outUntil = now() + Math.min(longestNoNodeMs, noNodeMs * 2 ** outages);
      outages += 1;
    },
  };
}

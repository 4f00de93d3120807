/**
 * Answers the questions that the API asks about blocks: previews, explanations, and where a history can begin. Any process that follows chains does so, without a lease:
 * a question belongs to whoever claims it. It has threads and nodes of its own, so neither what it takes nor what it finds of a node changes
 * anything for following.
 */
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import { createPause, untilTick } from "../../base/pause.ts";
import type { ChainConfig } from "../../settings/chains.ts";
import { type NewAnswer, type Question, takeQuestions, writeAnswer } from "../../store/chains/questions.ts";
import { hasQuestions } from "../../store/chains/work-to-do.ts";
import type { Pool } from "../../store/pool.ts";
import { connectNode, type Node, type OnCall, reportCalls, reportThrottled } from "../nodes/node.ts";
import { nodeAddress } from "../nodes/node-address.ts";
import { chainMetrics, logSkippedChecks } from "../observe.ts";
import { type BlockReader, createReader } from "../read/reader.ts";
import { type OwnThread, startOwnThread } from "../read/threads.ts";
import { createNodePool, NodePace, type NodePool } from "../sources/node-pool.ts";
import { createTokenReader, type TokenReader } from "../tokens/token-reader.ts";
import { answerFrom, firstAnswer } from "./answer-question.ts";

/** Each has a thread. An account alone has half of them. */
const maxInFlight = 4;
const idlePauseMs = 1_000;
/** Whoever asked once asks again soon. An account alone has at most twenty blocks a second read. */
const busyPauseMs = 100;
const busyForMs = 10_000;
/** How long a question has, nodes and computing together: whoever asked waits. Then its thread is ended. */
const deadlineMs = 7_000;
const staggerMs = 2_000;
/** When a search ends with what is known, so that the answer is there in time. */
const searchMs = 5_500;

type Connected = {
  nodes: NodePool;
  /** What reading from each node takes. */
  sources: ReadonlyMap<Node, { url: string; chain: ChainConfig; onCall: OnCall }>;
  tokens: TokenReader;
  inFlight: number;
};

export function answerQuestions(options: {
  pool: Pool;
  chains: readonly ChainConfig[];
  log: Logger;
  metrics: Metrics;
}): { stop(): Promise<void> } {
  const { pool, metrics, log } = options;
  const chains = new Map(options.chains.map((chain) => [chain.chainId, chain]));
  const paces = new Map(options.chains.map(({ chainId }) => [chainId, new NodePace()]));
  const controller = new AbortController();
  const { signal } = controller;
  setMaxListeners(0, signal);
  const pause = createPause(signal);
  const connections = new Map<string, Connected>();
  const threads = createQuestionThreads(log);
  const byAccount = new Map<number, number>();
  const running = new Set<Promise<void>>();
  let busyUntil = 0;

  function connect(chain: ChainConfig): Connected {
    const known = connections.get(chain.chainId);
    if (known) return known;
    const counted = chainMetrics(metrics, chain.chainId, "plain");
    const pace = paces.get(chain.chainId);
    const tokens = createTokenReader({ pool, chain, callsOf: counted.callsOf, log, signal });
    const sources = new Map(
      chain.rpcUrls.map((url) => {
        const count = counted.callsOf(nodeAddress(url).origin);
        const onCall: OnCall = (call) => {
          if (call.outcome === "throttled") pace?.throttled();
          count(call);
        };
        const node = connectNode(url, { signal, onThrottled: reportThrottled(onCall) });
        return [reportCalls(node, onCall), { url, chain, onCall }];
      }),
    );
    const made = { nodes: createNodePool([...sources.keys()]), sources, tokens, inFlight: 0 };
    connections.set(chain.chainId, made);
    return made;
  }

  async function answer(question: Question): Promise<void> {
    const chain = chains.get(question.chainId);
    if (!chain) return;
    const connected = connect(chain);
    const { nodes, sources, tokens } = connected;
    const thread = await threads.lend();
    let asking = 0;
    let isOver = false;
    connected.inFlight += 1;
    const asked = inOrder(connected);
    const untilMs = performance.now() + searchMs;
    const answered = new Set<Node>();
    const found = await firstAnswer(
      asked,
      async (node) => {
        const source = sources.get(node);
        if (!source) throw new Error("the node is of another chain");
        asking += 1;
        try {
          const reader = thread.readerOf(node, source);
          const by = { chain, node, reader, tokens, witnesses: nodes.witnesses(node) };
          const answer = await answerFrom(by, pool, { question, untilMs });
          nodes.noteSuccess(node);
          answered.add(node);
          return answer;
        } finally {
          asking -= 1;
        }
      },
      {
        ...{ staggerMs, deadlineMs },
        onSlow(node, error) {
          if (isOver) return;
          // Only the order changes: if no other node is left, this one is asked all the same.
          nodes.setAside(node, error);
          const place = "historyFrom" in question ? { blockNumber: question.historyFrom } : question.place;
          log.debug({ err: error, node: node.origin, place }, "a node did not answer a question");
        },
        better: longerHistory,
      },
    );
    isOver = true;
    thread.giveBack(asking === 0);
    connected.inFlight -= 1;
    if (found === undefined && connected.inFlight === 0) cancel(connected);
    // Another node, which has not answered, may have what these have forgotten.
    const isOpen = isForgotten(found) && answered.size < asked.length;
    if (!signal.aborted) await writeAnswer(pool, question, isOpen ? "failed" : (found ?? "failed"));
  }

  function start(question: Question): void {
    const { accountId, chainId } = question;
    const pace = paces.get(chainId);
    pace?.started();
    byAccount.set(accountId, (byAccount.get(accountId) ?? 0) + 1);
    const work = answer(question)
      .catch((err: unknown) => log.warn({ err }, "a question could not be answered"))
      .finally(() => {
        pace?.ended();
        const left = (byAccount.get(accountId) ?? 0) - 1;
        if (left > 0) byAccount.set(accountId, left);
        else byAccount.delete(accountId);
        running.delete(work);
      });
    running.add(work);
  }

  async function takeSome(): Promise<void> {
    if (running.size >= maxInFlight) return;
    const open = [...paces].filter(([, pace]) => pace.mayStart());
    if (open.length === 0) return;
    const chainIds = open.map(([chainId]) => chainId);
    const isBusy = running.size > 0 || performance.now() < busyUntil;
    if (!isBusy && !(await hasQuestions(pool, chainIds, idlePauseMs / 2))) return;
    const fast = open.flatMap(([chainId, pace]) => (pace.isSlow() ? [] : [chainId]));
    const taken = fast.length > 0 ? await takeQuestions(pool, fast, byAccount, maxInFlight) : [];
    // Of a chain whose nodes throttle, one, if it has none in flight.
    for (const [chainId, pace] of open) {
      if (running.size + taken.length >= maxInFlight) break;
      if (pace.isSlow()) taken.push(...(await takeQuestions(pool, [chainId], new Map(), 1)));
    }
    if (taken.length > 0) busyUntil = performance.now() + busyForMs;
    for (const question of taken) start(question);
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const failed = await takeSome().then(
        () => false,
        (err: unknown) => {
          log.warn({ err }, "questions could not be read; it will be retried");
          return true;
        },
      );
      const isBusy = !failed && performance.now() < busyUntil;
      await pause.wait(isBusy ? busyPauseMs : untilTick(idlePauseMs));
    }
    await Promise.all(running);
  }

  const done = run();
  return {
    stop() {
      controller.abort();
      threads.stop();
      return done;
    },
  };
}

/** Of two nodes that have forgotten old blocks, or that lag, the one that has more. */
function longerHistory(known: NewAnswer, other: NewAnswer): NewAnswer {
  const firstOf = (answer: NewAnswer) =>
    typeof answer !== "string" && "firstBlock" in answer ? answer.firstBlock : undefined;
  const [first, second] = [firstOf(known), firstOf(other)];
  return second !== undefined && (first === undefined || second < first) ? other : known;
}

/** Whether nodes say that they have forgotten a history's first block. */
const isForgotten = (found: unknown): boolean => typeof found === "object" && found !== null && "firstBlock" in found;

/** The available nodes, then those set aside. */
function inOrder({ nodes, sources }: Connected): Node[] {
  const order = new Set<Node>();
  for (let node = nodes.pick(order); node; node = nodes.pick(order)) order.add(node);
  for (const node of sources.keys()) order.add(node);
  return [...order];
}

/** Nobody waits for what these nodes still do. */
function cancel({ sources }: Connected): void {
  for (const node of sources.keys()) node.cancel();
}

/** How long a thread may take to start. The question's own time begins afterwards. */
const startMs = 10_000;

/** A thread, lent to one question. */
type LentThread = {
  /** Reads from a node in this thread. */
  readerOf(node: Node, of: { url: string; chain: ChainConfig; onCall: OnCall }): BlockReader;
  /** Call this once the question has its answer, or none. @param isDone whether nobody uses the thread any longer; otherwise it is ended */
  giveBack(isDone: boolean): void;
};

type KeptThread = { thread: OwnThread; readers: Map<Node, BlockReader>; controller: AbortController };

/**
 * The threads in which questions are answered. A question may take any time: the caller chooses the block, and what to make of it. So each has
 * a thread of its own while it is in flight. When its time is over, the thread is ended, since nothing else stops a computation.
 */
type QuestionThreads = {
  /** @returns once it has started */
  lend(): Promise<LentThread>;
  /** Ends all. */
  stop(): void;
};

function createQuestionThreads(log: Logger): QuestionThreads {
  const onSkippedCheck = logSkippedChecks(log);
  const idle: KeptThread[] = [];
  const lent = new Set<KeptThread>();

  function end(kept: KeptThread): void {
    kept.controller.abort();
    kept.thread.end();
  }

  return {
    async lend() {
      const kept = idle.pop() ?? { thread: startOwnThread(), readers: new Map(), controller: new AbortController() };
      const { thread, readers, controller } = kept;
      lent.add(kept);
      const late = new AbortController();
      const { signal: isReady } = late;
      await Promise.race([thread.ready, sleep(startMs, undefined, { signal: isReady }).catch(() => undefined)]);
      late.abort();
      return {
        readerOf(node, { url, chain, onCall }) {
          const { signal } = controller;
          const reader = readers.get(node) ?? createReader({ url, chain, signal, onCall, onSkippedCheck, thread });
          readers.set(node, reader);
          return reader;
        },
        giveBack(isDone) {
          lent.delete(kept);
          if (isDone && !thread.hasEnded()) idle.push(kept);
          else end(kept);
        },
      };
    },
    stop() {
      for (const kept of [...idle.splice(0), ...lent]) end(kept);
    },
  };
}

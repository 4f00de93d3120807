/**
 * Answers the questions that the API asks about blocks: previews and explanations. Any process that follows chains does so, without a lease:
 * a question belongs to whoever claims it. It has threads and nodes of its own, so neither what it takes nor what it finds of a node changes
 * anything for following.
 */
import { setMaxListeners } from "node:events";
import type { Logger } from "../../log.ts";
import type { Metrics } from "../../metrics.ts";
import { type Question, takeQuestions, writeAnswer } from "../../store/chains/questions.ts";
import { hasQuestions } from "../../store/chains/work-to-do.ts";
import { createPause, untilTick } from "../../store/pause.ts";
import type { Pool } from "../../store/pool.ts";
import type { ChainConfig } from "../config.ts";
import { connectNode, type Node } from "../nodes/node.ts";
import { type OnCall, reportCalls } from "../nodes/node-calls.ts";
import { createTokenReader, type TokenReader } from "../tokens/token-reader.ts";
import { answerFrom } from "./answer-question.ts";
import { firstAnswer } from "./first-answer.ts";
import { createNodePool, type NodePool } from "./node-pool.ts";
import { chainMetrics } from "./observe.ts";
import { createQuestionThreads } from "./question-threads.ts";

/** Each has a thread. An account alone has half of them. */
const maxInFlight = 4;
const idlePauseMs = 1_000;
/** Whoever asked once asks again soon. An account alone has at most twenty blocks a second read. */
const busyPauseMs = 100;
const busyForMs = 10_000;
/** How long a question has, nodes and computing together: whoever asked waits. Then its thread is ended. */
const deadlineMs = 7_000;
const staggerMs = 2_000;

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
  const chainIds = [...chains.keys()];
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
    const tokens = createTokenReader({ pool, chain, callsOf: counted.callsOf, log, signal });
    const sources = new Map(
      chain.rpcUrls.map((url) => {
        const node = connectNode(url, { signal });
        const onCall = counted.callsOf(node.origin);
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
    const found = await firstAnswer(
      inOrder(connected),
      async (node) => {
        const source = sources.get(node);
        if (!source) throw new Error("the node is of another chain");
        asking += 1;
        try {
          const reader = thread.readerOf(node, source);
          const by = { chain, node, reader, tokens, witnesses: nodes.witnesses(node) };
          const answered = await answerFrom(by, pool, question);
          nodes.noteSuccess(node);
          return answered;
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
          log.debug({ err: error, node: node.origin, place: question.place }, "a node did not answer a question");
        },
      },
    );
    isOver = true;
    thread.giveBack(asking === 0);
    connected.inFlight -= 1;
    if (found === undefined && connected.inFlight === 0) cancel(connected);
    if (!signal.aborted) await writeAnswer(pool, question, found ?? "failed");
  }

  function start(question: Question): void {
    const { accountId } = question;
    byAccount.set(accountId, (byAccount.get(accountId) ?? 0) + 1);
    const work = answer(question)
      .catch((err: unknown) => log.warn({ err }, "a question could not be answered"))
      .finally(() => {
        const left = (byAccount.get(accountId) ?? 0) - 1;
        if (left > 0) byAccount.set(accountId, left);
        else byAccount.delete(accountId);
        running.delete(work);
      });
    running.add(work);
  }

  async function takeSome(): Promise<void> {
    if (running.size >= maxInFlight) return;
    const isBusy = running.size > 0 || performance.now() < busyUntil;
    if (!isBusy && !(await hasQuestions(pool, chainIds, idlePauseMs / 2))) return;
    const taken = await takeQuestions(pool, chainIds, byAccount, maxInFlight);
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

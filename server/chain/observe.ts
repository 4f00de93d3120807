/** What following a chain shows to operators: metrics, traces, and the checks that blocks were accepted without. */
import type { Logger } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import type { Tracing } from "../base/tracing.ts";
import { callOutcomes, type OnCall } from "./nodes/node.ts";
import type { ReadBlock } from "./read/block.ts";
import type { OnSkippedCheck } from "./read/reader.ts";

/** The metrics of one kind of a chain's lanes. */
export type ChainMetrics = {
  /** @param step.replaced how many blocks left the chain */
  step(step: { blocks: number; replaced: number; notifications: number }): void;
  /** @param node its origin @returns counts the calls of the node */
  callsOf(node: string): OnCall;
  /** Where the lane's next block comes from. @param lag how many blocks it is behind the stream, if that is known */
  from(source: "stream" | "nodes", lag: number | undefined): void;
  /** A block of the stream was refused. */
  blocksRefused(): void;
  /** Whether this process publishes the chain's blocks. */
  publishes(active: boolean): void;
  /** A block was published in so many bytes. */
  published(bytes: number): void;
  /** The logs of two nodes differ, or those of one and its block. @param nodes their origins */
  logsContradicted(nodes: readonly string[]): void;
  /** Shows which nodes are set aside, until the signal. */
  showNodes(nodes: { status(): { origin: string; aside: boolean }[] }, signal: AbortSignal): void;
};

export function chainMetrics({ chain, blocks, onScrape }: Metrics, chainId: string, lane: string): ChainMetrics {
  const ofChain = { chain_id: chainId };
  const ofLane = { ...ofChain, lane };
  chain.blocks.inc(ofLane, 0);
  chain.notifications.inc(ofLane, 0);
  chain.reorgDepth.zero(ofLane);
  chain.replayed.inc(ofChain, 0);

  return {
    step({ blocks, notifications, replaced }) {
      chain.blocks.inc(ofLane, blocks);
      chain.notifications.inc(ofLane, notifications);
      if (replaced > 0) chain.reorgDepth.observe(ofLane, replaced);
    },
    from(source, lag) {
      blocks.fromStream.set(ofLane, source === "stream" ? 1 : 0);
      if (lag !== undefined) blocks.streamLag.set(ofLane, lag);
    },
    blocksRefused: () => blocks.refused.inc(ofLane),
    publishes: (active) => blocks.publishing.set(ofChain, active ? 1 : 0),
    published(bytes) {
      blocks.published.inc(ofChain);
      blocks.publishedBytes.inc(ofChain, bytes);
    },
    callsOf(node) {
      const labels = { ...ofChain, node };
      for (const outcome of callOutcomes) chain.calls.inc({ ...labels, outcome }, 0);
      return ({ method, outcome, seconds }) => {
        chain.calls.inc({ ...labels, outcome });
        chain.callSeconds.observe({ ...labels, method }, seconds);
      };
    },
    logsContradicted: ([node = "", other = node]) => chain.logsContradicted.inc({ ...ofChain, node, other }),
    showNodes(nodes, signal) {
      const show = () => {
        const status = nodes.status();
        for (const { origin } of status) {
          // Nodes of the same origin, such as a provider's with two keys, share a series.
          const aside = status.some((node) => node.origin === origin && node.aside);
          chain.nodeAside.set({ ...ofLane, node: origin }, aside ? 1 : 0);
        }
      };
      const end = onScrape(show);
      signal.addEventListener(
        "abort",
        () => {
          end();
          for (const { origin } of nodes.status()) chain.nodeAside.remove({ ...ofLane, node: origin });
        },
        { once: true },
      );
    },
  };
}

export type BlockTrace = {
  /** Blocks were recorded together. @param step.from when recording started @param step.notifications of all of them */
  recorded(blocks: readonly ReadBlock[], step: { from: number; node: string; notifications: number }): void;
};

/** Traces how long each block took to be fetched, checked and recorded. */
export function traceBlocks(tracing: Tracing, chainId: string): BlockTrace {
  return {
    recorded(blocks, { from, node, notifications }) {
      const to = performance.now();
      const here = (epoch: number) => epoch - performance.timeOrigin;
      const together = { "chain_webhooks.blocks": blocks.length, "chain_webhooks.notifications": notifications };
      for (const { hash: blockHash, number, transactions, times } of blocks) {
        if (!times) continue;
        const { requestedAt, fetchedAt, checkedAt } = times;
        const [requested, fetched, checked] = [here(requestedAt), here(fetchedAt), here(checkedAt)];
        const span = (name: string, start: number, end: number, more: Record<string, string | number>) => ({
          ...{ name, blockHash, from: start, to: end },
          attributes: { "chain_webhooks.chain_id": chainId, "chain_webhooks.block": number, ...more },
        });
        tracing.record({
          ...span("block", requested, to, { "chain_webhooks.transactions": transactions }),
          isRoot: true,
        });
        tracing.record({ ...span("fetch", requested, fetched, { "chain_webhooks.node": node }), isClient: true });
        tracing.record(span("check", fetched, checked, {}));
        tracing.record(span("record", from, to, together));
      }
    },
  };
}

const logEvery = 1_000;
/** Reasons may quote a node. Beyond this many, blocks are counted by check only. */
const maxReasons = 100;

/** Logs what blocks are accepted without: the first block, then every thousandth, with the number so far. */
export function logSkippedChecks(log: Logger): OnSkippedCheck {
  const counts = new Map<string, number>();
  return ({ check, reason }, { number, hash }) => {
    const full = `${check} ${reason}`;
    const key = counts.size < maxReasons || counts.has(full) ? full : check;
    const blocks = (counts.get(key) ?? 0) + 1;
    counts.set(key, blocks);
    const level = blocks === 1 || blocks % logEvery === 0 ? "warn" : "debug";
    log[level]({ check, reason, block: number, hash, blocks }, "a block is accepted without a check");
  };
}

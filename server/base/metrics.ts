/**
 * The service's metrics for Prometheus, one set a process. State that all processes share, such as how far a chain is followed, is read
 * from the tables at each scrape (api/monitoring/app.ts).
 */
import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** The instruments, by room. Labels hold only what is configured or in the contract, so their number is bounded. */
export type Metrics = ReturnType<typeof createMetrics>;

const prefix = "chain_webhooks_";
const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** For durations that are usually milliseconds, and hours when something is down. */
const delays = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200];

/** @param cell the label of every metric, where the cell has a name */
export function createMetrics(cell?: string) {
  const registry = new Registry();
  if (cell !== undefined) registry.setDefaultLabels({ cell });
  const scraped = new Set<() => void>();
  const about = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) => ({
    name: prefix + name,
    help,
    labelNames,
    registers: [registry],
  });
  const counter = <Label extends string>(...of: Parameters<typeof about<Label>>) => new Counter(about(...of));
  const gauge = <Label extends string>(...of: Parameters<typeof about<Label>>) => new Gauge(about(...of));
  const histogram = <Label extends string>(buckets: number[], ...of: Parameters<typeof about<Label>>) =>
    new Histogram({ ...about(...of), buckets });
  const attemptSeconds = histogram(seconds, "delivery_attempt_duration_seconds", "How long an attempt took.", [
    "outcome",
  ]);
  const ownedLeases = gauge("lease_owned", "1 for each lease that this process owns.", ["kind", "key"]);

  return {
    registry,
    /** Calls `show` before each scrape, to set gauges. @returns a function that stops it */
    onScrape(show: () => void): () => void {
      scraped.add(show);
      return () => scraped.delete(show);
    },
    /** @returns everything in the text format of Prometheus */
    async text(): Promise<string> {
      ownedLeases.reset();
      for (const show of scraped) show();
      return registry.metrics();
    },
    chain: {
      head: gauge("chain_head_block", "The newest block that the chain's nodes reported.", ["chain_id", "lane"]),
      followed: gauge("chain_followed_block", "The newest block on record.", ["chain_id", "lane"]),
      lagBlocks: gauge("chain_lag_blocks", "How many blocks the lane is behind the head.", ["chain_id", "lane"]),
      lagSeconds: gauge("chain_lag_seconds", "For how long the lane has been behind its head; 0 at the head.", [
        "chain_id",
        "lane",
      ]),
      stopped: gauge("chain_stopped", "1 while the lane is stopped for this reason, else 0.", [
        "chain_id",
        "lane",
        "reason",
      ]),
      blocks: counter("chain_blocks_recorded_total", "Blocks recorded, by lane.", ["chain_id", "lane"]),
      notifications: counter(
        "chain_notifications_recorded_total",
        "Notifications recorded by following the chain, including retractions.",
        ["chain_id", "lane"],
      ),
      replayed: counter("chain_blocks_replayed_total", "Blocks that replays went through, each replay counted.", [
        "chain_id",
      ]),
      replays: gauge("chain_replays", "Unfinished replays: queued before their first block, or running.", [
        "chain_id",
        "state",
      ]),
      reorgDepth: histogram(
        [1, 2, 4, 8, 16, 32, 64, 128, 256],
        "chain_reorg_depth_blocks",
        "Reorganisations, by the number of recorded blocks that each orphaned.",
        ["chain_id", "lane"],
      ),
      calls: counter("rpc_calls_total", "JSON-RPC calls to a node, by outcome.", ["chain_id", "node", "outcome"]),
      callSeconds: histogram(
        seconds,
        "rpc_call_duration_seconds",
        "Time from a call to its answer, including the wait for its turn.",
        ["chain_id", "node", "method"],
      ),
      logsContradicted: counter(
        "chain_logs_contradicted_total",
        "Ranges of histories that were read whole, since the logs of two nodes differed, or a node's logs and its block.",
        ["chain_id", "node", "other"],
      ),
      nodeAside: gauge("rpc_node_set_aside", "1 while the node is not used because it failed, else 0.", [
        "chain_id",
        "lane",
        "node",
      ]),
    },
    blocks: {
      fromStream: gauge(
        "blocks_from_stream",
        "1 while the lane takes its blocks from the stream, 0 while from nodes.",
        ["chain_id", "lane"],
      ),
      streamLag: gauge("blocks_stream_lag", "How many blocks the lane is behind the stream's newest.", [
        "chain_id",
        "lane",
      ]),
      refused: counter("blocks_refused_total", "Blocks of the stream that were refused, and read from nodes instead.", [
        "chain_id",
        "lane",
      ]),
      publishing: gauge(
        "blocks_publishing",
        "1 while this process publishes the chain's blocks, 0 while it stands by.",
        ["chain_id"],
      ),
      published: counter("blocks_published_total", "Blocks published to the stream.", ["chain_id"]),
      publishedBytes: counter("blocks_published_bytes_total", "Their bytes, compressed.", ["chain_id"]),
    },
    delivery: {
      attempts: counter("delivery_attempts_total", "Delivery attempts, by outcome.", ["outcome"]),
      attemptSeconds,
      firstAttemptSeconds: histogram(
        delays,
        "delivery_first_attempt_delay_seconds",
        "Time from a notification's record, which is its block's, to its first attempt.",
        [],
      ),
      retrySeconds: histogram(
        delays,
        "delivery_retry_delay_seconds",
        "How long after their due time further attempts started.",
        [],
      ),
      pending: gauge(
        "delivery_pending_notifications",
        "Waiting notifications: for a first attempt, for their endpoint, for their webhook to be active, or for their next attempt " +
          "(100,000 means at least as many).",
        ["waiting_for"],
      ),
      oldest: gauge(
        "delivery_oldest_pending_seconds",
        "Age of the oldest notification without an attempt; 0 without any.",
        ["waiting_for"],
      ),
      expired: counter(
        "delivery_expired_notifications_total",
        "Notifications deleted undelivered at the end of retention, by what they waited for.",
        ["waiting_for"],
      ),
      held: gauge(
        "held_notifications",
        "Notifications that wait for their block to be as deep as their webhook wants (100,000 means at least as many).",
        ["chain_id"],
      ),
      retention: gauge(
        "delivery_retention_seconds",
        "How long notifications are kept: the longest retention that a process was configured with in the last day.",
        [],
      ),
      proxyFailures: counter(
        "delivery_egress_proxy_failures_total",
        "Connections that failed for the egress proxy's own sake, by kind of failure.",
        ["failure"],
      ),
      inFlight: gauge("delivery_in_flight_exchanges", "Requests to endpoints in flight from this process.", []),
      queued: gauge("delivery_queued_notifications", "Notifications that wait in this process's memory.", []),
      unrecorded: gauge(
        "delivery_unrecorded_attempts",
        "Attempts whose outcome this process has not recorded yet.",
        [],
      ),
      endpoints: gauge(
        "delivery_endpoints",
        "Endpoints in this process's memory: healthy, slowed after a failure, or paused.",
        ["state"],
      ),
    },
    lease: {
      leases: gauge("leases", "Leases by kind, and whether a live process owns them.", ["kind", "state"]),
      owned: ownedLeases,
    },
    moves: {
      unfinishedSeconds: gauge(
        "move_unfinished_seconds",
        "For how long an unfinished move of an account to or from another cell has been in its state: the longest.",
        ["direction", "state"],
      ),
    },
    http: {
      requestSeconds: histogram(
        seconds,
        "http_request_duration_seconds",
        "Requests to the API, by operationId; `other` without one.",
        ["operation", "status"],
      ),
      limited: counter("http_requests_limited_total", "Requests refused by a rate limit, by kind of limit.", ["limit"]),
      shed: counter("http_requests_shed_total", "Requests refused because the process was overloaded.", []),
      inFlight: gauge("http_requests_in_flight", "Requests that the API is handling.", []),
      feedReaders: gauge("http_feed_readers", "Readers of feeds that have a connection to this process.", []),
    },
    database: {
      up: gauge("database_up", "1 when the database answered just now and takes writes, else 0.", []),
      connections: gauge(
        "database_connections",
        "Connections of this process for its API, for its deliveries, and for all else: in use, idle, or waited for.",
        ["used_for", "state"],
      ),
    },
  };
}

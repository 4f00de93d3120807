/**
 * What the service counts, for Prometheus: one set a process, given to whoever counts. What all processes know alike, such as
 * how far a chain is followed, is read from the tables when it is asked for (api/operations.ts).
 */
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { FrequentHistogram } from "./frequent-histogram.ts";

/** The instruments, by the room that uses them. Labels never hold more than what is configured or in the contract. */
export type Metrics = ReturnType<typeof createMetrics>;

const prefix = "chain_webhooks_";
const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Of what should take milliseconds, and takes hours when something is down. */
const delays = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200];

export function createMetrics() {
  const registry = new Registry();
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
  const frequent = <Label extends string>(buckets: number[], ...of: Parameters<typeof about<Label>>) =>
    new FrequentHistogram({ ...about(...of), buckets });

  const attemptSeconds = frequent(seconds, "delivery_attempt_duration_seconds", "How long an attempt took.", [
    "outcome",
  ]);
  const held = gauge("lease_held", "1 for each share of the work that this process holds.", ["kind", "key"]);

  return {
    registry,
    /** Has `show` set gauges before they are told. @returns what ends that */
    onScrape(show: () => void): () => void {
      scraped.add(show);
      return () => scraped.delete(show);
    },
    /** @returns everything in the text format of Prometheus */
    async text(): Promise<string> {
      held.reset();
      for (const show of scraped) show();
      return registry.metrics();
    },
    chain: {
      head: gauge("chain_head_block", "The newest block that the chain's nodes told of.", ["chain_id", "lane"]),
      followed: gauge("chain_followed_block", "The newest block that was recorded.", ["chain_id", "lane"]),
      lagBlocks: gauge("chain_lag_blocks", "How many blocks there are between the two.", ["chain_id", "lane"]),
      lagSeconds: gauge(
        "chain_lag_seconds",
        "For how long the lane has not been followed up to its head; 0 while it is.",
        ["chain_id", "lane"],
      ),
      stopped: gauge("chain_stopped", "1 while the lane stands still for this reason, else 0.", [
        "chain_id",
        "lane",
        "reason",
      ]),
      blocks: counter("chain_blocks_recorded_total", "Blocks recorded, by lane.", ["chain_id", "lane"]),
      notifications: counter(
        "chain_notifications_recorded_total",
        "Notifications recorded by following the chain, retractions among them.",
        ["chain_id", "lane"],
      ),
      reorgDepth: histogram(
        [1, 2, 4, 8, 16, 32, 64, 128, 256],
        "chain_reorg_depth_blocks",
        "Reorganisations, by how many recorded blocks each took back.",
        ["chain_id", "lane"],
      ),
      calls: counter("rpc_calls_total", "JSON-RPC calls to a node, by what came of them.", [
        "chain_id",
        "node",
        "outcome",
      ]),
      callSeconds: histogram(
        seconds,
        "rpc_call_duration_seconds",
        "From a call to its answer, with the wait for its turn.",
        ["chain_id", "node", "method"],
      ),
      nodeAside: gauge("rpc_node_set_aside", "1 while the node is left alone since it failed, else 0.", [
        "chain_id",
        "lane",
        "node",
      ]),
    },
    delivery: {
      attempts: new Counter({
        ...about("delivery_attempts_total", "Attempts to deliver, by what came of them.", ["outcome"]),
        collect() {
          this.reset();
          for (const [outcome, count] of attemptSeconds.counts()) this.inc({ outcome }, count);
        },
      }),
      attemptSeconds,
      firstAttemptSeconds: frequent(
        delays,
        "delivery_first_attempt_delay_seconds",
        "From a notification's record, which is its block's, to its first attempt.",
        [],
      ),
      retrySeconds: frequent(
        delays,
        "delivery_retry_delay_seconds",
        "How late further attempts began, from when they were due.",
        [],
      ),
      pending: gauge(
        "delivery_pending_notifications",
        "Notifications that wait: for anybody to attempt them, for their endpoint to take more, for their webhook to be active, " +
          "or for their next attempt (100,000 stands for more).",
        ["waiting_for"],
      ),
      oldest: gauge(
        "delivery_oldest_pending_seconds",
        "For how long the oldest of those that were never attempted has waited; 0 where none waits.",
        ["waiting_for"],
      ),
      inFlight: gauge("delivery_in_flight_exchanges", "Requests to endpoints under way from this process.", []),
      queued: gauge("delivery_queued_notifications", "Notifications that wait in this process's memory.", []),
      unrecorded: gauge("delivery_unrecorded_attempts", "Attempts whose outcome this process has yet to record.", []),
      endpoints: gauge(
        "delivery_endpoints",
        "Endpoints that this process holds: that are well, that failed the last time and are sent less at once, or that are left " +
          "alone for a while.",
        ["state"],
      ),
    },
    lease: {
      leases: gauge("leases", "Shares of the work by kind, and whether a live process holds them.", ["kind", "state"]),
      held,
    },
    http: {
      requestSeconds: histogram(
        seconds,
        "http_request_duration_seconds",
        "Requests to the API, by operationId, and `other` where there is none.",
        ["operation", "status"],
      ),
      limited: counter(
        "http_requests_limited_total",
        "Requests refused since a rate limit was exceeded, by whose it was.",
        ["limit"],
      ),
      shed: counter("http_requests_shed_total", "Requests refused since the process had too much in hand.", []),
      inHand: gauge("http_requests_in_hand", "Requests that the API is working on.", []),
    },
    database: {
      up: gauge("database_up", "1 when the database answered just now, else 0.", []),
      connections: gauge(
        "database_connections",
        "Connections of this process for its API, for its deliveries, and for all else: in use, idle, or waited for.",
        ["used_for", "state"],
      ),
    },
  };
}

/** The site's pages in reading order, each with a sentence for the sidebar's readers, search engines and llms.txt. */

/** A page of docs/, named as its file. Its title is its first heading. */
export type Page = {
  name: string;
  description: string;
  /** What readers search for and mean a section: by the section's anchor, or "" for the page as a whole. */
  words?: Readonly<Record<string, string>>;
};

export const home: Page = {
  name: "index",
  description: "Signed HTTP notifications of on-chain activity, from one OpenAPI contract.",
};

export const groups: readonly { title: string; pages: readonly Page[] }[] = [
  {
    title: "Receive",
    pages: [
      {
        name: "quick-start",
        description: "From nothing to your first notification, in two ways.",
        words: { "": "getting started, get started, tutorial, install, first notification" },
      },
      {
        name: "receive",
        description: "Verify the signature, answer with 2xx, and handle each messageId once.",
        words: {
          "": "signature, signatures, express, express.js",
          "three-rules-for-your-endpoint": "signature, verify the signature, hmac, invalid_signature, idempotency",
          "what-arrives":
            "webhook-id, webhook-signature, webhook-timestamp, webhook-sequence, headers, payload, sequence",
        },
      },
      {
        name: "receivers",
        description:
          "One line for Express, Fastify, Hono, Koa, NestJS, Next.js, Lambda, Workers and Firebase; receivers in eight other languages.",
        words: {
          "javascript-and-typescript": "next.js, nextjs, fastify, hono, koa, nestjs, lambda, workers, firebase",
        },
      },
      {
        name: "notified",
        description: "Which transactions match a webhook, and which balance changes no webhook sees.",
      },
      {
        name: "addresses",
        description: "Keep a webhook's addresses equal to your list, a million of them, with one call.",
        words: { "": "sync, synchronise, drift, reconcile, digest, syncAddresses" },
      },
      {
        name: "decoding",
        description: "Get events with their names and arguments, by the ABI of your contract.",
        words: { "": "abi, decode" },
      },
      {
        name: "transfers",
        description: "Who sent how much of which token: transfers in notifications, with names and exact amounts.",
        words: { "": "transfer, token, ERC-20, ERC20, ERC-721, ERC-1155, NFT" },
      },
      {
        name: "conditions",
        description: "Compare amounts, senders and arguments; match any address, or what a factory creates.",
      },
      {
        name: "past",
        description: "What happened to your contract until now: start a webhook at any block of the past.",
        words: { "": "history, historical, backfill, past, fromBlock, from block, start block" },
      },
      { name: "why", description: "Why a transaction was notified or not, and what a webhook would be notified of." },
      {
        name: "reorganisations",
        description: "How a block that left the chain is taken back, and how deep a block is final.",
        words: { "": "reorg, reorgs, reorganisation, removed, retraction, orphaned block, uncle" },
      },
      {
        name: "finality",
        description: "Be notified after some confirmations, when a block is final, or at once and again when final.",
      },
      {
        name: "delivery",
        description: "What the service does when your endpoint is slow, down or gone.",
        words: {
          "": "endpoint down, endpoint is down, my endpoint was down, not received, sequence",
          retries: "retry, retries, backoff, dead letter, dlq, 410 gone",
          "pause-a-webhook": "pause, resume, unpause, unsubscribe, stop notifications",
          "find-what-you-missed": "missed notification, missing, lost, gaps",
          "replay-a-range-of-blocks": "replay",
        },
      },
      {
        name: "operational-events",
        description: "Be told when an endpoint fails, a chain stands still or a quota is nearly used up.",
        words: {
          "": "alert, alerts, notify me, slack, discord, pagerduty, teams, operational webhook, endpoint failing",
        },
      },
      {
        name: "feed",
        description:
          "Read notifications in order without a public URL: on your machine, by long polling, or as a stream.",
        words: {
          "": "feed, pull, poll, polling, long polling, stream, server-sent events, SSE, EventSource, no public URL",
          "on-your-machine": "ngrok, tunnel, localhost, listen, development",
        },
      },
      {
        name: "consumer",
        description:
          "Turn notifications into rows of your database, each exactly once and in order, also after a crash.",
        words: {
          "": "exactly once, idempotency, idempotent, deduplicate, double credit, ledger, balances, deposits, payments",
          "when-something-fails": "skip, poison message",
        },
      },
      { name: "batches", description: "Several notifications in one POST, and each only after the one before." },
    ],
  },
  {
    title: "Build",
    pages: [
      {
        name: "mock",
        description:
          "A mock that remembers what you create, sends what you ask for, and plays recorded blocks; a trigger and a listener.",
        words: { "": "mock", "watch-what-arrives": "ngrok, tunnel, localhost, listen" },
      },
      {
        name: "clients",
        description: "The TypeScript client, and clients in six languages from the OpenAPI document.",
      },
      { name: "agents", description: "Let an agent read your webhooks and explain what was not notified, by MCP." },
      { name: "implement", description: "Hold your own server to the contract, and check any server from outside." },
      {
        name: "avacloud",
        description: "Move from AvaCloud's webhooks: what its SDK does here, operation by operation, and what differs.",
      },
      {
        name: "diff",
        description: "What changed between two versions of any OpenAPI document, whom each change breaks, and why.",
      },
      { name: "changes", description: "What each version of the contract changed, by its own diff." },
      {
        name: "examples",
        description:
          "Whole programs in under 60 lines, and a server with the whole API, shipped in the package and run by its tests.",
      },
      { name: "testing", description: "Which tests there are, what they need, and the variables that change them." },
    ],
  },
  {
    title: "Run",
    pages: [
      {
        name: "run",
        description: "Start it, make an API key, and choose how many processes do what.",
        words: {
          "": "localhost, private network, url must start with https, install the service",
          "roles-apart": "high availability, multi-process",
        },
      },
      { name: "deploy", description: "Docker, Docker Compose, Kubernetes by Helm, and systemd." },
      { name: "configuration", description: "Every setting of the service, with its default and meaning." },
      {
        name: "chains",
        description: "Configure chains and their nodes, and know what is checked.",
        words: {
          "": "avalanche, ethereum, polygon, base, arbitrum, CHAINS",
          "add-a-chain": "add a chain, new chain, custom chain",
          "a-node-is-down": "a node is down, node down, rpc down",
        },
      },
      { name: "blocks", description: "Read each chain once, and hand its blocks to many followers through NATS." },
      {
        name: "limits",
        description: "Every bound of the API, and what you get beyond it.",
        words: { "": "timeout, too large, 429, 413, pagination" },
      },
      { name: "sharing", description: "What accounts share, how each part is divided, and which test holds it." },
      {
        name: "keys",
        description: "API keys, quotas, signing secrets, and how to rotate each.",
        words: { "keys-in-a-browser": "cors", accounts: "multi-tenant, tenants, quota" },
      },
      { name: "tls", description: "Encrypt the way to PostgreSQL, and put nginx or HAProxy in front of the API." },
      {
        name: "monitoring",
        description: "Health probes, metrics, alerts, logs and traces.",
        words: { metrics: "metrics, prometheus, grafana, dashboard", "scrape-it": "prometheus, scrape" },
      },
      { name: "alerts", description: "Each alert: what it means, what to look at first, and what to do then." },
      {
        name: "troubleshooting",
        description:
          "What to do when deliveries are late, the database is unavailable, a disk is full, or a chain is stopped.",
        words: { "deliveries-are-late": "late, slow delivery, lag", "a-stuck-chain": "chain stopped, stuck" },
      },
      { name: "backup", description: "Back up the database while the service runs, and know what a restore repeats." },
      { name: "upgrade", description: "Replace processes one after the other, without a gap and with a way back." },
      {
        name: "growing",
        description: "When one PostgreSQL is enough, and what to add after it, step by step, up to cells.",
        words: { "": "scale, capacity" },
      },
      {
        name: "cells",
        description: "Several databases side by side: keys with tags, the map of accounts, HAProxy and nginx in front.",
      },
      { name: "moving", description: "Move an account to another cell while both run, and undo it." },
      {
        name: "figures",
        description: "Every measurement, with the command that made it and what bounds it.",
        words: { "": "benchmark, performance, speed, how fast" },
      },
    ],
  },
];

/**
 * Traces from block to delivery, for OpenTelemetry. A block's trace needs no propagated context: its id is the first half of the block's
 * hash, and its root span's id the next eight bytes. Every process, a retry a day later and a replay can compute it. Nothing is stored
 * for it, and a sampler that uses the trace id decides the same everywhere.
 */
import { randomBytes, randomUUID } from "node:crypto";
import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from "@opentelemetry/api";
import { type Logger, redact } from "./log.ts";
import { manifest, missingPackage, requireBeside } from "./optional-peers.ts";

/** Something that the service did for a block, as a span. */
type BlockSpan = {
  name: string;
  /** In lower case, with 0x. */
  blockHash: string;
  /** Whether it is the parent of the block's other spans. */
  isRoot?: boolean;
  /** Whether it called another system. */
  isClient?: boolean;
  /** By `performance.now()`. */
  from: number;
  to: number;
  attributes: Record<string, string | number | boolean>;
  /** The error, if it failed. */
  error?: string | undefined;
};

export type Tracing = {
  /** Adds a span to its block's trace. */
  record(span: BlockSpan): void;
  /** Sends what has not been sent yet, for two seconds at most. */
  stop(): Promise<void>;
};

const patienceMs = 2_000;
/** How many traces' sampling decisions to remember. */
const remembered = 1_000;

/**
 * Starts tracing, as the environment's OTEL_ variables configure it.
 *
 * @param roles the roles of this process
 * @throws {ServiceError} `package_missing`
 */
export function startTracing(log: Logger, roles: Iterable<string>): Tracing {
  const { BasicTracerProvider, BatchSpanProcessor, OTLPTraceExporter, resources } = load();
  const ids: { next: { traceId: string; spanId: string } | undefined } = { next: undefined };
  diag.setLogger(logOf(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const { envDetector, detectResources, defaultResource, resourceFromAttributes } = resources;
  const provider = new BasicTracerProvider({
    idGenerator: {
      generateTraceId: () => ids.next?.traceId ?? randomBytes(16).toString("hex"),
      generateSpanId: () => ids.next?.spanId ?? randomBytes(8).toString("hex"),
    },
    resource: defaultResource()
      .merge(
        resourceFromAttributes({
          "service.name": "chain-webhooks",
          "service.version": manifest.version,
          "service.instance.id": randomUUID(),
          "chain_webhooks.roles": [...roles].join(),
        }),
      )
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer("chain-webhooks", manifest.version);
  const parents = new Map<string, Context | undefined>();

  function startRoot(traceId: string, spanId: string, name: string, options: Parameters<typeof tracer.startSpan>[1]) {
    ids.next = { traceId, spanId };
    try {
      return tracer.startSpan(name, { ...options, root: true });
    } finally {
      ids.next = undefined;
    }
  }

  /** @returns undefined if the sampler drops the trace */
  function parentOf(traceId: string, spanId: string): Context | undefined {
    if (parents.has(traceId)) return parents.get(traceId);
    if (parents.size >= remembered) parents.clear();
    // Never ended, and so never sent: it only shows the sampler's decision.
    const { traceFlags } = startRoot(traceId, spanId, "", {}).spanContext();
    const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
    const parent = isSampled
      ? trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true })
      : undefined;
    parents.set(traceId, parent);
    return parent;
  }

  return {
    record({ name, blockHash, isRoot = false, isClient = false, from, to, attributes, error }) {
      const [traceId, spanId] = [blockHash.slice(2, 34), blockHash.slice(34, 50)];
      const parent = parentOf(traceId, spanId);
      if (!parent) return;
      const epoch = Date.now() - performance.now();
      const kind = isClient ? SpanKind.CLIENT : SpanKind.INTERNAL;
      const shown = Object.entries(attributes).map(([key, value]) => [
        key,
        typeof value === "string" ? redact(value) : value,
      ]);
      const options = { startTime: epoch + from, attributes: Object.fromEntries(shown), kind };
      const span = isRoot ? startRoot(traceId, spanId, name, options) : tracer.startSpan(name, options, parent);
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: redact(error) });
      span.end(epoch + to);
    },
    async stop() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, patienceMs).unref());
      await Promise.race([provider.shutdown(), late]).catch((err: unknown) =>
        log.warn({ err }, "the last spans could not be sent"),
      );
    },
  };
}

/** Only users of tracing install these packages. */
function load() {
  const names = ["@opentelemetry/sdk-trace-base", "@opentelemetry/exporter-trace-otlp-http"] as const;
  const [beside, exporter] = names.map(requireBeside);
  if (!beside || !exporter)
    throw missingPackage("OTEL_EXPORTER_OTLP_ENDPOINT is set, and tracing needs two packages", ...names);
  const sdk = beside("@opentelemetry/sdk-trace-base") as typeof import("@opentelemetry/sdk-trace-base");
  const otlp = exporter(
    "@opentelemetry/exporter-trace-otlp-http",
  ) as typeof import("@opentelemetry/exporter-trace-otlp-http");
  const resources = beside("@opentelemetry/resources") as typeof import("@opentelemetry/resources");
  return { ...sdk, ...otlp, resources };
}

/** Logs OpenTelemetry's own messages, for example about a collector that does not answer. */
function logOf(log: Logger) {
  const warn = (message: string) => log.warn({ reason: message }, "tracing failed");
  const nothing = () => undefined;
  return { error: warn, warn, info: nothing, debug: nothing, verbose: nothing };
}

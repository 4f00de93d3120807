/**
 * One attempt at a case: its requests, what was found, and the webhooks that it created, which it deletes at its end. fast-check makes
 * several attempts at a case that fails, each with a smaller request.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { OperationId } from "../../../../generated/operations.ts";
import { parseRetryAfter } from "../../../../server/base/retry-after.ts";
import { asObject, type JsonObject } from "../../../document/json.ts";
import { examine } from "../examine.ts";
import type { ExchangeRecorder, RecordedExchange } from "../exchange.ts";
import type { Finding } from "../findings.ts";
import { createProbe, type Probe, type Target } from "../probe.ts";

/** An attempt. */
export type CaseAttempt = {
  probe: Probe;
  findings: Finding[];
  /** Its requests so far, those that were only sent again left out. */
  exchanges: RecordedExchange[];
  /** Deletes what it created. */
  end(): Promise<void>;
};

/** What attempts send with. */
export type Sending = {
  recorder: ExchangeRecorder;
  target: Target;
  /** Ends the run between two requests: one that is in flight may create something, so its answer is waited for. */
  signal: AbortSignal;
  /** Gets the webhooks that could not be deleted. */
  left: string[];
};

const longestPauseMs = 20_000;
const mostPauses = 5;

/** @param by what its findings say that they were found by */
export function startAttempt({ recorder, target, signal, left }: Sending, by: string): CaseAttempt {
  const findings: Finding[] = [];
  const exchanges: RecordedExchange[] = [];
  const created = new Set<string>();

  async function send(outgoing: Parameters<ExchangeRecorder["send"]>[0]): Promise<RecordedExchange> {
    for (let pauses = 0; ; pauses += 1) {
      signal.throwIfAborted();
      const exchange = await recorder.send(outgoing, by);
      const { status, headers } = exchange;
      // A limit is no fault, however long it lasts. Of overload a server should recover.
      const again = status === 429 || (status === 503 && headers["retry-after"] !== undefined && pauses < mostPauses);
      if (!again) return exchange;
      const askedMs = parseRetryAfter(headers["retry-after"]?.toString(), Date.now()) ?? 1_000;
      await wait(Math.min(askedMs, longestPauseMs), undefined, { signal });
    }
  }

  const noted: ExchangeRecorder = {
    ...recorder,
    async send(outgoing) {
      const exchange = await send(outgoing);
      exchanges.push(exchange);
      findings.push(...examine(exchange));
      note(exchange, created);
      return exchange;
    },
  };
  const probe = createProbe({ recorder: noted, target, findings, notes: [] }, by);
  return {
    probe,
    findings,
    exchanges,
    async end() {
      if (findings.length === 0) for (const exchange of exchanges) forget(exchange);
      // Not judged: that deleting works is a case of its own.
      const plain = createProbe({ recorder, target, findings: [], notes: [] }, by);
      for (const id of created) {
        const answer = await plain.send("deleteWebhook", { path: { id } }).catch(() => undefined);
        if (answer === undefined || (answer.status >= 300 && answer.status !== 404)) left.push(id);
      }
    },
  };
}

/** Thousands of cases would fill the memory. The report needs what was asked and the status. */
function forget(exchange: RecordedExchange): void {
  const { body: _, ...request } = exchange.request;
  Object.assign(exchange, { request, headers: {}, body: Buffer.alloc(0), json: undefined });
}

function note({ operation, status, json, request }: RecordedExchange, created: Set<string>): void {
  if (status >= 300) return;
  const { id } = asObject(json);
  if (operation === ("createWebhook" satisfies OperationId) && typeof id === "string") created.add(id);
  if (operation === "deleteWebhook") created.delete(request.path.split("/").at(-1)?.toLowerCase() ?? "");
}

/** The body of an answer that succeeded. */
export function bodyOf({ status, json }: RecordedExchange): JsonObject | undefined {
  return status < 300 ? asObject(json) : undefined;
}

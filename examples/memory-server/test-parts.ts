/** Parts of a test and of its outcome. */
import { createHash } from "node:crypto";
import type { components } from "chain-webhooks/types";
import type { Stored } from "./store.ts";

/** What an event says of how deep its block is. */
export function depthOf(finality: Stored["record"]["finality"]): { finalized?: boolean; confirmations?: number } {
  if (finality === undefined) return {};
  if (typeof finality === "object") return { confirmations: Number(finality.confirmations) };
  return finality === "both" ? { confirmations: 0 } : { finalized: true, confirmations: 64 };
}

/** A UUIDv5, so that a batch has the same id whenever it is sent. */
export function batchIdOf(messageIds: string): string {
  const digest = createHash("sha1").update(`a namespace of our own ${messageIds}`).digest("hex");
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `5${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join("-");
}

export function classOf({ name, cause }: Error): components["schemas"]["ErrorClass"] {
  if (name === "TimeoutError") return "timeout";
  const code = String((cause as { code?: unknown } | undefined)?.code);
  if (code === "ECONNREFUSED") return "connection_refused";
  if (/^(ENOTFOUND|EAI_)/.test(code)) return "dns_error";
  return /CERT|TLS|SSL/.test(code) ? "tls_error" : "connection_reset";
}

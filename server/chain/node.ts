/** One node, spoken to over HTTP JSON-RPC. */
import { http } from "viem";

/** A node. `origin` names it in logs: scheme and host only, since paths of node addresses often hold keys. */
export type Node = {
  readonly origin: string;
  /** @throws NodeError */
  request<T>(method: string, params: readonly unknown[]): Promise<T>;
  /** Learnt once: the node lacks `eth_getBlockReceipts`. */
  lacksBlockReceipts: boolean;
};

/** A node did not answer, or answered with an error. The message is fit for logs: it holds no address beyond the origin. */
export class NodeError extends Error {
  override readonly name = "NodeError";
  /** The JSON-RPC error code, where the node gave one. */
  readonly code: number | undefined;

  constructor(reason: string, { method, origin, code }: { method: string; origin: string; code?: number | undefined }) {
    super(`${method} at ${origin}: ${reason}`);
    this.code = code;
  }
}

/**
 * @param url the node's address
 * @param options.timeoutMs for one request
 * @param options.signal ends waiting for answers
 */
export function connectNode(
  url: string,
  { timeoutMs = 10_000, signal }: { timeoutMs?: number; signal: AbortSignal },
): Node {
  const { origin } = new URL(url);
  const { request } = http(url, { retryCount: 0, timeout: timeoutMs })({});
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("stopping")), { once: true });
  });
  aborted.catch(() => undefined);
  return {
    origin,
    lacksBlockReceipts: false,
    async request<T>(method: string, params: readonly unknown[]): Promise<T> {
      try {
        signal.throwIfAborted();
        return (await Promise.race([request({ method, params }), aborted])) as T;
      } catch (error) {
        throw new NodeError(reasonOf(error), { method, origin, code: codeOf(error) });
      }
    },
  };
}

/** @returns whether the node said that it does not know the method (JSON-RPC -32601, EIP-1474 -32004) */
export function isUnknownMethod(error: unknown): boolean {
  return error instanceof NodeError && (error.code === -32601 || error.code === -32004);
}

// viem's messages hold the whole address and body; its `details` is what the node or the network said.
function reasonOf(error: unknown): string {
  if (error instanceof Error && "details" in error && typeof error.details === "string" && error.details)
    return error.details;
  return error instanceof Error ? (error.message.split("\n")[0] ?? "failed") : String(error);
}

function codeOf(error: unknown): number | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "number") return at.code;
  }
  return undefined;
}

/** One node, spoken to over HTTP JSON-RPC. */
import { limiter } from "./limiter.ts";
import { nodeAddress } from "./node-address.ts";

/** A node. */
export type Node = {
  /** Names it in logs. */
  readonly origin: string;
  /** @throws NodeError */
  request<T>(method: string, params: readonly unknown[]): Promise<T>;
  /** Gives up the requests that are under way or wait for their turn. */
  cancel(): void;
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

/** How many requests a node gets at once; public ones refuse much more. */
const requestsAtOnce = 20;
/** Tracing a block means executing it again. */
const patienceMs = (method: string) => (method.startsWith("debug_") ? 60_000 : 15_000);

type Answer = { result?: unknown; error?: { code?: unknown; message?: unknown } | null };

/**
 * @param url the node's address
 * @param options.signal gives up what is under way, and refuses all that follows
 */
export function connectNode(url: string, { signal }: { signal: AbortSignal }): Node {
  const { origin, href, headers, hide } = nodeAddress(url);
  const inTurn = limiter(requestsAtOnce);
  const pending = new Set<AbortController>();
  let id = 0;
  const cancel = () => {
    for (const request of pending) request.abort();
  };
  signal.addEventListener("abort", cancel, { once: true });

  async function send(method: string, params: readonly unknown[], { signal }: AbortController): Promise<unknown> {
    signal.throwIfAborted();
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++id, method, params });
    const response = await fetch(href, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body,
      signal,
    });
    const answer = parse(await response.text());
    if (answer?.error) {
      const { code, message } = answer.error;
      throw failure(method, typeof message === "string" ? message : "an error", code);
    }
    if (!response.ok) throw failure(method, `status ${response.status}`);
    if (answer?.result === undefined) throw failure(method, "no JSON-RPC answer");
    return answer.result;
  }

  function failure(method: string, reason: string, code?: unknown): NodeError {
    return new NodeError(hide(reason), { method, origin, code: typeof code === "number" ? code : undefined });
  }

  return {
    origin,
    cancel,
    lacksBlockReceipts: false,
    async request<T>(method: string, params: readonly unknown[]): Promise<T> {
      // One of its own for each request: on a signal that lives long, `fetch` would leave a listener behind every time.
      const request = new AbortController();
      let late = false;
      pending.add(request);
      if (signal.aborted) request.abort();
      try {
        return (await inTurn(async () => {
          const timer = setTimeout(() => {
            late = true;
            request.abort();
          }, patienceMs(method));
          return send(method, params, request).finally(() => clearTimeout(timer));
        })) as T;
      } catch (error) {
        if (error instanceof NodeError) throw error;
        if (request.signal.aborted) throw failure(method, late ? "no answer in time" : "given up");
        throw failure(method, networkReason(error));
      } finally {
        pending.delete(request);
      }
    },
  };
}

/** @returns whether the node said that it does not know the method (JSON-RPC -32601, EIP-1474 -32004) */
export function isUnknownMethod(error: unknown): boolean {
  return error instanceof NodeError && (error.code === -32601 || error.code === -32004);
}

function parse(text: string): Answer | undefined {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === "object" && answer !== null ? answer : undefined;
  } catch {
    return undefined;
  }
}

/** `fetch` itself says only that it failed. */
function networkReason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || ("code" in cause && String(cause.code)) || cause.name;
}

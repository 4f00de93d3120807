/** Wakes the follower when a node announces a new head. Without the socket, the follower waits for its next poll. */
import { WebSocket } from "undici";
import type { Logger } from "../../base/log.ts";
import type { Pause } from "../../base/pause.ts";
import { quantityIn } from "../../matching/quantities.ts";
import type { Hex } from "../../matching/wire.ts";
import { nodeAddress } from "../nodes/node-address.ts";
import { nodeConnections } from "../nodes/whole-response.ts";

/** A head that a node announces. It only says what to ask for: nothing of it is believed. `transactionHashes` is there if the block has none. */
export type AnnouncedHead = { number: number; hash: Hex; parentHash: Hex; transactionHashes?: readonly Hex[] };

/** The root of no transactions. */
const emptyRoot = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";

/** @returns undefined for what is not a head */
function announcedHead(result: unknown): AnnouncedHead | undefined {
  if (typeof result !== "object" || result === null) return undefined;
  const { number, hash, parentHash, transactionsRoot } = result as Record<string, unknown>;
  const [own, parent] = [hashOf(hash), hashOf(parentHash)];
  const read = quantityIn(number);
  if (!own || !parent || read === undefined || read.length > 15) return undefined;
  const isEmpty = transactionsRoot === emptyRoot;
  return { number: Number(read), hash: own, parentHash: parent, ...(isEmpty && { transactionHashes: [] }) };
}

const hashOf = (value: unknown) =>
  typeof value === "string" && /^0x[0-9a-f]{64}$/i.test(value) ? (value.toLowerCase() as Hex) : undefined;

const retryMs = 5_000;
/** A socket that is silent for so long may be dead. A new one is cheap. */
const silenceMs = 60_000;
const subscribe = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_subscribe", params: ["newHeads"] });

/**
 * @param url the node's `ws:` or `wss:` address
 * @param options.wake called for each new head, with as much of it as was announced
 * @param options.signal ends it
 */
export function watchHeads(
  url: string,
  { wake, signal, log }: { wake: (announced?: AnnouncedHead) => void; signal: AbortSignal; log: Logger },
): void {
  const { origin, href, headers, hide } = nodeAddress(url);
  let end = () => {};
  signal.addEventListener("abort", () => end(), { once: true });
  connect();

  function connect(): void {
    if (signal.aborted) return;
    const socket = new WebSocket(href, { headers, dispatcher: nodeConnections });
    let retry: NodeJS.Timeout | undefined;
    const silence = setTimeout(() => lose("it is silent"), silenceMs).unref();
    end = () => {
      clearTimeout(retry);
      clearTimeout(silence);
      socket.close();
    };

    function lose(reason: string): void {
      if (retry || signal.aborted) return;
      log.debug({ node: origin, reason: hide(reason) }, "heads are not announced; polling goes on");
      end();
      retry = setTimeout(connect, retryMs).unref();
    }

    socket.onopen = () => socket.send(subscribe);
    socket.onmessage = ({ data }) => {
      if (retry) return;
      silence.refresh();
      const { id, method, error, params } = parse(String(data));
      if (error) lose(typeof error.message === "string" ? error.message : "it refused");
      else if (method === "eth_subscription") wake(announcedHead(params?.result));
      // We are subscribed. Heads before this were not announced to us.
      else if (id === 1) wake();
    };
    socket.onerror = ({ message }) => lose(message ?? "it broke");
    socket.onclose = ({ reason }) => lose(reason || "it was closed");
  }
}

/** Wakes the follower, and keeps the head that was announced last until a step takes it. */
export function createHeadWakes(pause: Pick<Pause, "wake">) {
  let newest: AnnouncedHead | undefined;
  return {
    wake(announced?: AnnouncedHead): void {
      newest = announced;
      pause.wake();
    },
    take(): AnnouncedHead | undefined {
      const taken = newest;
      newest = undefined;
      return taken;
    },
  };
}

type Message = {
  id?: unknown;
  method?: unknown;
  params?: { result?: unknown } | null;
  error?: { message?: unknown } | null;
};

function parse(text: string): Message {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === "object" && message !== null ? message : {};
  } catch {
    return {};
  }
}

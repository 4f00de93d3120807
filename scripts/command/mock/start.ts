/**
 * Starts the mock within a program, for its tests. It needs Node, and `@stoplight/prism-cli` next to this package.
 *
 * @module
 */
import type { components } from "../../../generated/types.ts";
import { listen } from "../../../server/api/listening/listen.ts";
import { createLog } from "../../../server/log.ts";
import { createMock } from "./app.ts";
import { isChainId, readRecorded } from "./chain/recorded.ts";
import type { MockControl } from "./types.ts";

export type { FailOptions, MockControl, SendOptions, Sent, SentEntry, SentOutcome } from "./types.ts";

/** How to start the mock. */
export type StartMockOptions = {
  /** 0, the default, picks a free one. */
  port?: number;
  /** The address to listen on; 127.0.0.1 by default. */
  host?: string;
  /** How many webhooks there may be, and how many addresses they may watch together. 10,000 and 1,000,000 by default. */
  quotas?: { webhooks?: number; addresses?: number };
  /** The pause before each retry of a notification, in ms, in place of the service's schedule, which begins with 10 s. */
  retryPauseMs?: number;
  /** Recorded blocks to play: `recorded`, or a folder. `speed` is in blocks a second, 1 by default. */
  chain?: { blocks: string; chainId?: string; speed?: number };
  /** Called with a line for each request, and each notification sent. */
  onLine?: (line: string) => void;
};

/** A running mock. Any API key is valid. */
export type Mock = {
  /** Such as `http://127.0.0.1:41234`. */
  url: string;
  /** The webhooks that there are now, the newest first. */
  webhooks(): components["schemas"]["Webhook"][];
  /** The same as below `/_mock`. */
  control: MockControl;
  /** Aborts the notifications in flight, answers the requests in flight, and stops listening. */
  stop(): Promise<void>;
};

/**
 * Starts the mock.
 *
 * @throws for an option that is wrong, when Prism is not installed, the port is taken, or the recorded blocks are not complete
 * @example
 * ```ts
 * const mock = await startMock();
 * const client = createWebhooksClient({ baseUrl: mock.url, apiKey: "any" });
 * await mock.stop();
 * ```
 */
export async function startMock(options: StartMockOptions = {}): Promise<Mock> {
  const { port = 0, host = "127.0.0.1", quotas, retryPauseMs, chain, onLine: say = () => undefined } = options;
  assertWhole("quotas.webhooks", quotas?.webhooks, 100_000);
  assertWhole("quotas.addresses", quotas?.addresses, 10_000_000);
  assertWhole("retryPauseMs", retryPauseMs, 86_400_000);
  if (chain?.chainId !== undefined && !isChainId(chain.chainId))
    throw new TypeError("chain.chainId must be a decimal number, such as 43114.");
  const log = createLog("error", { destination: { write: (line) => say(line.trimEnd()) } });
  const played = chain && {
    recorded: await readRecorded(chain.blocks, chain.chainId),
    blocksPerSecond: chain.speed ?? 1,
  };
  const { app, account, control, close } = await createMock({ say, log, quotas, retryPauseMs, chain: played });
  const server = await listen(app, { port, host }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    url: server.url,
    webhooks: () => account.webhooks.list().map(({ record }) => structuredClone(record)),
    control: {
      send: (given) => control.send(given),
      fail: (given) => control.fail(given),
      sent: () => structuredClone(control.sent()),
      reset: () => control.reset(),
    },
    async stop() {
      await server.close();
      await close();
    },
  };
}

/** The bounds of the command's options. A timer takes what is beyond them for 1 ms. */
function assertWhole(name: string, value: number | undefined, max: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= 0 && value <= max)) return;
  throw new TypeError(`${name} must be a whole number from 0 to ${max}.`);
}

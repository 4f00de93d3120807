/**
 * Starts the mock within a program, for its tests. It needs Node, and `@stoplight/prism-cli` next to this package.
 *
 * @module
 */
import type { components } from "../../../generated/types.ts";
import { listen } from "../../../server/api/listening/listen.ts";
import { createLog } from "../../../server/base/log.ts";
import { createMock } from "./app.ts";
import { readRecorded } from "./chain/recorded.ts";
import { ofProgram } from "./control/control.ts";
import { assertStartOptions, type StartMockOptions } from "./start-options.ts";
import type { MockControl } from "./types.ts";

export type { StartMockOptions } from "./start-options.ts";
export type { FailOptions, MockControl, SendOptions, Sent, SentEntry, SentOutcome } from "./types.ts";

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
  assertStartOptions(options);
  const { port = 0, host = "127.0.0.1", quotas, retryPauseMs, chain, targets } = options;
  const { cors = [], allowHosts = [], onLine: say = () => undefined } = options;
  const log = createLog("error", { destination: { write: (line) => say(line.trimEnd()) } });
  const played = chain && {
    recorded: await readRecorded(chain.blocks, chain.chainId),
    blocksPerSecond: chain.speed ?? 1,
  };
  const { app, account, control, close } = await createMock({
    ...{ say, log, quotas, retryPauseMs, targets },
    ...{ chain: played, access: { cors, allowHosts } },
  });
  const server = await listen(app, { port, host }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    url: server.url,
    ...ofProgram(account, control),
    async stop() {
      control.faults.reset();
      await server.close();
      await close();
    },
  };
}

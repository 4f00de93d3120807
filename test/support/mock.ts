/** The mock, over real HTTP, within the test's own process. */
import { pino } from "pino";
import { createStatelessMock } from "../../scripts/command/mock/app.ts";
import { type Mock as Started, type StartMockOptions, startMock as start } from "../../scripts/command/mock/start.ts";
import { listen } from "../../server/api/listening/listen.ts";
import { type Call, type Reply, send } from "./api.ts";

/** A running mock that remembers nothing. */
export type StatelessMock = {
  url: string;
  /** Every line that it would print. */
  said: string[];
  /** Sends a request with some key, unless `key` says otherwise; `key: ""` sends none. */
  call(method: string, path: string, call?: Call): Promise<Reply>;
  close(): Promise<void>;
};

/** A running mock. */
export type Mock = StatelessMock & Pick<Started, "control" | "webhooks">;

const callTo =
  (url: string): StatelessMock["call"] =>
  (method, path, call = {}) =>
    send(url + path, method, { key: "any", ...call });

/** Starts it on a free port. */
export async function startMock(options: StartMockOptions = {}): Promise<Mock> {
  const said: string[] = [];
  const { stop, ...mock } = await start({ onLine: (line) => void said.push(line), ...options });
  return { ...mock, said, call: callTo(mock.url), close: stop };
}

/** Starts one that remembers nothing. */
export async function startStatelessMock(): Promise<StatelessMock> {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const { app, close } = await createStatelessMock({ say, log: pino({ level: "error" }, { write: say }) });
  const { url, close: endListening } = await listen(app, { port: 0 });
  return {
    url,
    said,
    call: callTo(url),
    async close() {
      await endListening();
      await close();
    },
  };
}

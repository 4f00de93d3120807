/** The mock, over real HTTP, within the test's own process. */
import { pino } from "pino";
import { createMock } from "../../scripts/command/mock/app.ts";
import { createCallbacks } from "../../scripts/command/mock/callbacks.ts";
import { listen } from "../../server/api/listen.ts";
import { type Call, type Reply, send } from "./api.ts";

/** A running mock. */
export type Mock = {
  url: string;
  /** Every line that it would print. */
  said: string[];
  /** Sends a request with some key, unless `key` says otherwise; `key: ""` sends none. */
  call(method: string, path: string, call?: Call): Promise<Reply>;
  close(): Promise<void>;
};

/** Starts it on a free port. */
export async function startMock(): Promise<Mock> {
  const said: string[] = [];
  const say = (line: string) => void said.push(line);
  const log = pino({ level: "error" }, { write: say });
  const callbacks = await createCallbacks(say);
  const server = await listen(await createMock({ callbacks, say, log }), { port: 0 });
  return {
    url: server.url,
    said,
    call: (method, path, call = {}) => send(server.url + path, method, { key: "any", ...call }),
    close: async () => {
      await server.close();
      await callbacks.close();
    },
  };
}

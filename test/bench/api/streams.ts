/** Opens streams of feeds as a client does, many on one process. */
import { Agent, request } from "node:http";

export type Streams = {
  /** @param path with the query @param onData undefined for one whose events nobody looks at */
  open(path: string, key: string, onData?: (chunk: Buffer) => void): Promise<void>;
  close(): void;
};

export function streamsOf(url: string): Streams {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  return {
    open: (path, key, onData = () => undefined) =>
      new Promise((resolve, reject) => {
        const headers = { "x-service-api-key": key, accept: "text/event-stream" };
        const asked = request(url + path, { agent, headers }, (response) => {
          if (response.statusCode !== 200) return reject(new Error(`a reader was answered ${response.statusCode}`));
          response.on("error", () => undefined).on("data", onData);
          resolve();
        });
        asked.on("error", reject).end();
      }),
    close: () => agent.destroy(),
  };
}

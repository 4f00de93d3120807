/** A proxy in front of the service: it notes what a generated client asks and gets, and can answer as a later service would. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json } from "../../../scripts/document/json.ts";

/** A request with its body, and the status of its answer. */
export type Exchange = { method: string; path: string; sent: string; status: number };

/** A proxy that runs. */
export type Window = {
  url: string;
  /** What went through it, in the order of the answers. */
  exchanges: Exchange[];
  close(): Promise<void>;
};

/** Opens one. @param change what to make of the JSON of every answer */
export async function openWindow(target: string, change?: (body: Json) => Json): Promise<Window> {
  const exchanges: Exchange[] = [];
  const server = createServer(async (asked, answer) => {
    try {
      const { method = "", url: path = "", headers } = asked;
      const forwarded = request(new URL(path, target), { method, headers });
      const sent = await textOf(asked);
      forwarded.end(sent);
      const [response] = (await once(forwarded, "response")) as [IncomingMessage];
      const status = response.statusCode ?? 0;
      const text = await textOf(response);
      exchanges.push({ method, path, sent, status });
      const body = change && text !== "" ? JSON.stringify(change(JSON.parse(text))) : text;
      const { "content-length": _, "transfer-encoding": __, ...kept } = response.headers;
      answer.writeHead(status, { ...kept, "content-length": Buffer.byteLength(body) }).end(body);
    } catch (error) {
      answer.destroy(error as Error);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

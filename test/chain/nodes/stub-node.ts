/** A node of which a test writes every response. */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type StubCall = { id: number; method: string; params: unknown[] };

/** Starts it for the running test. @param respond `isBatch` is whether the calls came in an array @returns its address */
export async function startStubNode(
  respond: (calls: StubCall[], response: ServerResponse, isBatch: boolean) => void,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = JSON.parse(Buffer.concat(chunks).toString()) as StubCall | StubCall[];
    respond([sent].flat(), response, Array.isArray(sent));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

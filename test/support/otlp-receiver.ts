/** Receives traces as a collector does: OTLP over HTTP, in JSON. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

type Value = { stringValue?: string; intValue?: number; boolValue?: boolean; arrayValue?: unknown };
type KeyValue = { key: string; value: Value };

/** A span, with its attributes and its process's as plain values. Times in ms. */
export type ReceivedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  kind: number;
  from: number;
  to: number;
  isError: boolean;
  attributes: Record<string, unknown>;
  resource: Record<string, unknown>;
};

type Wire = Omit<ReceivedSpan, "attributes" | "resource" | "from" | "to" | "isError"> & {
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code?: number };
  attributes: KeyValue[];
};
type Message = { resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: Wire[] }[] }[] };

export type OtlpReceiver = {
  url: string;
  spans: ReceivedSpan[];
  requests: { path: string; headers: NodeJS.Dict<string | string[]> }[];
  close(): Promise<void>;
};

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const requests: OtlpReceiver["requests"] = [];
  const server = createServer(async (request, response) => {
    requests.push({ path: request.url ?? "", headers: request.headers });
    const { resourceSpans } = (await json(request)) as Message;
    for (const { resource, scopeSpans } of resourceSpans)
      for (const span of scopeSpans.flatMap((scope) => scope.spans))
        spans.push(received(span, plain(resource.attributes)));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function received(span: Wire, resource: Record<string, unknown>): ReceivedSpan {
  const { traceId, spanId, parentSpanId, name, kind, startTimeUnixNano, endTimeUnixNano, status, attributes } = span;
  const [from, to] = [Number(startTimeUnixNano) / 1e6, Number(endTimeUnixNano) / 1e6];
  const isError = status.code === 2;
  return { traceId, spanId, parentSpanId, name, kind, from, to, isError, attributes: plain(attributes), resource };
}

const plain = (attributes: KeyValue[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

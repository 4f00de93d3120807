/** Servers that differ from the example in what the contract and HTTP leave open: conformance must find nothing. */
import type { ServerResponse } from "node:http";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { type Answer, type Body, signedAgain, written } from "../breakage.ts";
import { type Faults, queryOf, recordsIn, refusal, setQuery } from "./fault.ts";

type Server = Faults[string];

const bytesOf = ({ body }: Answer) => Buffer.from(written(body) ?? "");

/** Writes every answer in another way. */
const writing = (says: string, send: (response: ServerResponse, answer: Answer) => void): Server => ({
  says,
  make: () => ({ send }),
});

/** Writes the JSON of answers in another way that means the same. */
const spelling = (says: string, spell: (body: Body) => string): Server =>
  writing(says, (response, { status, headers, body }) => {
    response.writeHead(status, headers).end(typeof body === "object" ? spell(body) : written(body));
  });

const compressing = (encoding: string, compress: (bytes: Buffer) => Buffer) =>
  writing(`compresses with ${encoding} unasked`, (response, answer) => {
    response
      .writeHead(answer.status, { ...answer.headers, "content-encoding": encoding })
      .end(compress(bytesOf(answer)));
  });

/** Adds to every answer what the contract leaves open. */
const answering = (says: string, answer: (answer: Answer) => void): Server => ({ says, make: () => ({ answer }) });

const reversed = (value: Body): Body => {
  if (Array.isArray(value)) return value.map(reversed);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, own]) => [name, reversed(own)]),
  );
};

const escaped = (text: string) =>
  text.replaceAll(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

const headersOf = (headers: Answer["headers"], nameOf: (name: string) => string) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [nameOf(name), value]));

const ofItsOwn = { Server: "own/1", "X-Powered-By": "Own", ETag: 'W/"1"', Vary: "Accept", "Set-Cookie": "a=b; Path=/" };
const tokenOf = (own: string) => `${Buffer.from(`next page: ${own}`).toString("base64")}+/=`;
const offMs = -4_000;
const times = ["createdAt", "statusSince", "sentAt", "finishedAt", "recordedAt", "previousSecretExpiresAt"];

function earlier(value: Body): void {
  if (value === null || typeof value !== "object") return;
  for (const [name, own] of Object.entries(value))
    if (times.includes(name) && typeof own === "number") value[name] = own + offMs;
    else earlier(own);
}

export const correct: Faults = {
  "as-it-is": { says: "is the example", make: () => ({}) },
  "as-it-is-on-a-chain": { says: "is the service", needs: "chain", make: () => ({}) },
  "media-type-in-capitals": answering("writes its media type in capitals", ({ headers }) => {
    headers["content-type"] = "Application/JSON; Charset=UTF-8";
  }),
  "media-type-alone": answering("writes its media type without a charset", ({ headers }) => {
    headers["content-type"] = "application/json";
  }),
  "media-type-quoted": answering("writes its charset in quotation marks", ({ headers }) => {
    headers["content-type"] = 'application/json;charset="utf-8"';
  }),
  "compresses-gzip": compressing("gzip", gzipSync),
  "compresses-brotli": compressing("br", brotliCompressSync),
  "compresses-deflate": compressing("deflate", deflateSync),
  "in-pieces": writing("writes an answer in pieces", (response, answer) => {
    response.writeHead(answer.status, answer.headers);
    const bytes = bytesOf(answer);
    for (let at = 0; at < bytes.length; at += 100) response.write(bytes.subarray(at, at + 100));
    response.end();
  }),
  "until-it-closes": writing("ends an answer by closing the connection", (response, answer) => {
    response.useChunkedEncodingByDefault = false;
    response.writeHead(answer.status, { ...answer.headers, connection: "close" });
    response.write(bytesOf(answer));
    response.end();
  }),
  "no-keep-alive": writing("keeps no connection", (response, answer) => {
    response.writeHead(answer.status, { ...answer.headers, connection: "close" }).end(bytesOf(answer));
  }),
  "early-hints": writing("sends early hints", (response, answer) => {
    response.writeEarlyHints({ link: "</openapi.json>; rel=service-desc" });
    response.writeHead(answer.status, answer.headers).end(bytesOf(answer));
  }),
  processing: writing("says that it is processing", (response, answer) => {
    response.writeProcessing();
    response.writeHead(answer.status, answer.headers).end(bytesOf(answer));
  }),
  "headers-in-capitals": writing("writes the names of headers in capitals", (response, answer) => {
    const headers = headersOf(answer.headers, (name) => name.toUpperCase());
    response.writeHead(answer.status, headers).end(bytesOf(answer));
  }),
  "headers-of-its-own": writing("adds headers of its own", (response, answer) => {
    response.writeHead(answer.status, { ...answer.headers, ...ofItsOwn }).end(bytesOf(answer));
  }),
  "other-phrases": writing("has no phrase in the line of the status", (response, answer) => {
    response.writeHead(answer.status, "", answer.headers).end(bytesOf(answer));
  }),
  "with-spaces": spelling("writes JSON over several lines", (body) => `\n${JSON.stringify(body, undefined, "\t")}\r\n`),
  "other-order": spelling("writes fields in another order", (body) => JSON.stringify(reversed(body))),
  "escapes-all": spelling("escapes all but ASCII", (body) => escaped(JSON.stringify(body))),
  "escapes-slashes": spelling("escapes slashes", (body) => JSON.stringify(body).replaceAll("/", "\\/")),
  "numbers-with-exponent": spelling("writes times with an exponent", (body) =>
    JSON.stringify(body).replaceAll(/(?<=":)(\d)(\d{12})(?=[,}])/g, "$1.$2e12"),
  ),
  "booleans-that-are-off": answering("shows the booleans of metadata that are off", ({ body }) => {
    for (const { metadata } of recordsIn(body)) {
      metadata.ordered ??= false;
      metadata.includeTransfers ??= false;
    }
  }),
  "no-internal-types": answering("shows no internalType of an ABI's arguments", ({ body }) => {
    for (const { metadata } of recordsIn(body))
      for (const { inputs = [] } of metadata.abi ?? []) for (const input of inputs) delete input.internalType;
  }),
  "other-messages": answering("words its errors in another way", ({ status, body }) => {
    if (status >= 400) body.message = `Sorry: ${body.message.replace(/must be/, "has to be")}`;
  }),
  "empty-last-token": answering("has an empty token at the end of a list", ({ status, body }) => {
    if (status === 200 && (body.webhooks || (body.addresses && body.totalAddresses !== undefined && !body.id)))
      body.nextPageToken ??= "";
  }),
  "opaque-tokens": {
    says: "has tokens that must be escaped in a URL",
    make: () => ({
      request(request) {
        const token = queryOf(request, "pageToken");
        if (token?.endsWith("+/="))
          setQuery(
            request,
            "pageToken",
            Buffer.from(token.slice(0, -3), "base64").toString().replace("next page: ", ""),
          );
        return undefined;
      },
      answer({ body }) {
        if (body?.nextPageToken) body.nextPageToken = tokenOf(body.nextPageToken);
      },
    }),
  },
  "clock-behind": {
    says: "has a clock that is some seconds behind",
    make: () => ({
      answer: ({ body }) => earlier(body),
      async notify(notification, ask) {
        const { headers } = notification;
        headers["webhook-timestamp"] = String(Number(headers["webhook-timestamp"]) + offMs / 1000);
        await signedAgain(notification, ask);
      },
    }),
  },
  "notifications-with-headers": {
    says: "sends notifications with more headers",
    make: () => ({
      async notify(notification, ask) {
        Object.assign(notification.headers, { "user-agent": "own/1", traceparent: "00-0-0-00" });
        notification.headers["content-type"] = "application/json; charset=utf-8";
        await signedAgain(notification, ask);
      },
    }),
  },
  "answers-options": {
    says: "answers OPTIONS for browsers",
    make: () => ({
      request: ({ method }) =>
        method === "OPTIONS"
          ? { status: 204, headers: { "access-control-allow-origin": "*" }, body: undefined }
          : undefined,
    }),
  },
  "limits-the-rate": {
    says: "limits the rate, and says when to come back",
    make() {
      let count = 0;
      return {
        request() {
          count += 1;
          if (count % 50 !== 0) return undefined;
          const answer = refusal(429, "There are too many requests.");
          Object.assign(answer.headers, { "retry-after": "0", ratelimit: '"key";r=0;t=0' });
          return answer;
        },
      };
    },
  },
};

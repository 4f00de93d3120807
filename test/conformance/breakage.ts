/** Breaks a correct server from outside, in one thing or several: its requests, its answers and its notifications pass through here. */
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Dispatcher, request } from "undici";
import { signNotification } from "../../client/receiver/index.ts";
import { apiKeyHeader } from "../../generated/operations.ts";
import type { Rule } from "../../scripts/command/conformance/rules.ts";
import { reasonPhrases } from "../../server/contract/errors.ts";

// biome-ignore lint/suspicious/noExplicitAny: what breaks an answer reaches into it, and must not be held to its type.
export type Body = any;

/** A message on its way; a body of undefined is none, one of a text is sent as it is, and what is no text, as a compressed one, is its bytes. */
export type Message = { headers: Record<string, string>; body: Body; dropped?: boolean };
export type Request = Message & { method: string; path: string };
/** A notification on its way: where it goes, and how often. */
export type Notification = Message & { method: string; target: string; times: number };
export type Answer = Message & { status: number };

/** Asks the correct server behind, by a key that may do everything unless another is given. */
export type Ask = (method: string, path: string, key?: string) => Promise<Answer>;

/** What is broken, and which rules must be named: these and no others. */
export type Breakage = {
  says: string;
  rules: readonly Rule[];
  /** What it takes to be noticed: a second account, or a chain where something happens. None unless given. */
  needs?: "accounts" | "chain";
  /** Changes a request before the correct server has it; what it returns instead of that is an answer of its own. */
  request?: (request: Request, ask: Ask) => Answer | undefined | Promise<Answer | undefined>;
  /** Changes an answer of the correct server. */
  answer?: (answer: Answer, request: Request, ask: Ask) => void | Promise<void>;
  /** Changes a notification of the correct server. */
  notify?: (notification: Notification, ask: Ask) => void | Promise<void>;
  /** Changes an operational event of the correct server. */
  tell?: (event: Notification, ask: Ask) => void | Promise<void>;
  /** Writes an answer in another way. */
  send?: (response: ServerResponse, answer: Answer, request: Request) => void | Promise<void>;
  /** Follows redirects of endpoints. */
  followsRedirects?: boolean;
};

/** The payloads in an answer: that of a notification, or those of a preview, which are made by the same code. */
export function payloadsIn({ payload, transactions }: Body): Body[] {
  const previewed = Array.isArray(transactions) ? transactions.map((one) => one.payload) : [];
  return [payload, ...previewed].filter((one) => one !== undefined);
}

/** A server that is broken. */
export type Broken = { url: string; close(): Promise<void> };

/** An error, as a server would write it. */
export function refusal(status: keyof typeof reasonPhrases, message: string): Answer {
  const body = { message, statusCode: status, error: reasonPhrases[status] };
  return { status, headers: { "content-type": "application/json" }, body };
}

const relayPath = "/relay/";

const secrets = new Map<string, string[]>();

/** Signs a notification whose body was changed, as if the correct server had sent it so: after a rotation, with both secrets. */
export async function signedAgain({ headers, body }: Message, ask: Ask): Promise<void> {
  const { webhookId } = Array.isArray(body) ? body[0] : body;
  const { secret } = (await ask("GET", `/v1/webhooks/${webhookId}/secret`)).body;
  const known = [secret, ...(secrets.get(webhookId) ?? []).filter((one) => one !== secret)];
  secrets.set(webhookId, known);
  const { "webhook-id": id = "", "webhook-timestamp": timestamp } = headers;
  const signed = { id, timestamp: Number(timestamp), body: JSON.stringify(body) };
  const signatures = await Promise.all(known.map((one) => signNotification({ ...signed, secret: one })));
  headers["webhook-signature"] = signatures.join(" ");
  if (headers["x-signature"] === undefined) return;
  const shared = (await ask("GET", "/v1/shared-secret")).body.secret;
  headers["x-signature"] = createHmac("sha256", Buffer.from(shared, "hex")).update(signed.body).digest("base64");
}

/** Puts the breakages in front of the correct server, one after the other. @param key one that may do everything there */
export async function breakServer(
  inner: string,
  key: string,
  breakages: readonly Omit<Breakage, "says" | "rules">[],
): Promise<Broken> {
  const ask: Ask = (method, path, by = key) =>
    send(inner + path, { method, path, headers: { [apiKeyHeader]: by }, body: undefined });
  const server = createServer(async (incoming, response) => {
    try {
      const request = await received(incoming);
      const relayed = request.path.startsWith(relayPath);
      const answer = relayed ? await relay(request) : await pass(request);
      const own = relayed ? undefined : breakages.find(({ send }) => send);
      if (own?.send) await own.send(response, answer, request);
      else response.writeHead(answer.status, answer.headers).end(written(answer.body));
    } catch {
      response.destroy();
    }
  });
  // On a busy machine, all of this process can stand still for longer than the default of 5 s.
  server.keepAliveTimeout = 300_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // The notifications of every webhook come here first.
  const relayOf = (target: string) => `${url}${relayPath}${encodeURIComponent(target)}`;
  const targetOf = (text: string) =>
    text.replaceAll(new RegExp(`${url}${relayPath}([^"]+)`, "g"), (_, target: string) => decodeURIComponent(target));

  async function pass(request: Request): Promise<Answer> {
    for (const breakage of breakages) {
      const own = await breakage.request?.(request, ask);
      if (own) return own;
    }
    const notified = typeof request.body?.url === "string" && /^http:\/\/127/.test(request.body.url);
    const body = notified ? { ...request.body, url: relayOf(request.body.url) } : request.body;
    const answer = await send(inner + request.path, { ...request, body });
    const { body: came } = answer;
    answer.body = typeof came === "string" ? targetOf(came) : parsed(targetOf(JSON.stringify(came)));
    for (const breakage of breakages) await breakage.answer?.(answer, request, ask);
    return answer;
  }

  async function relay(request: Request): Promise<Answer> {
    const notification = { ...request, target: decodeURIComponent(request.path.slice(relayPath.length)), times: 1 };
    const isEvent = typeof request.body?.type === "string";
    for (const breakage of breakages) await (isEvent ? breakage.tell : breakage.notify)?.(notification, ask);
    if (notification.dropped) return { status: 204, headers: {}, body: undefined };
    const redirects = breakages.some(({ followsRedirects }) => followsRedirects) ? "follow" : "manual";
    const post = () => send(notification.target, notification, redirects);
    for (let sent = 1; sent < notification.times; sent += 1) await post();
    return post();
  }

  return {
    url,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function received(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method = "", url: path = "" } = incoming;
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).filter(
      ([name]) => !/^(host|connection|content-length|transfer-encoding)$/.test(name),
    ),
  ) as Record<string, string>;
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString();
  const isText = headers["content-encoding"] === undefined && Buffer.from(text).equals(bytes);
  const body = isText ? parsed(text) : bytes;
  return { method, path, headers, body: chunks.length === 0 ? undefined : body };
}

async function send(
  to: string,
  { method, headers, body }: Request,
  redirect: "follow" | "manual" = "manual",
): Promise<Answer> {
  const sent = written(body);
  const options = { method, headers, ...(sent !== undefined && { body: sent }) };
  const wantsEvents = headers.accept === "text/event-stream";
  const answer =
    redirect === "follow" ? await follow(to, options) : await (wantsEvents ? askForEvents : ask)(to, options);
  const kept = Object.entries(answer.headers).filter(([name]) =>
    /^(content-type|location|retry-after|allow)$/.test(name),
  );
  return { status: answer.status, headers: Object.fromEntries(kept), body: parsed(answer.text) };
}

type Sent = { status: number; headers: Record<string, string>; text: string };
type Sending = { method: string; headers: Record<string, string>; body?: string | Buffer<ArrayBuffer> };

async function follow(to: string, options: Sending): Promise<Sent> {
  const response = await fetch(to, options);
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}

/** `fetch` fails where a server answers and closes before it has read a large body. */
async function ask(to: string, { method, headers, body }: Sending): Promise<Sent> {
  // Where it closes, the next request must not be on that connection.
  const reset = Buffer.byteLength(body ?? "") > 65_536;
  const answer = await request(to, { method: method as Dispatcher.HttpMethod, headers, body: body ?? null, reset });
  const given = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
  return { status: answer.statusCode, headers: Object.fromEntries(given), text: await answer.body.text() };
}

/** How long nothing comes after an event before a stream is cut here. */
const quietMs = 250;

/** A stream ends here when it is quiet after an event, which any server may do. */
async function askForEvents(to: string, { method, headers }: Sending): Promise<Sent> {
  const answer = await request(to, { method: method as Dispatcher.HttpMethod, headers });
  let text = "";
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const chunk of answer.body) {
      text += chunk;
      clearTimeout(timer);
      if (/^data:/m.test(text)) timer = setTimeout(() => answer.body.destroy(), quietMs);
    }
  } catch {
    // It was cut.
  }
  clearTimeout(timer);
  const given = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as const);
  return { status: answer.statusCode, headers: Object.fromEntries(given), text };
}

/** Only what is written as we would write it becomes an object, so that whatever is not changed keeps its bytes. */
function parsed(text: string): Body {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null && JSON.stringify(value) === text ? value : text;
  } catch {
    return text;
  }
}

/** The bytes of a body. */
export function written(body: Body): string | Buffer<ArrayBuffer> | undefined {
  return body === undefined || typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

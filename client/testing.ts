/**
 * For the tests of whoever receives notifications: sends the contract's examples, signed, to an endpoint that runs within the test.
 *
 * @module
 */
import { notificationExamples } from "../generated/notification-examples.ts";
import { notificationHeader } from "../generated/notification-header.ts";
import { signNotification } from "./receiver/signature.ts";
import type { AddressActivityNotification } from "./receiver/verify.ts";

/** The names of the examples, such as `native-transfer`. */
export type ExampleName = keyof typeof notificationExamples;

/** One notification of each kind: transactions of Ethereum, as the service notifies of them. */
export const fixtures: Readonly<Record<ExampleName, AddressActivityNotification>> = notificationExamples;

/** What `notify` signs with unless it is given another. It is no secret: the contract's example shows it. */
export const testSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** How to sign a notification, and what to spoil. */
export type SignOptions = {
  /** The receiver's; `testSecret` by default. */
  secret?: string;
  /** Its number among those of its webhook; 1 by default, 0 for a test. Of a batch, that of the first. */
  sequence?: number;
  /** When it was signed; now by default. */
  signedAt?: Date;
  /** `tampered` changes the body after it was signed, `stale` signs it an hour ago, `forged` with another secret. A receiver must refuse each. */
  fault?: "tampered" | "stale" | "forged";
};

/** How to send it. */
export type NotifyOptions = SignOptions & {
  /** `/hooks` by default. */
  path?: string;
};

/** A request as the service would make it: a POST of `application/json`. */
export type SignedNotification = { headers: Record<string, string>; body: string };

/** An example's name, a notification, or several for a batch. */
export type Notifiable = ExampleName | AddressActivityNotification | readonly AddressActivityNotification[];

type NodeHandler<Request, Response> = (request: Request, response: Response, ...others: never[]) => unknown;
type Sendable = { set(headers: Record<string, string>): { send(body: string): PromiseLike<SupertestResponse> } };
type SupertestResponse = { status: number; headers: Record<string, string>; text: string };
type InjectResponse = { statusCode: number; headers: Record<string, unknown>; body: string };

type FetchHandler = (request: Request) => Response | Promise<Response>;

/** What can be notified. */
export type NotifyTarget =
  /** Something that listens already: its URL, without the path. */
  | string
  | URL
  /** A function from `Request` to `Response`, or what has one as `fetch`: Hono, Workers, Bun, Deno. */
  | FetchHandler
  | { fetch: FetchHandler }
  /** A handler with `request` and `response`: Express, `createNodeReceiver`, Koa's `app.callback()`. */
  // biome-ignore lint/suspicious/noExplicitAny: Node's and Express's own types of both would have to be imported.
  | NodeHandler<any, any>
  /** Supertest's `request(app)`. */
  | { post(path: string): Sendable }
  /** A Fastify instance. */
  | {
      inject(options: {
        method: "POST";
        url: string;
        headers: Record<string, string>;
        payload: string;
      }): PromiseLike<InjectResponse>;
    };

/**
 * Signs an example or a notification of yours.
 *
 * @example
 * const { headers, body } = await signed("native-transfer");
 * const response = await POST(new Request("http://localhost/hooks", { method: "POST", headers, body }));
 */
export async function signed(what: Notifiable, options: SignOptions = {}): Promise<SignedNotification> {
  const { secret = testSecret, sequence = 1, fault } = options;
  const signedAt = fault === "stale" ? new Date(Date.now() - 3_600_000) : (options.signedAt ?? new Date());
  const notification = typeof what === "string" ? fixtureOf(what) : what;
  // A batch has an id of its own.
  const id = "messageId" in notification ? notification.messageId : crypto.randomUUID();
  const body = JSON.stringify(notification);
  const timestamp = Math.floor(signedAt.getTime() / 1000);
  const key = fault === "forged" ? `whsec_${btoa(crypto.randomUUID())}` : secret;
  const headers = {
    "content-type": "application/json",
    [notificationHeader.id]: id,
    [notificationHeader.timestamp]: String(timestamp),
    [notificationHeader.signature]: await signNotification({ id, timestamp, body, secret: key }),
    [notificationHeader.sequence]: String(sequence),
  };
  return { headers, body: fault === "tampered" ? `${body} ` : body };
}

/**
 * Sends a signed notification to an endpoint, as the service would, and returns its answer.
 *
 * @param target the endpoint: an app, a handler, Supertest's `request(app)`, or a URL
 * @example
 * expect((await notify(app, "native-transfer")).status).toBe(204);
 * expect((await notify(app, "native-transfer", { fault: "tampered" })).status).toBe(400);
 */
export async function notify(target: NotifyTarget, what: Notifiable, options: NotifyOptions = {}): Promise<Response> {
  const { path = "/hooks", ...others } = options;
  const { headers, body } = await signed(what, others);
  const post = { method: "POST", headers, body };
  if (typeof target === "string" || target instanceof URL) return fetch(new URL(path, target), post);
  const request = () => new Request(new URL(path, "http://localhost"), post);
  if (typeof target === "function")
    return target.length > 1 ? throughServer(target, path, post) : (target as FetchHandler)(request());
  if ("fetch" in target) return target.fetch(request());
  if ("inject" in target) {
    const answer = await target.inject({ method: "POST", url: path, headers, payload: body });
    return responseOf(answer.statusCode, answer.headers, answer.body);
  }
  const answer = await target.post(path).set(headers).send(body);
  return responseOf(answer.status, answer.headers, answer.text);
}

function fixtureOf(name: string): AddressActivityNotification {
  if (Object.hasOwn(fixtures, name)) return fixtures[name as ExampleName];
  throw new TypeError(`There is no example ${name}; there are ${Object.keys(fixtures).join(", ")}.`);
}

/** As long as the service waits for an endpoint. */
const mostWaitMs = 10_000;

/** A real one for the moment of one request: Express and others need Node's own request and response. @throws what the handler throws */
async function throughServer(handler: NodeHandler<never, never>, path: string, post: RequestInit): Promise<Response> {
  const { createServer } = await import("node:http");
  let fail = (_error: unknown): void => {};
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  const server = createServer(async (request, response) => {
    for (const stream of [request, response]) stream.on("error", () => {});
    try {
      if ((await handler(request as never, response as never)) instanceof Response)
        throw new TypeError(
          "The handler has a second parameter and returns a Response: pass (request) => handler(request, …).",
        );
    } catch (error) {
      fail(error);
    }
  }).listen(0, "127.0.0.1");
  server.once("error", fail);
  const late = setTimeout(
    () => fail(new Error(`The handler did not answer within ${mostWaitMs / 1000} s.`)),
    mostWaitMs,
  );
  const answered = async () => {
    await new Promise<void>((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, post);
    return responseOf(answer.status, Object.fromEntries(answer.headers), await answer.text());
  };
  try {
    return await Promise.race([answered(), failed]);
  } finally {
    clearTimeout(late);
    server.close();
    server.closeAllConnections();
  }
}

function responseOf(status: number, headers: Readonly<Record<string, unknown>>, text: string): Response {
  const named = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : text, { status, headers: named });
}

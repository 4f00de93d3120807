/**
 * Receivers for what gives neither a `Request` nor Node's streams: AWS Lambda has the body in its event, and Fastify and Koa send the answer
 * themselves. Typed by what they use of these, so that none is imported.
 */
import { decodeBase64, toBytes } from "./bytes.ts";
import { type IncomingRequest, readRawBody } from "./node.ts";
import { createReceiver, mostBodyMiB, type ReceiverOptions } from "./receive.ts";

/** What is used of a function's event. Those of a function URL, of API Gateway (REST and HTTP, payloads 1.0 and 2.0) and of a load balancer have it. */
export type LambdaEvent = {
  readonly httpMethod?: string | undefined;
  readonly requestContext?: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>> | null | undefined;
  readonly multiValueHeaders?: Readonly<Record<string, string[] | undefined>> | null | undefined;
  readonly body?: string | null | undefined;
  readonly isBase64Encoded?: boolean | undefined;
};

/** What a function returns. */
export type LambdaAnswer = { statusCode: number; headers: Record<string, string>; body: string };

/**
 * Makes the handler of a function in AWS Lambda, behind a function URL, API Gateway or a load balancer. It takes single notifications and
 * batches, and answers as `createNodeReceiver` does. AWS itself refuses what is over 6 MB, so such a notification is never delivered.
 * @throws NotificationError `invalid_secret`, immediately unless `secret` is a function.
 * @example
 * export const handler = createLambdaReceiver({ secret, onNotification: async (notification) => save(notification) });
 */
export function createLambdaReceiver(options: ReceiverOptions): (event: LambdaEvent) => Promise<LambdaAnswer> {
  const receive = createReceiver(options);
  return async (event) => {
    const { httpMethod, requestContext, headers, multiValueHeaders, body, isBase64Encoded } = event;
    const method = httpMethod ?? (requestContext as { http?: { method?: string } } | undefined)?.http?.method;
    const bytes = (isBase64Encoded ? decodeBase64(body ?? "") : toBytes(body)) ?? new Uint8Array();
    const answer = await receive({
      method,
      headers: { ...multiValueHeaders, ...headers },
      readBody: async (maxBytes) => (bytes.byteLength > maxBytes ? undefined : bytes),
    });
    return { statusCode: answer.status, headers: answer.headers, body: answer.body ?? "" };
  };
}

/** What is used of a Fastify instance. */
export type FastifyScope = {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    contentType: string,
    options: { parseAs: "buffer"; bodyLimit: number },
    parser: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown;
  post(path: string, handler: (request: FastifyIncoming, reply: FastifyOutgoing) => Promise<unknown>): unknown;
};

type FastifyIncoming = { readonly headers: IncomingRequest["headers"]; readonly body: unknown };

type FastifyOutgoing = {
  code(status: number): { headers(values: Record<string, string>): { send(body?: string): unknown } };
};

/**
 * Makes a plugin for Fastify, whose prefix is the path. It takes single notifications and batches, and answers as `createNodeReceiver` does; Fastify
 * itself answers other methods and too large bodies. Other routes parse bodies as before.
 * @throws NotificationError `invalid_secret`, immediately unless `secret` is a function.
 * @example
 * app.register(createFastifyReceiver({ secret, onNotification: async (notification) => save(notification) }), { prefix: "/hooks" });
 */
export function createFastifyReceiver(options: ReceiverOptions): (scope: FastifyScope) => Promise<void> {
  const receive = createReceiver(options);
  const bodyLimit = options.maxBodyBytes ?? mostBodyMiB * 2 ** 20;
  return async (scope) => {
    // Fastify's own parsers would leave an object. A plugin has parsers of its own.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit }, (_, body, done) => done(null, body));
    scope.post("/", async ({ headers, body }, reply) => {
      const readBody = async () => toBytes(body) ?? new Uint8Array();
      const answer = await receive({ method: "POST", headers, readBody });
      return reply.code(answer.status).headers(answer.headers).send(answer.body);
    });
  };
}

/** What is used of Koa's context. */
export type KoaContext = {
  readonly req: IncomingRequest;
  /** Koa's own request, where body parsers leave what they made of the body. */
  readonly request: object;
  status: number;
  body: unknown;
  set(headers: Record<string, string>): unknown;
};

/**
 * Makes a middleware for Koa, which never calls the next. It takes single notifications and batches, and answers as `createNodeReceiver` does.
 * Behind `koa-bodyparser` or `@koa/bodyparser` it takes the text that these keep; their limit then holds, 1 MB unless set.
 * @throws NotificationError `invalid_secret`, immediately unless `secret` is a function.
 * @example
 * router.post("/hooks", createKoaReceiver({ secret, onNotification: async (notification) => save(notification) }));
 */
export function createKoaReceiver(options: ReceiverOptions): (context: KoaContext) => Promise<void> {
  const receive = createReceiver(options);
  return async (context) => {
    const { req, request } = context;
    // Whoever sends may hang up at any time.
    req.on?.("error", () => {});
    const readBody = (maxBytes: number) => readRawBody(req, maxBytes, request);
    const answer = await receive({ method: req.method, headers: req.headers, readBody });
    context.set({ ...answer.headers, ...(answer.status === 413 && { Connection: "close" }) });
    context.body = answer.body;
    context.status = answer.status;
  };
}

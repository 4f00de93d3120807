/** The example server with a mutation, listening. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import express, { type RequestHandler } from "express";
import { asObject, isObject, type Json } from "../../../scripts/document/json.ts";
import { createHttpServer } from "../../../server/base/servers.ts";
import type { Handlers } from "../../../server/contract/index.ts";
import { findOperation } from "../../../server/contract/operations.ts";
import type { Answer, AnswerMutant, RequestMutant } from "./answer-mutants.ts";
import { loadExample } from "./load.ts";
import type { SourceMutant } from "./source-mutants.ts";

/** One thing that is wrong. */
export type Mutation = { source?: SourceMutant; answer?: AnswerMutant; request?: RequestMutant; watch?: Watch };

/** Sees what passes. */
export type Watch = {
  answered(operation: string, answer: Answer): void;
  asked(operation: string, input: object): void;
};

const keys = new Map<string, { scopes: ("read" | "write")[] }>([["both", { scopes: ["read", "write"] }]]);

/** Starts it. @throws when the mutation keeps it from starting, which catches it too */
export async function startMutated({
  source,
  answer,
  request,
  watch,
}: Mutation): Promise<{ url: string; close(): Promise<void> }> {
  const { memoryServer } = loadExample(source, (handlers) => ignoring(handlers, request, watch));
  const app = express()
    .disable("x-powered-by")
    .use(changing(answer, watch), await memoryServer(keys));
  const server = createHttpServer(app);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** Changes the answers as they leave, after everything that could still have noticed it. */
function changing(mutant: AnswerMutant | undefined, watch: Watch | undefined): RequestHandler {
  const memory = new Map<string, Answer>();
  return (request, response, next) => {
    const operation = findOperation(request.method, request.path)?.operationId;
    if (operation === undefined || (operation !== mutant?.operation && !watch)) return next();
    const end = response.end.bind(response);
    response.end = ((chunk: unknown) => {
      const headers = Object.fromEntries(
        Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
      );
      const before: Answer = { status: response.statusCode, headers, body: parsed(chunk) };
      watch?.answered(operation, before);
      const after = mutant?.change(before, memory) ?? before;
      for (const name of Object.keys(headers)) response.removeHeader(name);
      const text = after.body === undefined ? "" : JSON.stringify(after.body);
      const own = { ...after.headers, "content-length": String(Buffer.byteLength(text)) };
      for (const [name, value] of Object.entries(own)) response.setHeader(name, value);
      response.statusCode = after.status;
      return end(text);
    }) as typeof response.end;
    return next();
  };
}

function parsed(chunk: unknown): Json | undefined {
  try {
    return JSON.parse(String(chunk)) as Json;
  } catch {
    return undefined;
  }
}

/** Takes a part of the requests away before the handler sees it. */
function ignoring(handlers: Handlers, mutant: RequestMutant | undefined, watch: Watch | undefined): Handlers {
  const all = Object.entries(handlers as unknown as Record<string, (input: object) => unknown>).map(
    ([name, handler]) => [
      name,
      (input: object) => {
        watch?.asked(name, input);
        if (mutant?.operation !== name) return handler(input);
        const { [mutant.part]: part } = input as Record<string, Json>;
        return handler({ ...input, [mutant.part]: without(part ?? null, mutant.at) });
      },
    ],
  );
  return Object.fromEntries(all) as Handlers;
}

function without(value: Json, [name, ...rest]: readonly string[]): Json {
  if (name === undefined || !isObject(value) || value[name] === undefined) return value;
  const { [name]: own = null, ...others } = value;
  return rest.length === 0 ? others : { ...others, [name]: without(own, rest) };
}

/** Whether a request has what a mutant takes away. */
export function hasPart({ part, at }: RequestMutant, input: object): boolean {
  let here: Json | undefined = (input as Record<string, Json>)[part];
  for (const name of at) here = asObject(here)[name];
  return here !== undefined;
}

/** The mock's control over HTTP, below `/_mock`. None of it is part of the contract: its bodies are small JSON objects. */
import express, { type ErrorRequestHandler, type RequestHandler, Router } from "express";
import { storeErrorAsHttp } from "../../../../server/api/store-errors.ts";
import { syntaxFault } from "../../../../server/contract/body/json-body.ts";
import { HttpError } from "../../../../server/contract/errors.ts";
import type { MockWebhook } from "../state/records.ts";
import type { MockControl } from "../types.ts";
import type { Fault } from "./faults.ts";

/** In bytes. */
const bodyLimit = 16 * 1024;

type Controlled = MockControl & { faults: { list(): Fault[] } };

/** @param webhooks those that are there, examples included */
export function controlRoutes(control: Controlled, webhooks: () => MockWebhook[]): RequestHandler {
  const routes: Record<string, Partial<Record<"GET" | "POST", (body: unknown) => unknown>>> = {
    "/_mock": {
      GET: () => ({
        webhooks: webhooks().map(({ record, notifications }) => ({ id: record.id, notifications: notifications.size })),
        failing: control.faults.list(),
        paths: Object.entries(routes).flatMap(([path, methods]) =>
          Object.keys(methods).map((method) => `${method} ${path}`),
        ),
      }),
    },
    "/_mock/notifications": { POST: async (body) => ({ sent: await control.send(body as object) }) },
    "/_mock/failures": {
      POST(body) {
        control.fail(body as object);
        return { failing: control.faults.list() };
      },
    },
    "/_mock/sent": { GET: control.sent },
    "/_mock/reset": {
      POST() {
        control.reset();
        return {};
      },
    },
  };
  const router = Router({ caseSensitive: true, strict: true });
  router.use(wantJson, express.json({ limit: bodyLimit }), async (request, response) => {
    const { method, path, body } = request;
    const methods = routes[path];
    if (!methods) throw new HttpError(404, `There is no ${path}; GET /_mock lists what there is.`);
    const act = methods[(method === "HEAD" ? "GET" : method) as "GET"];
    if (!act) throw new HttpError(405, `The method must be one of ${Object.keys(methods).join(", ")}.`);
    response.set("cache-control", "no-store").json(await act(body));
  });
  router.use(explain);
  return (request, response, next) => (/^\/_mock(\/|$)/.test(request.path) ? router(request, response, next) : next());
}

/** A page can send a form to any server without asking first, but no JSON. */
const wantJson: RequestHandler = (request, _response, next) => {
  const { "content-type": type, "transfer-encoding": chunked, "content-length": length = "0" } = request.headers;
  const isEmpty = type === undefined && chunked === undefined && length === "0";
  if (isEmpty || request.is("application/json")) return next();
  throw new HttpError(415, "The header content-type must be application/json.");
};

const explain: ErrorRequestHandler = (error, _request, response, _next) => {
  const known = error instanceof HttpError ? error : storeErrorAsHttp(error);
  const { status, message } = known ?? ofBody(error);
  response.status(status).json({ message });
};

function ofBody(error: { status?: number; message?: string; type?: string; body?: unknown }): {
  status: number;
  message: string;
} {
  if (error.status === 413) return { status: 413, message: `The body must be at most ${bodyLimit / 1024} KiB.` };
  if (error.type === "entity.parse.failed" && typeof error.body === "string")
    return { status: 400, message: `The body must be a JSON object; ${syntaxFault(error.body)}.` };
  if (error.status && error.status < 500) return { status: 400, message: "The body must be a JSON object." };
  return { status: 500, message: `The mock failed: ${error.message}.` };
}

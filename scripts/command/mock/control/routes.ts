/** The mock's control over HTTP, below `/_mock`. None of it is part of the contract: its bodies are small JSON objects. */
import { syntaxFault } from "../../../../server/contract/body/json-body.ts";
import { HttpError } from "../../../../server/contract/errors.ts";
import type { MockWebhook } from "../state/records.ts";
import type { MockControl } from "../types.ts";
import type { Fault } from "./faults.ts";

/** In bytes. */
export const bodyLimit = 16 * 1024;

type Controlled = MockControl & { faults: { list(): Fault[] } };

/** @param body parsed; undefined without one @returns the answer's body @throws {HttpError} for what there is not */
export type ControlRoutes = (method: string, path: string, body: unknown) => Promise<unknown>;

/** @param webhooks those that are there, examples included */
export function controlRoutes(control: Controlled, webhooks: () => MockWebhook[]): ControlRoutes {
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
  return async (method, path, body) => {
    const methods = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (!methods) throw new HttpError(404, `There is no ${path}; GET /_mock lists what there is.`);
    const act = methods[(method === "HEAD" ? "GET" : method) as "GET"];
    if (!act) throw new HttpError(405, `The method must be one of ${Object.keys(methods).join(", ")}.`);
    return act(body);
  };
}

/** Whether the control answers, and not the contract. */
export const isControlPath = (path: string): boolean => /^\/_mock(\/|$)/.test(path);

export const notJson = () => new HttpError(415, "The header content-type must be application/json.");
export const tooLarge = () => new HttpError(413, `The body must be at most ${bodyLimit / 1024} KiB.`);

/** @param text where it is no JSON, or no object */
export function noObject(text?: string): HttpError {
  return new HttpError(
    400,
    `The body must be a JSON object${text === undefined || isJson(text) ? "" : `; ${syntaxFault(text)}`}.`,
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

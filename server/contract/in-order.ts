/** Runs handlers as one layer of Express, to which each layer of its own costs about as much as most of our handlers. */
import type { Request, RequestHandler } from "express";

/** Runs one handler after the other, as `app.use(...handlers)` does. */
export function inOrder(...handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, next) => {
    const run = (index: number): void => {
      const handler = handlers[index];
      if (!handler) return next();
      try {
        const running: unknown = handler(request, response, (error?: unknown) => {
          if (error) next(error);
          else run(index + 1);
        });
        if (running instanceof Promise) running.catch((error: unknown) => next(error || new Error("Rejected promise")));
      } catch (error) {
        next(error);
      }
    };
    run(0);
  };
}

/** Runs a handler for some paths only. */
export function where(matches: (path: string) => boolean, handler: RequestHandler): RequestHandler {
  return (request: Request, response, next) => (matches(request.path) ? handler(request, response, next) : next());
}

/** What an app answers once it was told to stop, while it still listens. */
import type { Express, RequestHandler } from "express";
import { unavailable } from "../../contract/errors.ts";

const stopping = new WeakSet<Express>();

/** From now on the app answers 503 to its API and to /readyz. */
export function setStopping(app: Express): void {
  stopping.add(app);
}

/** Lets requests through until the app is stopping. */
export const refuseWhenStopping: RequestHandler = (request, response, next) => {
  if (!stopping.has(request.app as Express)) {
    next();
    return;
  }
  response.set("connection", "close");
  throw unavailable("The server is stopping");
};

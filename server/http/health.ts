/** Tells an orchestrator whether the process is up, and whether it can serve. */
import { Router } from "express";
import type { Pool } from "../store/pool.ts";
import { getOnly } from "./no-such-route.ts";
import { refuseWhenStopping } from "./stopping.ts";

/** GET /healthz: the process is up. GET /readyz: its database answers too and it is not stopping, else 503. */
export function health(pool: Pool): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get("/healthz", (_request, response) => void response.json({ status: "up" }));
  router.get("/readyz", refuseWhenStopping, async (_request, response) => {
    await pool.query("SELECT 1");
    response.json({ status: "ready" });
  });
  router.all(["/healthz", "/readyz"], getOnly);
  return router;
}

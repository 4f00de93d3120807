/** Hono, where a middleware reads the body first. Hono keeps what it has read. */
import { serve } from "@hono/node-server";
import { createFetchReceiver } from "chain-webhooks/receiver";
import { Hono } from "hono";
import { cloneRawRequest } from "hono/request";
import { options } from "./options.ts";

const app = new Hono();
const receive = createFetchReceiver(options);
app.use(async ({ req }, next) => {
  await req.json().catch(() => undefined);
  await next();
});
app.post("/hooks", async ({ req }) => receive(await cloneRawRequest(req)));
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: "127.0.0.1" });

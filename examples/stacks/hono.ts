/** Hono, in Node; in other runtimes without `serve`. */
import { serve } from "@hono/node-server";
import { createFetchReceiver } from "chain-webhooks/receiver";
import { Hono } from "hono";
import { options } from "./options.ts";

const app = new Hono();
app.mount("/hooks", createFetchReceiver(options));
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: "127.0.0.1" });

/** Koa, with its router. */
import Router from "@koa/router";
import { createKoaReceiver } from "chain-webhooks/receiver";
import Koa from "koa";
import { options } from "./options.ts";

const router = new Router();
router.post("/hooks", createKoaReceiver(options));
const app = new Koa().use(router.routes());
app.listen(Number(process.env.PORT), "127.0.0.1");

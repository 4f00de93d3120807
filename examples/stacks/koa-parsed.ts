/** Koa, where a parser comes before all routes. It keeps the text. */
import { bodyParser } from "@koa/bodyparser";
import Router from "@koa/router";
import { createKoaReceiver } from "chain-webhooks/receiver";
import Koa from "koa";
import { options } from "./options.ts";

const router = new Router();
router.post("/hooks", createKoaReceiver(options));
const app = new Koa()
  .use(bodyParser({ jsonLimit: "32mb" }))
  .use(router.routes())
  .on("error", () => {});
app.listen(Number(process.env.PORT), "127.0.0.1");

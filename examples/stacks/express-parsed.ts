/** Express, where a parser comes before all routes and keeps the bytes. */
import { createExpressReceiver } from "chain-webhooks/receiver";
import express from "express";
import { options } from "./options.ts";

const app = express();
app.use(express.json({ limit: "32mb", verify: (request, _, bytes) => Object.assign(request, { rawBody: bytes }) }));
app.post("/hooks", createExpressReceiver(options));
app.use(((_error, _request, response, _next) => void response.sendStatus(400)) satisfies express.ErrorRequestHandler);
app.listen(Number(process.env.PORT), "127.0.0.1");

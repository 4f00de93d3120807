/** Express. */
import { createExpressReceiver } from "chain-webhooks/receiver";
import express from "express";
import { options } from "./options.ts";

const app = express();
app.post("/hooks", createExpressReceiver(options));
app.use(express.json()); // For routes below.
app.listen(Number(process.env.PORT), "127.0.0.1");

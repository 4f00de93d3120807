/** Firebase, and Google Cloud's functions: they parse the body, and keep its bytes. */
import { createExpressReceiver } from "chain-webhooks/receiver";
import { onRequest } from "firebase-functions/https";
import { options } from "./options.ts";

export const hooks = onRequest({ secrets: ["WEBHOOK_SECRET"] }, createExpressReceiver(options));

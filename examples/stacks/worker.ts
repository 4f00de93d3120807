/** Cloudflare Workers, with the flag `nodejs_compat`. `npx wrangler secret put WEBHOOK_SECRET` gives it the secret. */
import { createFetchReceiver } from "chain-webhooks/receiver";
import { options } from "./options.ts";

export default { fetch: createFetchReceiver(options) };

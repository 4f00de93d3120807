/**
 * A receiver for the edge: Cloudflare Workers, Deno, Bun, Vercel. It needs `Request`, `Response` and Web Crypto, and no Node.
 *
 *   npx wrangler dev fetch-receiver.ts
 */
import { createFetchReceiver } from "chain-webhooks/receiver";

/** What the platform provides: a secret, and a store that expires entries by itself. */
export type Environment = {
  WEBHOOK_SECRET: string;
  HANDLED: {
    get(key: string): Promise<string | null>;
    put(key: string, value: string, options: { expirationTtl: number }): Promise<void>;
  };
};

/** As long as the service keeps notifications, and can send them again. */
const rememberSeconds = 30 * 86_400;

export default {
  async fetch(request: Request, env: Environment): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname !== "/hooks") return new Response("Not Found", { status: 404 });
    const receive = createFetchReceiver({
      secret: env.WEBHOOK_SECRET,
      async onNotification({ messageId, event }, { sequence }) {
        if ((await env.HANDLED.get(messageId)) !== null) return;
        for (const { address, topic0 } of event.logs ?? []) console.log(sequence, address, topic0);
        // After the work: if it throws, the service retries.
        await env.HANDLED.put(messageId, "", { expirationTtl: rememberSeconds });
      },
    });
    return receive(request);
  },
};

/** Creates large webhooks as fast as answers come: `greedy.ts URL KEY SECONDS CONNECTIONS`. */
import { Pool } from "undici";
import { benchWebhook } from "./world.ts";

const [url = "", key = "", seconds = "", connections = ""] = process.argv.slice(2);
const pool = new Pool(url, { connections: Number(connections), pipelining: 1 });
const headers = { "x-service-api-key": key, "content-type": "application/json" };
const { metadata, ...rest } = JSON.parse(benchWebhook(0));
const body = (n: number) => {
  const addresses = Array.from({ length: 2_000 }, (_, at) => `0x${(n * 2_000 + at).toString(16).padStart(40, "9")}`);
  return JSON.stringify({ ...rest, metadata: { ...metadata, addresses } });
};

let asked = 0;
const until = performance.now() + Number(seconds) * 1_000;
const asking = async () => {
  while (performance.now() < until) {
    asked += 1;
    const answer = await pool.request({ method: "POST", path: "/v1/webhooks", headers, body: body(asked) });
    await answer.body.dump();
    if (asked === 64) process.send?.({ begun: true });
  }
};
await Promise.all(Array.from({ length: Number(connections) }, asking));
process.send?.({ done: asked });
await pool.close();
process.disconnect?.();

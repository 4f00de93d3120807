/** Fastify. Its other routes parse JSON as before. */
import { createFastifyReceiver } from "chain-webhooks/receiver";
import { fastify } from "fastify";
import { options } from "./options.ts";

const app = fastify();
app.register(createFastifyReceiver(options), { prefix: "/hooks" });
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });

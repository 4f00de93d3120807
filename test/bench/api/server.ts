/**
 * The API of a bench as a process: `enforced` as the service has it, or `bare`, the same handlers on the same database in Express
 * alone, which reads JSON, looks the key up and calls the handler. It prints its port, and ends at SIGTERM.
 */
import express, { type Express, type Request } from "express";
import { destination } from "pino";
import { operationTable } from "../../../generated/operations.ts";
import { createApp } from "../../../server/api/app.ts";
import { FeedReaders } from "../../../server/api/handlers/feed.ts";
import { createHandlers } from "../../../server/api/handlers/index.ts";
import { storedKeys } from "../../../server/api/limits/api-keys.ts";
import { listen } from "../../../server/api/listening/listen.ts";
import { createLog } from "../../../server/base/log.ts";
import { authenticate, callerOf, ownScheme } from "../../../server/contract/security.ts";
import { readConfig } from "../../../server/settings/config.ts";
import { noKeys } from "../../../server/settings/keyring.ts";
import { createPool } from "../../../server/store/pool.ts";
import { benchChains } from "./world.ts";

const config = readConfig(process.env);
const pool = createPool(config.databaseUrl ?? "", { max: 10 });
// As the service writes it, line by line, but to nowhere.
const log = createLog("info", { destination: destination("/dev/null") });
const { allowPrivateTargets, limits } = config;
const context = { allowPrivateTargets, limits, quotas: limits.quotas, keyring: noKeys, pool, chains: benchChains, log };

function bare(): Express {
  const app = express();
  app.use(authenticate(storedKeys(pool, log), ownScheme), express.json({ limit: "1mb" }));
  const handlers = createHandlers(context, new FeedReaders(context.pool)) as unknown as Record<string, Handler>;
  for (const [operationId, { method, path }] of Object.entries(operationTable)) {
    const handler = handlers[operationId];
    app[method](path.replace(/{(\w+)}/g, ":$1"), async (request: Request, response) => {
      const { params, query, headers, body } = request;
      const answer = await handler?.({ caller: callerOf(request), path: params, query, headers, body });
      response
        .status(answer?.status ?? 500)
        .set(answer?.headers ?? {})
        .json(answer?.body);
    });
  }
  return app;
}

type Answer = { status: number; headers?: Record<string, string>; body: unknown };
type Handler = (input: Record<string, unknown>) => Promise<Answer>;

const server = await listen(process.argv[2] === "bare" ? bare() : await createApp(context), {
  port: 0,
  connections: limits.connections,
});
process.send?.({ port: server.port });
process.once("SIGTERM", async () => {
  await server.close();
  await pool.end();
  process.exit(0);
});

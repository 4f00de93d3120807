/**
 * Every server of ours in one process: `servers-process.ts DATABASE_URL`. An exception that nobody catches ends it, which a test's own
 * process would not show. It prints the addresses by name, as JSON.
 */
import { pino } from "pino";
import { createDocs } from "../../../scripts/command/commands/docs.ts";
import { createExchangeRecorder } from "../../../scripts/command/conformance/exchange.ts";
import { startProxy } from "../../../scripts/command/conformance/proxy.ts";
import { startReceiver } from "../../../scripts/command/conformance/receiver.ts";
import { createMock } from "../../../scripts/command/mock/app.ts";
import { createListener } from "../../../scripts/command/notifications/listener.ts";
import { createApp } from "../../../server/api/app.ts";
import { listen } from "../../../server/api/listening/listen.ts";
import { createMonitoring } from "../../../server/api/monitoring/app.ts";
import { createMetrics } from "../../../server/base/metrics.ts";
import { noKeys } from "../../../server/settings/keyring.ts";
import { readLimits } from "../../../server/settings/limits.ts";
import { createPool } from "../../../server/store/pool.ts";

const pool = createPool(process.argv[2] ?? "");
const log = pino({ level: "fatal" });
const limits = readLimits({});
const metrics = createMetrics();
const port = { port: 0 };
const api = await listen(
  await createApp({ pool, log, limits, metrics, chains: [], allowPrivateTargets: false, keyring: noKeys }),
  port,
);
const listener = createListener({ secret: undefined, forwardTo: undefined, show: () => undefined });
const urls = {
  API: api.url,
  metrics: (await listen(createMonitoring({ pool, log, metrics, chains: [] }), port)).url,
  mock: (await listen((await createMock({ say: () => undefined, log })).app, port)).url,
  docs: (await listen(await createDocs(), port)).url,
  listen: (await listen(listener, port)).url,
  "conformance receiver": (await startReceiver({ host: "127.0.0.1", port: 0 })).url,
  "conformance proxy": (
    await startProxy(createExchangeRecorder(new URL(api.url), new AbortController().signal), "test")
  ).url,
};
console.log(JSON.stringify(urls));

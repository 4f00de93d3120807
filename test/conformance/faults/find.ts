/** What conformance finds at a server with one fault. */
import { startAttempt } from "../../../scripts/command/conformance/cases/attempt.ts";
import { checkActivity } from "../../../scripts/command/conformance/checks/activity.ts";
import { checkCallback } from "../../../scripts/command/conformance/checks/callback.ts";
import { createRecorder } from "../../../scripts/command/conformance/exchange.ts";
import type { Finding } from "../../../scripts/command/conformance/findings.ts";
import { startReceiver } from "../../../scripts/command/conformance/receiver.ts";
import { findTarget } from "../../../scripts/command/conformance/target.ts";
import type { ActiveWorld } from "../active-world.ts";
import { breakServer } from "../breakage.ts";
import { examineExample, otherKey, startExample } from "../example.ts";
import type { Fault } from "./fault.ts";

/** A whole run, unless a part of it finds something: on a chain, that part is what is notified, previewed and explained. */
export async function findingsOf({ needs, make }: Fault, world: ActiveWorld | undefined): Promise<readonly Finding[]> {
  const onWorld = needs === "chain" && world !== undefined;
  const correct = onWorld ? world : await startExample();
  if (!correct) return [];
  const options = onWorld && world ? world.options : { otherKey };
  const server = await breakServer(correct.url, onWorld && world ? world.options.apiKey : "both", [make()]);
  try {
    const found = onWorld && world ? await activityOf(server.url, world.options) : [];
    return found.length > 0 ? found : (await examineExample(server.url, options)).findings;
  } finally {
    await server.close();
    if (!onWorld) await correct.close();
  }
}

async function activityOf(url: string, options: ActiveWorld["options"]): Promise<readonly Finding[]> {
  const signal = AbortSignal.timeout(300_000);
  const recorder = createRecorder(new URL(url), signal);
  const receiver = await startReceiver({ host: "127.0.0.1", port: 0 });
  const target = await findTarget(recorder, { ...options, baseUrl: new URL(url) }, []);
  const attempt = startAttempt({ recorder, target, signal, left: [] }, "activity");
  try {
    const endpoint = { receiver, url: `${receiver.url}/notifications` };
    if (await checkCallback(attempt.probe, endpoint))
      await checkActivity(attempt.probe, { endpoint, nodeUrl: options.nodeUrl });
    return attempt.findings;
  } finally {
    await attempt.end();
    await Promise.all([recorder.close(), receiver.close()]);
  }
}

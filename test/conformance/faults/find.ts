/** What conformance finds at a server with one fault. */
import { startAttempt } from "../../../scripts/command/conformance/cases/attempt.ts";
import { checkActivity } from "../../../scripts/command/conformance/checks/activity.ts";
import { checkCallback } from "../../../scripts/command/conformance/checks/callback.ts";
import { createExchangeRecorder } from "../../../scripts/command/conformance/exchange.ts";
import type { Finding } from "../../../scripts/command/conformance/findings.ts";
import { NotExaminable } from "../../../scripts/command/conformance/not-examinable.ts";
import type { Probe } from "../../../scripts/command/conformance/probe.ts";
import { startReceiver } from "../../../scripts/command/conformance/receiver.ts";
import { type Options, sideBySide } from "../../../scripts/command/conformance/run.ts";
import { findTarget } from "../../../scripts/command/conformance/target.ts";
import type { ActiveWorld } from "../active-world.ts";
import { breakServer } from "../breakage.ts";
import { examineExample, exampleKeys, startExample } from "../example.ts";
import type { Fault } from "./fault.ts";

const unreadable = {
  ...({ rule: "answers", subject: "listChains", status: 0, by: "start", request: "GET /v1/chains" } as const),
  expected: "a server that can be examined",
};

/** Tries one fault after the other. */
export type Finder = {
  /** @param whole finds all, also where a part of a run would do */
  findingsOf(fault: Fault, whole?: boolean): Promise<readonly Finding[]>;
  close(): Promise<void>;
};

/** The example takes seconds to start, so it stays as long as nothing is left on it. @param world what faults that need a chain are put in front of */
export function createFinder(world: ActiveWorld | undefined): Finder {
  let example: Awaited<ReturnType<typeof startExample>> | undefined;
  return {
    async findingsOf({ needs, make }, whole = false) {
      const onWorld = needs === "chain" ? world : undefined;
      const options = onWorld?.options ?? exampleKeys;
      example ??= onWorld ? undefined : await startExample();
      const { url } = onWorld ?? example ?? {};
      if (url === undefined) return [];
      const server = await breakServer(url, options.apiKey, [make()]);
      try {
        const found = whole ? [] : await findingsOfParts(server.url, options);
        return found.length > 0 ? found : (await examineExample(server.url, { ...options })).findings;
      } catch (error) {
        // The command says so, and fails.
        if (error instanceof NotExaminable) return [{ ...unreadable, came: error.message }];
        throw error;
      } finally {
        await server.close();
        if (example && (await isUsed(example.url))) {
          await example.close();
          example = undefined;
        }
      }
    },
    close: async () => example?.close(),
  };
}

async function isUsed(url: string): Promise<boolean> {
  for (const key of [exampleKeys.apiKey, exampleKeys.otherKey]) {
    const answer = await fetch(`${url}/v1/webhooks`, { headers: { "x-service-api-key": key } });
    if (((await answer.json()) as { webhooks: unknown[] }).webhooks.length > 0) return true;
  }
  return false;
}

type Keys = Pick<Options, "apiKey" | "readKey" | "writeKey" | "otherKey" | "chainId" | "address" | "nodeUrl">;

/** One part after the other, until something is found. A whole run takes much longer than those that most faults need. */
async function findingsOfParts(url: string, options: Keys): Promise<readonly Finding[]> {
  const signal = AbortSignal.timeout(590_000);
  const recorder = createExchangeRecorder(new URL(url), signal);
  const receiver = await startReceiver({ host: "127.0.0.1", port: 0 });
  const endpoint = { receiver, url: `${receiver.url}/notifications` };
  try {
    const target = await findTarget(recorder, { ...options, baseUrl: new URL(url) }, []);
    const activity = async (probe: Probe) => {
      if (await checkCallback(probe, endpoint)) await checkActivity(probe, { endpoint, nodeUrl: options.nodeUrl });
    };
    // On a chain, what is notified, previewed and explained is what the fault is in.
    const checks = options.nodeUrl === undefined ? sideBySide(options, endpoint) : [["activity", activity] as const];
    for (const [by, check] of checks) {
      const attempt = startAttempt({ recorder, target, signal, left: [] }, by);
      try {
        await check(attempt.probe);
      } catch {
        // Where a server does not answer, the whole run says what is found.
        return [];
      } finally {
        await attempt.end();
      }
      if (attempt.findings.length > 0) return attempt.findings;
    }
  } finally {
    await Promise.all([recorder.close(), receiver.close()]);
  }
  return [];
}

/** Runs everything against a server: the workflows, the checks of our own, the callback; and cleans up. */
import { loadFastCheck } from "./cases/fast-check.ts";
import { type Cases, type Generated, generateCases } from "./cases/generate.ts";
import { checkActivity } from "./checks/activity.ts";
import { checkAddressLists } from "./checks/addresses.ts";
import { checkBodies } from "./checks/bodies.ts";
import { checkBoundsTaken } from "./checks/bounds-taken.ts";
import { checkCallback } from "./checks/callback.ts";
import { checkChains } from "./checks/chains.ts";
import { checkEffective } from "./checks/effective.ts";
import { checkFields } from "./checks/fields.ts";
import { checkLists } from "./checks/lists.ts";
import { checkOperational } from "./checks/operational.ts";
import { checkWebhookOptions } from "./checks/options.ts";
import { checkOtherAccount } from "./checks/other-account.ts";
import { checkRefusals, checkScopes } from "./checks/refusals.ts";
import { checkRequests } from "./checks/requests.ts";
import { checkSecrets } from "./checks/secrets.ts";
import type { TestEndpoint } from "./checks/sent-test.ts";
import { checkText } from "./checks/text.ts";
import { checkWebhooks } from "./checks/webhooks.ts";
import { cleanUp } from "./clean-up.ts";
import { examine } from "./examine.ts";
import { createExchangeRecorder, isNetworkError, type RecordedExchange } from "./exchange.ts";
import { essential, type Finding } from "./findings.ts";
import { NotExaminable } from "./not-examinable.ts";
import { createPatience } from "./patience.ts";
import { createProbe, type Probe, type Target, unused } from "./probe.ts";
import { withoutQuotas } from "./quota.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { redoclyPath } from "./redocly.ts";
import { runWorkflows, type WorkflowInputs } from "./respect.ts";
import { servedDeliveryTimeout } from "./stated-timeout.ts";
import { findTarget } from "./target.ts";
import { allSettledOf } from "./together.ts";

/** What to examine, and how. */
export type Options = {
  baseUrl: URL;
  /** With the scopes `read` and `write`. */
  apiKey: string;
  /** Without the scope `write`, for 403s. */
  readKey?: string | undefined;
  /** Without the scope `read`, for 403s. */
  writeKey?: string | undefined;
  /** Of another account, with the scopes `read` and `write`, to look whether accounts are apart. */
  otherKey?: string | undefined;
  chainId?: string | undefined;
  /** A node of the chain, to compare notifications with. */
  nodeUrl?: string | undefined;
  /** One that takes part in the chain's newest transactions, so that there is something to notify. */
  address?: string | undefined;
  /** Where the receiver listens, and by which URL the server reaches it; undefined skips the callback. */
  callback: { host: string; port: number; url?: string | undefined } | undefined;
  /** How long the server waits for an endpoint; undefined where its own document may say. */
  deliveryTimeoutMs?: number | undefined;
  /** Ends the run; what was created is deleted even so. */
  signal: AbortSignal;
  /** How many cases to generate, and by which seed; undefined for none. */
  cases?: Cases | undefined;
  /** Called as the run goes on, with how many of its checks are done. */
  onProgress?: ((done: number, total: number) => void) | undefined;
};

/** The result. */
export type Examined = {
  /** The server's base URL. */
  server: string;
  /** In milliseconds since the epoch. */
  startedAt: number;
  durationMs: number;
  exchanges: RecordedExchange[];
  findings: Finding[];
  /** What could not be tried, and why. */
  notes: string[];
  callback: "examined" | "skipped";
  /** Whether the test of an operational webhook arrived: a run sends one only where it registers that webhook itself. */
  hasEvent: boolean;
  /** Webhooks that could not be deleted. */
  left: string[];
  cases?: Cases | undefined;
};

/** Examines a server. @throws NotExaminable when it does not answer, or not to a key */
export async function examineServer(options: Options): Promise<Examined> {
  const { baseUrl, apiKey, otherKey, signal, cases } = options;
  if (cases) loadFastCheck();
  redoclyPath();
  const startedAt = Date.now();
  const timeoutMs = options.deliveryTimeoutMs ?? (await servedDeliveryTimeout(baseUrl));
  const recorder = createExchangeRecorder(baseUrl, signal, createPatience(timeoutMs));
  const { exchanges, patience } = recorder;
  const notes: string[] = [];
  const receiver = await listen(options);
  const left: string[] = [];
  const found: Finding[][] = [];
  let generated: Generated | undefined;
  try {
    const target = await findTarget(recorder, options, notes);
    const inputs = inputsOf(target, options, notes);
    const run = async ([by, check]: Check): Promise<Finding[]> => {
      const findings: Finding[] = [];
      await answered(findings, by, () => check(createProbe({ recorder, target, findings, notes }, by)));
      signal.throwIfAborted();
      advance();
      return findings;
    };
    const checks = sideBySide(options, endpointOf(receiver, options));
    const atLast = atTheEnd(options, notes, exchanges);
    const total = 1 + checks.length + atLast.length + (cases ? 1 : 0);
    let done = 0;
    const advance = () => {
      done += 1;
      options.onProgress?.(done, total);
    };
    options.onProgress?.(done, total);
    const workflows = () => runWorkflows(recorder, inputs, signal).finally(advance);
    found.push(...(await allSettledOf([workflows, ...checks.map((check) => () => run(check))])));
    for (const check of atLast) found.push(await run(check));
    if (cases) generated = await generateCases({ baseUrl, target, signal, cases });
  } finally {
    await recorder.idle();
    left.push(...(await cleanUp({ baseUrl, apiKey, otherKey, exchanges, scaled: patience.scaled })));
    await Promise.all([recorder.close(), receiver?.close()]);
  }
  const all = [...exchanges.flatMap(examine), ...found.flat(), ...(generated?.findings ?? [])];
  // Cases examine their exchanges themselves, and clean up.
  for (const exchange of generated?.exchanges ?? []) exchanges.push(exchange);
  left.push(...(generated?.left ?? []));
  const { scaled } = patience;
  const judged = await withoutQuotas({ baseUrl, apiKey, otherKey, exchanges, scaled, findings: all, signal });
  const findings = essential(judged.findings);
  notes.push(...judged.notes);
  left.push(...judged.left);
  const callback = receiver ? "examined" : "skipped";
  return {
    server: baseUrl.href,
    startedAt,
    durationMs: Date.now() - startedAt,
    exchanges,
    findings,
    notes,
    callback,
    hasEvent: receiver?.hasEvent ?? false,
    left,
    cases,
  };
}

function inputsOf(target: Target, { apiKey, readKey, writeKey }: Options, notes: string[]): WorkflowInputs {
  if (readKey === undefined) notes.push("403 of operations that write: no --read-key.");
  if (writeKey === undefined) notes.push("403 of operations that read: no --write-key.");
  const { url, chainId, address, followedBlock } = target;
  const given = { apiKey, readKey, writeKey, idempotencyKey: unused() };
  return { ...given, url, chainId, address, followedBlock: followedBlock?.toString() };
}

async function listen({ callback }: Options): Promise<Receiver | undefined> {
  if (!callback) return undefined;
  return startReceiver(callback).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new NotExaminable(`The receiver cannot listen on ${callback.host}:${callback.port}: ${why}`);
  });
}

function endpointOf(receiver: Receiver | undefined, { callback }: Options): TestEndpoint | undefined {
  return receiver && { receiver, url: callback?.url ?? `${receiver.url}/notifications` };
}

type Check = [by: string, check: (probe: Probe) => Promise<unknown>];

/**
 * Checks that do not disturb one another: each looks only at what it has created. The callback's decides how the receiver answers, so the operational
 * webhook's waits for it, and comes after it where they run one after the other.
 */
export function sideBySide(
  { nodeUrl, readKey, writeKey }: Pick<Options, "nodeUrl" | "readKey" | "writeKey">,
  endpoint: TestEndpoint | undefined,
): Check[] {
  let endCallback: (isReached: boolean) => void = () => {};
  const callbackEnded = new Promise<boolean>((resolve) => {
    endCallback = resolve;
  });
  return [
    ["webhooks", checkWebhooks],
    ["fields", checkFields],
    ["text", checkText],
    ["addresses", checkAddressLists],
    ["effective", checkEffective],
    ["secrets", checkSecrets],
    ["refusals", checkRefusals],
    ["requests", checkRequests],
    ["bounds", checkBoundsTaken],
    ["bodies", checkBodies],
    ["chains", checkChains],
    ["scopes", (probe) => checkScopes(probe, { read: readKey, write: writeKey })],
    ["options", checkWebhookOptions],
    [
      "callback",
      async (probe) => {
        let isReached = false;
        try {
          if (endpoint) isReached = await checkCallback(probe, endpoint);
        } finally {
          endCallback(isReached);
        }
        await checkActivity(probe, { endpoint: isReached ? endpoint : undefined, nodeUrl });
      },
    ],
    ["operational", async (probe) => checkOperational(probe, (await callbackEnded) ? endpoint : undefined)],
  ];
}

/** Checks of lists, which must not change meanwhile, at least not by us. */
function atTheEnd({ otherKey }: Options, notes: string[], exchanges: readonly RecordedExchange[]): Check[] {
  if (otherKey === undefined) notes.push("What another account must not see or change: no --other-key.");
  const other = (probe: Probe) => otherKey && checkOtherAccount(probe, otherKey, exchanges);
  return [
    ["lists", checkLists],
    ["other account", async (probe) => other(probe)],
  ];
}

/** A server that does not answer has failed; the other checks go on. */
async function answered(findings: Finding[], by: string, check: () => Promise<unknown>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!isNetworkError(error)) throw error;
    const came = error instanceof Error ? `${error.message || error.name}` : String(error);
    const expected = "an answer before the deadline, which grows with the slowest answer so far";
    findings.push({ rule: "answers", subject: "otherPaths", status: 0, by, request: by, expected, came });
  }
}

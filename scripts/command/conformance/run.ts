/** Runs everything against a server: the workflows, the checks of our own, the callback; and cleans up. */
import { asObject, type JsonObject } from "../../document/json.ts";
import { loadFastCheck } from "./cases/fast-check.ts";
import { type Cases, type Generated, generateCases } from "./cases/generate.ts";
import { checkActivity } from "./checks/activity.ts";
import { checkCallback, type Endpoint } from "./checks/callback.ts";
import { checkLists } from "./checks/pages.ts";
import { checkRefusals } from "./checks/refusals.ts";
import { checkRequests } from "./checks/requests.ts";
import { checkSecrets } from "./checks/secrets.ts";
import { checkWebhooks } from "./checks/webhooks.ts";
import { cleanUp } from "./clean-up.ts";
import { examine } from "./examine.ts";
import { createRecorder, type Exchange, isNetworkError, type Recorder } from "./exchange.ts";
import { essential, type Finding } from "./findings.ts";
import { NotExaminable } from "./not-examinable.ts";
import { createProbe, itemsOf, type Probe, quietAddress, type Target, unused } from "./probe.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { redocly, runWorkflows, type WorkflowInputs } from "./respect.ts";

/** What to examine, and how. */
export type Options = {
  baseUrl: URL;
  /** With the scopes `read` and `write`. */
  apiKey: string;
  /** Without the scope `write`, for 403s. */
  readKey?: string | undefined;
  /** Without the scope `read`, for 403s. */
  writeKey?: string | undefined;
  chainId?: string | undefined;
  /** One that takes part in the chain's newest transactions, so that there is something to notify. */
  address?: string | undefined;
  /** Where the receiver listens, and by which URL the server reaches it; undefined skips the callback. */
  callback: { host: string; port: number; url?: string | undefined } | undefined;
  /** Ends the run; what was created is deleted even so. */
  signal: AbortSignal;
  /** How many cases to generate, and by which seed; undefined for none. */
  cases?: Cases | undefined;
};

/** The result. */
export type Examined = {
  exchanges: Exchange[];
  findings: Finding[];
  /** What could not be tried, and why. */
  notes: string[];
  callback: "examined" | "skipped";
  /** Webhooks that could not be deleted. */
  left: string[];
  cases?: Cases | undefined;
};

// Below a name that RFC 2606 reserves, so that nobody listens there. A name in .invalid would be refused.
const nowhere = "https://receiver.example.com/notifications";
const cleanUpMs = 20_000;

/** Examines a server. @throws NotExaminable when it does not answer, or not to the key */
export async function examineServer(options: Options): Promise<Examined> {
  const { baseUrl, apiKey, signal, cases } = options;
  if (cases) loadFastCheck();
  redocly();
  const recorder = createRecorder(baseUrl, signal);
  let generated: Generated | undefined;
  const findings: Finding[] = [];
  const notes: string[] = [];
  const receiver = await listen(options);
  const left: string[] = [];
  try {
    const target = await findTarget(recorder, options, notes);
    findings.push(...(await runWorkflows(recorder, inputsOf(target, options, notes), signal)));
    for (const [by, check] of checksOf(endpointOf(receiver, options))) {
      await answered(findings, by, () => check(createProbe({ recorder, target, findings, notes }, by)));
      signal.throwIfAborted();
    }
    if (cases) generated = await generateCases({ baseUrl, target, signal, cases });
  } finally {
    left.push(...(await cleanUp(baseUrl, apiKey, recorder.exchanges, AbortSignal.timeout(cleanUpMs))));
    await Promise.all([recorder.close(), receiver?.close()]);
  }
  const { exchanges } = recorder;
  const found = essential([...exchanges.flatMap(examine), ...findings, ...(generated?.findings ?? [])]);
  // Cases examine their exchanges themselves, and clean up.
  exchanges.push(...(generated?.exchanges ?? []));
  left.push(...(generated?.left ?? []));
  return { exchanges, findings: found, notes, callback: receiver ? "examined" : "skipped", left, cases };
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

function endpointOf(receiver: Receiver | undefined, { callback }: Options): Endpoint | undefined {
  return receiver && { receiver, url: callback?.url ?? `${receiver.url}/notifications` };
}

type Check = [by: string, check: (probe: Probe) => Promise<unknown>];

function checksOf(endpoint: Endpoint | undefined): Check[] {
  let reached = false;
  return [
    ["webhooks", checkWebhooks],
    ["lists", checkLists],
    ["secrets", checkSecrets],
    ["refusals", checkRefusals],
    ["requests", checkRequests],
    [
      "callback",
      async (probe) => {
        if (endpoint) reached = await checkCallback(probe, endpoint);
      },
    ],
    ["activity", (probe) => checkActivity(probe, reached ? endpoint : undefined)],
  ];
}

/** A server that does not answer has failed; the other checks go on. */
async function answered(findings: Finding[], by: string, check: () => Promise<unknown>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!isNetworkError(error)) throw error;
    const came = error instanceof Error ? `${error.message || error.name}` : String(error);
    const expected = "an answer within 30 seconds";
    findings.push({ rule: "answers", subject: "otherPaths", status: 0, by, request: by, expected, came });
  }
}

async function findTarget(recorder: Recorder, options: Options, notes: string[]): Promise<Target> {
  const { apiKey, address } = options;
  const unset = { apiKey, chainId: "", traces: false, followedBlock: undefined, address: "", addressIsActive: false };
  const probe = createProbe({ recorder, target: { ...unset, url: nowhere }, findings: [], notes }, "start");
  const listed = await probe.send("listChains").catch((error: unknown) => {
    const why = error instanceof Error ? error.message || error.name : String(error);
    throw new NotExaminable(`${options.baseUrl.href} does not answer: ${why}`);
  });
  const own = await probe.send("listWebhooks", { query: { pageSize: 1 } });
  if (own.status === 401) throw new NotExaminable("The server does not know the key given with --key (401).");
  const chain = chosen(itemsOf(asObject(listed.json), "chains"), options);
  const { followedBlock } = chain;
  return {
    apiKey,
    chainId: String(chain.chainId),
    traces: chain.traces === true,
    followedBlock: /^\d+$/.test(String(followedBlock)) ? BigInt(String(followedBlock)) : undefined,
    address: (address ?? quietAddress).toLowerCase(),
    addressIsActive: address !== undefined,
    url: nowhere,
  };
}

/** The chain asked for, or one that is followed. */
function chosen(chains: readonly JsonObject[], { chainId }: Options): JsonObject {
  if (chainId !== undefined) return chains.find((chain) => chain.chainId === chainId) ?? { chainId };
  const chain = chains.find(({ followedBlock }) => followedBlock !== undefined) ?? chains[0];
  if (!chain) throw new NotExaminable("listChains has no chain to try; name one with --chain-id.");
  return chain;
}

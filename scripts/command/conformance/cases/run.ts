/**
 * Generated cases: requests at the bounds of what the contract allows, and sequences of requests whose answers must agree. A seed makes
 * the same cases again. One that fails is made smaller until nothing can be left out.
 */
import type { Arbitrary } from "fast-check";
import type { OperationId } from "../../../../generated/operations.ts";
import { operationIds } from "../contract.ts";
import { isNetworkError } from "../exchange.ts";
import { essential, type Finding } from "../findings.ts";
import { idOf, itemsOf, newWebhook, type ProbeCall } from "../probe.ts";
import { type Aspect, aspectsOf } from "./aspects.ts";
import { type CaseAttempt, type Sending, startAttempt } from "./attempt.ts";
import { curlLines } from "./curl.ts";
import { type FastCheck, loadFastCheck } from "./fast-check.ts";
import { trySequence } from "./sequence.ts";
import { callsOf, provenAddresses, trySingle } from "./single.ts";
import { type Step, sequencesOf } from "./steps.ts";
import type { World } from "./words.ts";

/** Which cases to make. */
export type CasesOptions = Sending & {
  cases: number;
  /** A whole number from 0 on. */
  seed: number;
  /** Only single requests of these, besides sequences. */
  operations?: readonly OperationId[];
  /** Ends at the first case that fails, and leaves it as it is. */
  stopAtFirst?: boolean;
};

/** Every so many cases, one is a sequence. */
const sequenceEvery = 4;
const mostSmaller = 300;
const mostListed = 30;

/** Makes the cases. @returns what is wrong, each with the requests that show it */
export async function runCases(options: CasesOptions): Promise<Finding[]> {
  const fc = loadFastCheck();
  const { cases, seed, signal } = options;
  const ground = startAttempt(options, "generated cases");
  try {
    const world = await openWorld(ground, options);
    if (!world || ground.findings.length > 0) return ground.findings;
    const made = makeOnce(fc, world);
    const { operations = operationIds } = options;
    const aspects = shuffled(
      aspectsOf(world).filter(({ operation }) => operations.includes(operation)),
      seed,
    );
    const findings: Finding[] = [];
    const reported = new Set<string>();
    for (let index = 0; index < cases; index += 1) {
      signal.throwIfAborted();
      const single = aspects[(index - Math.ceil(index / sequenceEvery)) % aspects.length];
      const aspect = index % sequenceEvery === 0 ? undefined : single;
      // One fault is often at several bounds of a field.
      const key = aspect ? `${aspect.operation} ${aspect.field}` : "sequence";
      if (reported.has(key)) continue;
      const found = await tryCase(fc, options, { index, made, world, aspect });
      if (found.length === 0) continue;
      reported.add(key);
      findings.push(...found);
      if (options.stopAtFirst) break;
    }
    return essential(findings);
  } finally {
    await ground.end();
  }
}

/** A webhook for the cases; undefined where none can be created. */
async function openWorld({ probe }: CaseAttempt, { target }: Sending): Promise<World | undefined> {
  const addresses = Array.from({ length: provenAddresses }, (_, n) => `0x${`ca5e${n}`.padEnd(40, "0")}`);
  const created = await probe.succeed("createWebhook", { body: newWebhook(target, { metadata: { addresses } }) });
  const chains = await probe.succeed("listChains");
  const page = await probe.succeed("listWebhooks", { query: { pageSize: 100 } });
  if (!created || !chains || !page) return undefined;
  const listed = itemsOf(chains, "chains");
  const chainIds = listed.map(({ chainId }) => String(chainId));
  const finality = listed.some((chain) => chain.chainId === target.chainId && chain.finality !== undefined);
  const crowded = itemsOf(page, "webhooks").length > mostListed;
  return { target, chainIds, finality, webhookId: idOf(created), crowded };
}

type Case = { index: number; made: Made; world: World; aspect: Aspect | undefined };

async function tryCase(fc: FastCheck, options: CasesOptions, { index, ...one }: Case): Promise<Finding[]> {
  const { seed, stopAtFirst } = options;
  const by = `generated case ${index} of --seed ${seed}${one.aspect ? `: ${one.aspect.says}` : ", a sequence"}`;
  let failed: CaseAttempt | undefined;
  let crashed: { error: unknown } | undefined;
  let smaller = 0;
  const passes = async (run: Run): Promise<boolean> => {
    if (failed) smaller += 1;
    if (crashed || smaller > mostSmaller) return true;
    const one = startAttempt(options, by);
    try {
      await run(one);
    } catch (error) {
      if (isNetworkError(error) && !options.signal.aborted) one.findings.push(unanswered(error, by));
      else crashed = { error };
    }
    await one.end();
    if (one.findings.length > 0) failed = one;
    return one.findings.length === 0;
  };
  const runs = runsOf({ index, ...one });
  const own = (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) | 0;
  await fc.check(fc.asyncProperty(runs, passes), { seed: own, numRuns: 1, endOnFailure: stopAtFirst === true });
  if (crashed) throw crashed.error;
  if (!failed) return [];
  const { exchanges, findings } = failed as CaseAttempt;
  const requests = curlLines(exchanges);
  return findings.map((one) => ({ ...one, requests }));
}

/** Reports a request without an answer. */
function unanswered(error: unknown, by: string): Finding {
  const came = error instanceof Error ? error.message || error.name : String(error);
  return { rule: "answers", subject: "otherPaths", status: 0, by, request: by, expected: "an answer", came };
}

/** What to do in an attempt. It is an arbitrary's value, so that the one way to run a case shrinks both kinds. */
type Run = (attempt: CaseAttempt) => Promise<void>;

function runsOf({ made, world, aspect }: Case): Arbitrary<Run> {
  if (aspect)
    return made.calls(aspect.operation).map(
      (call): Run =>
        ({ probe }) =>
          trySingle(probe, call, aspect, world),
    );
  return made.sequences.map(
    (steps): Run =>
      ({ probe, findings }) =>
        trySequence(probe, steps, world, () => findings.length > 0),
  );
}

/** Arbitraries of patterns take milliseconds to make, and are the same for all cases. */
type Made = { calls(operation: OperationId): Arbitrary<ProbeCall>; sequences: Arbitrary<Step[]> };

function makeOnce(fc: FastCheck, world: World): Made {
  const calls = new Map<OperationId, Arbitrary<ProbeCall>>();
  return {
    calls(operation) {
      const made = calls.get(operation) ?? callsOf(fc, operation, world);
      calls.set(operation, made);
      return made;
    },
    sequences: sequencesOf(fc, world),
  };
}

/** In another order for each seed, always the same one. */
function shuffled<T>(all: readonly T[], seed: number): T[] {
  const order = [...all];
  let state = seed >>> 0;
  for (let last = order.length - 1; last > 0; last -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const at = Math.floor((state / 2 ** 32) * (last + 1));
    [order[last], order[at]] = [order[at] as T, order[last] as T];
  }
  return order;
}

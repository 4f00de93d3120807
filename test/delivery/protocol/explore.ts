/** Looks through every state that the protocol can come to, and holds each against what must be true of it. */
import { after, byText, initial, type Rules, type Size, type State, type Step, toAttempt } from "./model.ts";
import { stepsFrom } from "./steps.ts";

/** @returns what is wrong with a state */
export function faultsOf(state: State, size: Size): string[] {
  const faults: string[] = state.contradicted ? ["an attempt that was made is not on record"] : [];
  const { attemptLimit } = size;
  for (const [notification, { attempts, delivered, retry, due }] of state.records.entries()) {
    const isSettled = delivered || attempts === attemptLimit;
    if (!isSettled && !toAttempt(state, size, notification))
      faults.push("lost: it is not settled, and nobody would read it");
    if (delivered && retry > 0) faults.push("delivered, and yet to be sent again");
    if (!delivered && retry !== attempts) faults.push("the retry counts other attempts than are on record");
    if (due && retry >= attemptLimit) faults.push("due after its last attempt");
    const numbers = state.processes.flatMap(
      (holds) => holds[size.shardOf[notification] ?? 0]?.tasks[notification]?.number ?? [],
    );
    if (numbers.some((number) => number > attempts + 1)) faults.push("an attempt that leaves a gap in the numbers");
  }
  if (state.order?.isBroken) faults.push("one is sent for the first time after a later one");
  for (const shard of state.leases.keys()) {
    const senders = state.processes.filter((holds) => holds[shard]?.valid);
    if (senders.length > 1) faults.push("two processes may send for one shard");
  }
  return faults;
}

const isSettled = ({ records }: State, { attemptLimit }: Size) =>
  records.every(({ delivered, attempts }) => delivered || attempts === attemptLimit);

export type Explored = {
  states: number;
  steps: number;
  /** What was found first, and how it came about. */
  fault: { what: string[]; trace: Step[] } | undefined;
  /** How many states there are from which everything can no longer be settled. */
  stuck: number;
};

/** @param limit of states, so that what is broken is found soon */
export function explore(size: Size, rules: Rules, limit = Number.POSITIVE_INFINITY): Explored {
  const first = initial(size);
  const numberOf = new Map([[JSON.stringify(first), 0]]);
  const states = [first];
  const cameFrom: { before: number; step: Step | undefined }[] = [{ before: 0, step: undefined }];
  const before: number[][] = [[]];
  let steps = 0;
  for (let at = 0; at < states.length && at < limit; at += 1) {
    const state = states[at] as State;
    const what = faultsOf(state, size);
    if (what.length > 0)
      return { states: states.length, steps, fault: { what, trace: traceTo(at, cameFrom) }, stuck: 0 };
    for (const step of stepsFrom(state, size, rules)) {
      const next = after(state, step, size, rules);
      const text = JSON.stringify(next);
      let number = numberOf.get(text);
      if (number === undefined) {
        number = states.push(next) - 1;
        numberOf.set(text, number).set(JSON.stringify(swapped(next)), number);
        cameFrom.push({ before: at, step });
        before.push([]);
      }
      before[number]?.push(at);
      steps += 1;
    }
  }
  return { states: states.length, steps, fault: undefined, stuck: states.length - countFrom(states, size, before) };
}

/** Processes are alike: what differs only in which is which is the same state. */
function swapped(state: State): State {
  const other = (process: number) => state.processes.length - 1 - process;
  const { leases, processes, network, ...rest } = state;
  return {
    leases: leases.map(({ owner, ended }) => ({ owner: typeof owner === "number" ? other(owner) : owner, ended })),
    records: rest.records,
    cursors: rest.cursors,
    processes: processes.toReversed(),
    network: network.map((write) => ({ ...write, process: other(write.process) })).sort(byText),
    contradicted: rest.contradicted,
    ...(rest.order && { order: rest.order }),
  };
}

function traceTo(end: number, cameFrom: readonly { before: number; step: Step | undefined }[]): Step[] {
  const trace: Step[] = [];
  for (let at = end; at > 0; at = cameFrom[at]?.before ?? 0) {
    const step = cameFrom[at]?.step;
    if (step) trace.unshift(step);
  }
  return trace;
}

/** @returns from how many states one is reached in which everything is settled */
function countFrom(states: readonly State[], size: Size, before: readonly number[][]): number {
  const reached = states.flatMap((state, number) => (isSettled(state, size) ? [number] : []));
  const seen = new Set(reached);
  for (let at = 0; at < reached.length; at += 1) {
    for (const number of before[reached[at] ?? 0] ?? []) {
      if (seen.has(number)) continue;
      seen.add(number);
      reached.push(number);
    }
  }
  return seen.size;
}

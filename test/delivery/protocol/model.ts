/**
 * The protocol of leases and results as a state machine, small enough to be looked through whole. What a process does in memory
 * is a step of its own, and so is what its clock, the database's clock and the network do to it, in any order.
 *
 * Of epochs it matters only whether they are the lease's present one, so that they need not be counted and there are finitely
 * many states.
 */

export type Size = {
  processes: number;
  /** The shard of each notification. */
  shardOf: readonly number[];
  attemptLimit: number;
  /** So many results are on their way at once: one, and a copy of one whose writer has given up on it. */
  networkLimit: number;
  /** Whether the notifications of a shard are one ordered webhook's. */
  isOrdered?: boolean;
};

/** Rules of the protocol that can be left out, to see that each is needed. */
export type Rules = {
  /** A result counts only under the lease's present epoch. */
  fence: boolean;
  /** A process ends its own lease before the database does. */
  ownClock: boolean;
  /** A result that is on record already has no further effect. */
  once: boolean;
  /** A lease that its own owner takes again has a new epoch. */
  newEpoch: boolean;
  /** Of an ordered webhook, the next notification waits until the one before is over. */
  afterAccepted: boolean;
  /** One that failed for the last time is over only once that is on record. */
  overOnRecord: boolean;
};
export const allRules: Rules = {
  ...{ fence: true, ownClock: true, once: true, newEpoch: true },
  ...{ afterAccepted: true, overOnRecord: true },
};

export type Task = { number: number; ok?: boolean; phase: "in flight" | "answered" | "writing" };
export type Held = { current: boolean; valid: boolean; tasks: (Task | null)[] };
/** A result on its way to the database. */
export type Write = {
  process: number;
  shard: number;
  current: boolean;
  notification: number;
  number: number;
  ok: boolean;
};

export type State = {
  leases: { owner: number | "nobody" | "the dead"; ended: boolean }[];
  /** On record: attempts, whether one succeeded, the attempts that the retry counts (0: no retry), and whether it is due. */
  records: { attempts: number; delivered: boolean; retry: number; due: boolean }[];
  /** How many of the shard's notifications lie behind the cursor. */
  cursors: number[];
  /** By process what it holds by shard. */
  processes: (Held | null)[][];
  network: Write[];
  /** A result that was taken as recorded is another one on record. */
  contradicted: boolean;
  /** Of an ordered webhook: which have been sent, which accepted, and whether one came for the first time after a later one. */
  order?: { begun: boolean[]; accepted: boolean[]; isBroken: boolean };
};

export type Step =
  | { do: "claim" | "renew" | "ownEnd" | "notice" | "release" | "moveCursor"; process: number; shard: number }
  | { do: "send" | "write" | "giveUp"; process: number; notification: number }
  | { do: "answer"; process: number; notification: number; ok: boolean }
  | { do: "databaseEnd"; shard: number }
  | { do: "arrive"; write: number }
  /** It dies and another one is started in its place. */
  | { do: "crash"; process: number };

export function initial({ processes, shardOf, isOrdered }: Size): State {
  const none = shardOf.map(() => false);
  const shards = Array.from({ length: Math.max(...shardOf) + 1 });
  return {
    leases: shards.map(() => ({ owner: "nobody", ended: false })),
    records: shardOf.map(() => ({ attempts: 0, delivered: false, retry: 0, due: false })),
    cursors: shards.map(() => 0),
    processes: Array.from({ length: processes }, () => shards.map(() => null)),
    network: [],
    contradicted: false,
    ...(isOrdered && { order: { begun: none, accepted: none, isBroken: false } }),
  };
}

/** Whether the order lets a process send a notification: each one before is accepted, as far as it knows, or was the last time on record. */
export function isItsTurn(state: State, size: Size, rules: Rules, process: number, notification: number): boolean {
  if (!size.isOrdered || !rules.afterAccepted) return true;
  const shard = size.shardOf[notification];
  const tasks = state.processes[process]?.[shard ?? 0]?.tasks ?? [];
  return state.records.slice(0, notification).every((record, before) => {
    if (size.shardOf[before] !== shard) return true;
    const task = tasks[before];
    if (!task) return record.delivered || record.attempts >= size.attemptLimit;
    const isOver = task.ok === true || (!rules.overOnRecord && task.number >= size.attemptLimit);
    return task.phase !== "in flight" && isOver;
  });
}

/** What the owner reads as to be attempted, and which attempt that is; undefined when there is nothing to do. */
export function toAttempt({ records, cursors }: State, { shardOf }: Size, notification: number): number | undefined {
  const record = records[notification];
  if (!record) return undefined;
  if (record.due) return record.retry + 1;
  const place = shardOf.slice(0, notification).filter((shard) => shard === shardOf[notification]).length;
  return record.attempts === 0 && place >= (cursors[shardOf[notification] ?? 0] ?? 0) ? 1 : undefined;
}

/** @returns the state after a step */
export function after(before: State, step: Step, size: Size, rules: Rules): State {
  const state = JSON.parse(JSON.stringify(before)) as State;
  if (step.do === "databaseEnd") {
    const lease = state.leases[step.shard];
    if (lease) lease.ended = true;
  } else if (step.do === "arrive") {
    arrive(state, step, size, rules);
  } else if (step.do === "crash") {
    state.processes[step.process] = state.leases.map(() => null);
    for (const lease of state.leases) if (lease.owner === step.process) lease.owner = "the dead";
  } else if ("notification" in step) {
    onTask(state, step, size);
  } else {
    onLease(state, step, size, rules);
  }
  return state;
}

/** Some order, always the same one. */
export const byText = (a: Write, b: Write): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

function onLease(
  state: State,
  step: Extract<Step, { process: number; shard: number }>,
  size: Size,
  rules: Rules,
): void {
  const { process, shard } = step;
  const lease = state.leases[shard];
  const holds = state.processes[process];
  if (!lease || !holds) return;
  const held = holds[shard];
  const isOurs = held?.current === true && lease.owner === process;
  if (step.do === "claim") {
    if (lease.owner !== "nobody" && lease.owner !== process && !lease.ended) return;
    if (rules.newEpoch || lease.owner !== process) {
      for (const others of state.processes) if (others[shard]) others[shard].current = false;
      for (const write of state.network) if (write.shard === shard) write.current = false;
      state.network.sort(byText);
    }
    Object.assign(lease, { owner: process, ended: false });
    holds[shard] = { current: true, valid: true, tasks: size.shardOf.map(() => null) };
  } else if (step.do === "renew") {
    if (isOurs) lease.ended = false;
    if (isOurs && held) held.valid = true;
    else holds[shard] = null;
  } else if (step.do === "ownEnd") {
    if (held) held.valid = false;
  } else if (step.do === "notice") {
    holds[shard] = null;
  } else if (step.do === "release") {
    if (isOurs) lease.owner = "nobody";
    holds[shard] = null;
  } else if (isOurs) {
    const records = state.records.filter((_, notification) => size.shardOf[notification] === shard);
    const first = records.findIndex(({ attempts }) => attempts === 0);
    state.cursors[shard] = first < 0 ? records.length : first;
  }
}

function onTask(state: State, step: Extract<Step, { notification: number }>, size: Size): void {
  const { process, notification } = step;
  const shard = size.shardOf[notification] ?? 0;
  const held = state.processes[process]?.[shard];
  if (!held) return;
  const task = held.tasks[notification];
  if (step.do === "send") {
    held.tasks[notification] = { number: toAttempt(state, size, notification) ?? 0, phase: "in flight" };
    noteSent(state, size, notification);
  } else if (task && step.do === "answer") {
    Object.assign(task, { phase: "answered", ok: step.ok });
    if (state.order && step.ok) state.order.accepted[notification] = true;
  } else if (task && step.do === "giveUp") {
    task.phase = "answered";
  } else if (task) {
    task.phase = "writing";
    const { number, ok = false } = task;
    state.network.push({ process, shard, current: held.current, notification, number, ok });
    // They arrive in any order, so that theirs is none.
    state.network.sort(byText);
  }
}

function noteSent({ order }: State, { shardOf }: Size, notification: number): void {
  if (!order) return;
  const isLater = (begun: boolean, other: number) =>
    begun && other > notification && shardOf[other] === shardOf[notification];
  if (!order.accepted[notification] && order.begun.some(isLater)) order.isBroken = true;
  order.begun[notification] = true;
}

/** A result reaches the database. Its writer gets the outcome, if it still waits. */
function arrive(state: State, { write: index }: { write: number }, size: Size, rules: Rules): void {
  const [write] = state.network.splice(index, 1);
  const record = write && state.records[write.notification];
  const lease = write && state.leases[write.shard];
  if (!write || !record || !lease) return;
  const counts = !rules.fence || (write.current && lease.owner !== "nobody");
  const isNew = write.number > record.attempts;
  if (counts && isNew) {
    record.attempts += 1;
    record.delivered ||= write.ok;
  }
  if (counts && (isNew || !rules.once)) {
    record.retry = write.ok ? 0 : write.number;
    record.due = !write.ok && write.number < size.attemptLimit;
  }
  const holds = state.processes[write.process];
  const held = holds?.[write.shard];
  const task = held?.tasks[write.notification];
  if (!holds || !held || held.current !== write.current || task?.phase !== "writing" || task.number !== write.number)
    return;
  if (counts && task.ok && !record.delivered) state.contradicted = true;
  if (counts) held.tasks[write.notification] = null;
  else holds[write.shard] = null;
}

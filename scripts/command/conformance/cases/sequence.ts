/** Takes the steps of a sequence, and holds every answer against what the requests before it must have led to. */
import type { Probe } from "../probe.ts";
import type { Step } from "./steps.ts";
import { gone, unknown } from "./take/absent.ts";
import type { CaseState, Known } from "./take/known.ts";
import { changeAddresses, list, takeAddressList } from "./take/lists.ts";
import { replay } from "./take/replays.ts";
import { secret } from "./take/secrets.ts";
import { create, get, remove, repeat, takeUpdate } from "./take/webhooks.ts";
import type { World } from "./words.ts";

/** Takes the steps until one fails, and looks at everything at the end. */
export async function trySequence(
  probe: Probe,
  steps: readonly Step[],
  world: World,
  failed: () => boolean,
): Promise<void> {
  const state: CaseState = { probe, world, live: [], gone: [] };
  for (const step of steps) {
    await take(state, step);
    if (failed()) return;
  }
  const last: Step[] = state.live.flatMap((_, which): Step[] => [
    { do: "get", which, upper: false },
    { do: "addresses", which, pageSize: 2 },
  ]);
  for (const step of [...last, { do: "list", status: undefined, pageSize: 2 } as const]) {
    await take(state, step);
    if (failed()) return;
  }
}

async function take(state: CaseState, step: Step): Promise<void> {
  if (step.do === "create") return create(state, step);
  if (step.do === "list") return list(state, step);
  const known = picked(step.do === "gone" ? state.gone : state.live, step.which);
  if (!known) return;
  switch (step.do) {
    case "repeat":
      return repeat(state, known, step.other);
    case "update":
      return takeUpdate(state, known, step.body);
    case "add":
    case "remove":
      return changeAddresses(state, known, step.do, step.addresses);
    case "get":
      return get(state, known, step.upper);
    case "addresses":
      return takeAddressList(state, known, step.pageSize);
    case "secret":
    case "rotate":
      return secret(state, known, step.do);
    case "delete":
      return remove(state, known);
    case "gone":
      return gone(state, known, step.how);
    case "unknown":
      return unknown(state, known, step.how);
    case "replay":
      return replay(state, known, step);
  }
}

const picked = (all: readonly Known[], which: number): Known | undefined => all[which % Math.max(1, all.length)];

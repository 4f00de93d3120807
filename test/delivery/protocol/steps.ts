/** Which steps of the protocol can be taken from a state. */
import { isItsTurn, type Rules, type Size, type State, type Step, toAttempt } from "./model.ts";

/** Every step that can be taken. */
export function stepsFrom(state: State, size: Size, rules: Rules): Step[] {
  const steps: Step[] = [];
  for (const [process, holds] of state.processes.entries()) {
    steps.push({ do: "crash", process });
    for (const [shard, held] of holds.entries()) {
      if (!held) {
        steps.push({ do: "claim", process, shard });
        continue;
      }
      steps.push({ do: "renew", process, shard }, { do: "moveCursor", process, shard });
      steps.push({ do: held.valid ? "ownEnd" : "notice", process, shard });
      if (held.tasks.every((task) => task === null)) steps.push({ do: "release", process, shard });
    }
    for (const [notification, shard] of size.shardOf.entries()) {
      const held = holds[shard];
      const task = held?.tasks[notification];
      const isReady = held?.valid && !task && toAttempt(state, size, notification);
      if (isReady && isItsTurn(state, size, rules, process, notification))
        steps.push({ do: "send", process, notification });
      if (task?.phase === "in flight")
        steps.push(
          { do: "answer", process, notification, ok: true },
          { do: "answer", process, notification, ok: false },
        );
      if (task?.phase === "writing") steps.push({ do: "giveUp", process, notification });
      if (task?.phase === "answered" && state.network.length < size.networkLimit)
        steps.push({ do: "write", process, notification });
    }
  }
  for (const [shard, { owner, ended }] of state.leases.entries()) {
    const counts = state.processes.some((holds) => holds[shard]?.current && holds[shard]?.valid);
    if (owner !== "nobody" && !ended && !(rules.ownClock && counts)) steps.push({ do: "databaseEnd", shard });
  }
  for (const write of state.network.keys()) steps.push({ do: "arrive", write });
  return steps;
}

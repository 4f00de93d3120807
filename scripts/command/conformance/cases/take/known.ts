/** What must be there, by the requests of a sequence so far, and how an answer is held against it. */
import type { Json, JsonObject } from "../../../../document/json.ts";
import type { RecordedExchange } from "../../exchange.ts";
import type { Probe, ProbeCall } from "../../probe.ts";
import { isNow } from "../../times.ts";
import { differences } from "../model.ts";
import type { World } from "../words.ts";

/** A webhook as it must be. */
export type Known = {
  id: string;
  /** How it was created, to repeat that. */
  creation: { call: ProbeCall; answer: RecordedExchange };
  record: JsonObject;
  addresses: Set<string>;
  secret?: string;
  /** Until when the secret before this one signs too. */
  until?: Json | undefined;
  rotated: boolean;
  replays: Set<string>;
};

/** All of them. */
export type CaseState = { probe: Probe; world: World; live: Known[]; gone: Known[] };

/** Reports a valid request that was refused. @returns whether it succeeded */
export function succeeded(
  probe: Probe,
  answer: RecordedExchange,
  rule: "status-expected" | "id-in-any-case" = "status-expected",
): boolean {
  // Documented, and no fault: a node or the database failed.
  if (answer.status === 502 || answer.status === 503) return false;
  return probe.check(answer, rule, answer.status < 300, "a success, since the request is valid");
}

/** Reports the fields that are not as expected. Nothing happens at the addresses of a sequence, so nothing changes by itself. */
export function compareKnown(
  probe: Probe,
  answer: RecordedExchange,
  rule: Parameters<Probe["check"]>[1],
  expected: JsonObject,
  came: JsonObject,
  except: readonly string[] = [],
): void {
  const wrong = differences(expected, came, except);
  probe.check(answer, rule, wrong.length === 0, wrong.join(", "));
}

/** Whether a time in an answer is that of the answer. */
export function isRecent(probe: Probe, answer: RecordedExchange, at: Json | undefined): boolean {
  return isNow(Number(at), answer, probe.patience.scaled(10_000));
}

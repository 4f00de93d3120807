/** The steps on one webhook: its creation, its record, its deletion. */
import { asArray, asObject, type JsonObject } from "../../../../document/json.ts";
import { idOf, type ProbeCall, unused } from "../../probe.ts";
import { createdBy, differences, lowerOnce, shownOf } from "../model.ts";
import type { Step } from "../steps.ts";
import { type CaseState, compareKnown, isRecent, type Known, succeeded } from "./known.ts";

const mostWebhooks = 3;

/** Creates a webhook, unless there are enough. */
export async function create(state: CaseState, { body, withKey }: Step & { do: "create" }): Promise<void> {
  const { probe, live } = state;
  if (live.length >= mostWebhooks) return;
  const call: ProbeCall = { body, ...(withKey && { headers: { "Idempotency-Key": unused() } }) };
  const answer = await probe.send("createWebhook", call);
  // A quota of few webhooks; that of one was tried when the cases began.
  if (answer.status === 403 && live.length > 0) return;
  if (!succeeded(probe, answer)) return;
  const record = asObject(answer.json);
  compareKnown(probe, answer, "created-as-asked", createdBy(body), record);
  const id = idOf(record);
  // Nothing happened yet, at addresses that nobody uses.
  const held = record.finality === undefined ? undefined : 0;
  probe.check(answer, "finality-shown", record.heldCount === held, `heldCount: ${held ?? "none"}`);
  const recent = [record.createdAt, record.statusSince].every((at) => isRecent(probe, answer, at));
  probe.check(answer, "created-as-asked", recent, "createdAt and statusSince now, in ms");
  const others = [...live, ...state.gone].some((one) => one.id === id);
  probe.check(answer, "created-as-asked", !others, "an id that no other webhook has");
  const addresses = new Set(lowerOnce(asArray(asObject(body.metadata).addresses)));
  live.push({ id, creation: { call, answer }, record, addresses, rotated: false, replays: new Set() });
}

/** Creates it again under its Idempotency-Key, with the same body or another. */
export async function repeat({ probe, gone }: CaseState, known: Known, other: boolean): Promise<void> {
  const { call, answer: first } = known.creation;
  if (!call.headers) return;
  const body = other ? { ...call.body, name: `${call.body?.name ?? ""}!`.slice(-200) } : (call.body ?? {});
  const answer = await probe.send("createWebhook", { ...call, body });
  if (other) return void probe.status(answer, "idempotency-conflict", 409);
  if (gone.includes(known)) return void probe.status(answer, "idempotent-after-delete", 409);
  const same = answer.status === first.status && answer.body.equals(first.body);
  const record = asObject(first.json);
  const equal = same || (answer.status === first.status && differences(record, asObject(answer.json)).length === 0);
  probe.check(answer, "idempotent-answer", equal, `the first answer, ${first.status} and the same record`);
}

/** Changes fields of its record. */
export async function takeUpdate({ probe }: CaseState, known: Known, body: JsonObject): Promise<void> {
  const { record } = known;
  const answer = await probe.send("updateWebhook", { path: { id: known.id }, body });
  if (!succeeded(probe, answer)) return;
  const came = asObject(answer.json);
  const given = shownOf(body);
  compareKnown(probe, answer, "update-changes-what-is-given", given, came);
  const changes = body.status !== undefined && body.status !== record.status;
  // A status has its reason and its time; only with a new one, another block can be the first.
  const own = changes ? ["statusReason", "statusSince", "effectiveFromBlock"] : [];
  compareKnown(probe, answer, "update-leaves-the-rest", { ...record, ...given }, came, own);
  if (changes) {
    compareKnown(probe, answer, "pause-and-resume", { statusReason: "requested" }, came);
    const later = Number(came.statusSince) >= Number(record.statusSince);
    probe.check(
      answer,
      "pause-and-resume",
      later && isRecent(probe, answer, came.statusSince),
      "a statusSince that is now, and not before the one of the status before",
    );
  }
  known.record = came;
}

/** Reads it, by its id in upper case too. */
export async function get({ probe }: CaseState, known: Known, upper: boolean): Promise<void> {
  const answer = await probe.send("getWebhook", { path: { id: upper ? known.id.toUpperCase() : known.id } });
  if (succeeded(probe, answer, upper ? "id-in-any-case" : "status-expected"))
    compareKnown(probe, answer, "reads-as-written", known.record, asObject(answer.json));
}

/** Deletes it. */
export async function remove(state: CaseState, known: Known): Promise<void> {
  const { probe } = state;
  const answer = await probe.send("deleteWebhook", { path: { id: known.id } });
  if (!succeeded(probe, answer)) return;
  state.live = state.live.filter((one) => one !== known);
  state.gone.push(known);
  compareKnown(
    probe,
    answer,
    "delete-answers-the-record",
    { ...known.record, status: "inactive" },
    asObject(answer.json),
    ["statusReason", "statusSince"],
  );
}

/** Records of webhooks, compared. */
import { asObject, type Json, sameJson } from "../../document/json.ts";

/** What may change by itself between two reads: a notification may fail or succeed, or be held, at any time. */
export const changesByItself: readonly string[] = ["failingSince", "heldCount"];

/** Whether two records say the same, but for what changes by itself. */
export function sameRecord(one: Json | undefined, other: Json | undefined): boolean {
  return sameJson(settled(one), settled(other));
}

function settled(record: Json | undefined) {
  return Object.fromEntries(Object.entries(asObject(record)).filter(([name]) => !changesByItself.includes(name)));
}

/** All edits, and the contract with some of them made. */
import { readFileSync } from "node:fs";
import type { JsonObject } from "../../../scripts/document/json.ts";
import { answerEdits } from "./answers.ts";
import { callbackEdits } from "./callback.ts";
import type { Edit } from "./edit.ts";
import { operationEdits } from "./operations.ts";
import { payloadEdits } from "./payload.ts";
import { requestEdits } from "./requests.ts";
import { wordEdits } from "./words.ts";

export const bundle = readFileSync(new URL("../../../generated/openapi-closed.json", import.meta.url), "utf8");
export const contract = () => JSON.parse(bundle) as JsonObject;
export const edits = [
  ...payloadEdits,
  ...callbackEdits,
  ...requestEdits,
  ...answerEdits,
  ...operationEdits,
  ...wordEdits,
];

export function edited(...several: Edit[]): JsonObject {
  const revised = contract();
  for (const { edit } of several) edit(revised);
  return revised;
}

/** Checks the conditions of a webhook to create, and names what is wrong with them. */
import { compileAbi } from "../matching/abi.ts";
import { type Condition, ConditionError, compileConditions } from "../matching/conditions.ts";
import type { WebhookOptions } from "../matching/new-webhook.ts";
import { badRequest } from "./errors.ts";
import { displayName } from "./validation-message.ts";

/** @param abi checked @throws {HttpError} 400 */
export function assertConditions(conditions: Condition, abi: WebhookOptions["abi"]): void {
  try {
    compileConditions(conditions, abi && compileAbi(abi));
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    const path = ["metadata.conditions", error.path].filter((name) => name !== "").join(".");
    throw badRequest(`${displayName(path)} ${error.reason}.`);
  }
}

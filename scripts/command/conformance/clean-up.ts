/** Deletes the webhooks that were created, and the operational one, whatever became of the checks. */
import { apiKeyHeader, operationTable } from "../../../generated/operations.ts";
import { asObject, type JsonObject } from "../../document/json.ts";
import { removeOperational } from "./checks/operational.ts";
import { createExchangeRecorder, type RecordedExchange } from "./exchange.ts";
import { allSettledOf } from "./together.ts";

const usualMs = 20_000;
const mostMs = 10 * 60_000;

/** What was created, and with what. */
export type ToCleanUp = {
  baseUrl: URL;
  /** Of the account; what another account's key has created is deleted with that. */
  apiKey: string;
  otherKey: string | undefined;
  exchanges: readonly RecordedExchange[];
  /** A deadline. @param ms the one for a server that answers within half a second */
  scaled(ms: number): number;
};

/**
 * Deletes what is left of the webhooks that the exchanges have created.
 *
 * @returns the identifiers of those that could not be deleted
 */
export async function cleanUp({ baseUrl, apiKey, otherKey, exchanges, scaled }: ToCleanUp): Promise<string[]> {
  const recorder = createExchangeRecorder(baseUrl, AbortSignal.timeout(Math.min(scaled(usualMs), mostMs)));
  const remove = async ([id, by]: readonly [string, string]): Promise<string | undefined> => {
    const headers = { [apiKeyHeader]: by === otherKey ? by : apiKey };
    const answer = await recorder
      .send({ method: "DELETE", path: `/v1/webhooks/${id}`, headers }, "clean-up")
      .catch(() => undefined);
    return answer === undefined || (answer.status >= 300 && answer.status !== 404) ? id : undefined;
  };
  const removeOwn = async (own: JsonObject): Promise<string | undefined> => {
    const send = (operation: "getOperationalWebhook" | "deleteOperationalWebhook") => {
      const { method, path } = operationTable[operation];
      return recorder.send({ method: method.toUpperCase(), path, headers: { [apiKeyHeader]: apiKey } }, "clean-up");
    };
    const isGone = await removeOperational({ send }, own).catch(() => false);
    return isGone ? undefined : "operational-webhook";
  };
  const left = await allSettledOf([
    ...[...createdBy(exchanges)].map((one) => () => remove(one)),
    ...registeredBy(exchanges).map((own) => () => removeOwn(own)),
  ]);
  await recorder.close();
  return left.filter((id) => id !== undefined);
}

/** The operational webhook that its check has registered, and not deleted: one or none. */
function registeredBy(exchanges: readonly RecordedExchange[]): JsonObject[] {
  let own: JsonObject[] = [];
  for (const { operation, status, json, by } of exchanges) {
    if (status !== 200 || by !== "operational") continue;
    if (operation === "putOperationalWebhook") own = [asObject(json)];
    if (operation === "deleteOperationalWebhook") own = [];
  }
  return own;
}

/** What was created, whatever the status says, less what was deleted; each with the key that created it. */
function createdBy(exchanges: readonly RecordedExchange[]): Map<string, string> {
  const ids = new Map<string, string>();
  for (const { operation, status, json, request } of exchanges) {
    if (status >= 300) continue;
    const { id } = asObject(json);
    if (operation === "createWebhook" && typeof id === "string") ids.set(id, String(request.headers[apiKeyHeader]));
    if (operation === "deleteWebhook") ids.delete(request.path.split("/").at(-1) ?? "");
  }
  return ids;
}

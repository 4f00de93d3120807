/** Deletes the webhooks that were created, whatever became of the checks. */
import { apiKeyHeader } from "../../../generated/operations.ts";
import { asObject } from "../../document/json.ts";
import { createRecorder, type Exchange } from "./exchange.ts";

/**
 * Deletes what is left of the webhooks that the exchanges have created.
 *
 * @returns the identifiers of those that could not be deleted
 */
export async function cleanUp(
  baseUrl: URL,
  apiKey: string,
  exchanges: readonly Exchange[],
  signal: AbortSignal,
): Promise<string[]> {
  const recorder = createRecorder(baseUrl, signal);
  const left: string[] = [];
  for (const id of createdBy(exchanges)) {
    const outgoing = { method: "DELETE", path: `/v1/webhooks/${id}`, headers: { [apiKeyHeader]: apiKey } };
    const answer = await recorder.send(outgoing, "clean-up").catch(() => undefined);
    if (answer === undefined || (answer.status >= 300 && answer.status !== 404)) left.push(id);
  }
  await recorder.close();
  return left;
}

/** What was created, whatever the status says, less what was deleted. */
function createdBy(exchanges: readonly Exchange[]): Set<string> {
  const ids = new Set<string>();
  for (const { operation, status, json, request } of exchanges) {
    if (status >= 300) continue;
    const { id } = asObject(json);
    if (operation === "createWebhook" && typeof id === "string") ids.add(id);
    if (operation === "deleteWebhook") ids.delete(request.path.split("/").at(-1) ?? "");
  }
  return ids;
}

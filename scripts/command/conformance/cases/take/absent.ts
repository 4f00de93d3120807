/** The steps on what is not there: a deleted webhook, and what a webhook does not have. */
import type { OperationId } from "../../../../../generated/operations.ts";
import type { JsonObject } from "../../../../document/json.ts";
import { sampleOf } from "../../bounds/candidates.ts";
import { describedParameters, operationIds } from "../../contract.ts";
import { nothing } from "../../probe.ts";
import { samplesOf, type World } from "../words.ts";
import type { CaseState, Known } from "./known.ts";
import { repeat } from "./webhooks.ts";

/** Every operation on a webhook that was deleted. */
export async function gone(state: CaseState, known: Known, how: number): Promise<void> {
  if (how === 0) return repeat(state, known, false);
  const { probe, world } = state;
  const onOne = operationIds.filter((id) => namesInPath(id).length > 0);
  const operation = onOne[how % onOne.length];
  if (!operation) return;
  const path = Object.fromEntries(namesInPath(operation).map((name) => [name, known.id]));
  const bodies: Record<string, JsonObject> = {
    updateWebhook: { name: "again" },
    addWebhookAddresses: { addresses: [probe.target.address] },
    removeWebhookAddresses: { addresses: [probe.target.address] },
    changeWebhookAddresses: { add: [probe.target.address] },
    createReplay: { fromBlock: "0", toBlock: "0" },
  };
  const body = bodies[operation];
  const query = requiredQuery(operation, world);
  probe.status(await probe.send(operation, { path, query, ...(body && { body }) }), "deleted-is-gone", 404);
}

/** What a webhook that is there does not have. */
export async function unknown({ probe }: CaseState, known: Known, how: number): Promise<void> {
  const onTwo = operationIds.filter((id) => namesInPath(id).length > 1);
  const operation = onTwo[how % onTwo.length];
  if (!operation) return;
  const path = Object.fromEntries(namesInPath(operation).map((name) => [name, name === "id" ? known.id : nothing]));
  // A client makes up the change, and only its commit needs a part.
  const body = operation === "changeWebhookAddresses" ? { body: { commit: true } } : {};
  probe.status(await probe.send(operation, { path, ...body }), "unknown-is-404", 404);
}

/** Without it, what is missing could be refused first. */
const requiredQuery = (operation: OperationId, world: World) =>
  Object.fromEntries(
    describedParameters(operation).flatMap(({ in: place, name, required, schema }) =>
      place === "query" && required ? [[name, String(sampleOf(schema, samplesOf(world)))]] : [],
    ),
  );

const namesInPath = (operation: OperationId) =>
  describedParameters(operation).flatMap(({ in: place, name }) => (place === "path" ? [name] : []));

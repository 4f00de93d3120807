/** Requests with one fault each, made from the contract's schemas: they must be refused, and the fault be named. */
import type { OperationId } from "../../../../generated/operations.ts";
import { asObject, type JsonObject } from "../../../document/json.ts";
import { type Described, followed, operationIds, parametersOf, requestSchema } from "../contract.ts";
import type { Exchange } from "../exchange.ts";
import { type Call, idOf, newWebhook, type Probe } from "../probe.ts";
import { together } from "../together.ts";
import { faultsIn } from "../wrong-values.ts";

type WithBody = "createWebhook" | "updateWebhook" | "addWebhookAddresses" | "removeWebhookAddresses" | "createReplay";

/** Sends them. */
export async function checkRequests(probe: Probe): Promise<void> {
  const webhook = await probe.create();
  const path = { id: webhook ? idOf(webhook) : "" };
  if (!webhook) return;
  const { address } = probe.target;
  const metadata = { addresses: [address], eventSignatures: [], includeLogs: true };
  const valid: Record<WithBody, JsonObject> = {
    createWebhook: newWebhook(probe.target, { metadata }),
    updateWebhook: {},
    addWebhookAddresses: { addresses: [address] },
    removeWebhookAddresses: { addresses: [address] },
    createReplay: { fromBlock: "0", toBlock: "0" },
  };
  const bodies = (Object.entries(valid) as [WithBody, JsonObject][]).flatMap(([operation, body]) =>
    faultsIn(body, requestSchema(operation) ?? {}).map((fault) => async () => {
      const answer = await probe.send(operation, { path, body: fault.body });
      const rule = fault.unknownField ? "unknown-field-refused" : "bad-request-400";
      refused(probe, answer, rule, fault.field, `${fault.field} ${fault.what}`);
    }),
  );
  const parameters = operationIds.flatMap((operation) =>
    parametersOf(operation).map((parameter) => () => checkParameter(probe, operation, parameter, path)),
  );
  const lists = ["listWebhooks", "listWebhookAddresses", "listNotifications", "listChains"] as const;
  const unknown = lists.map((operation) => async () => {
    const answer = await probe.send(operation, { path, query: { colour: "red" } });
    refused(probe, answer, "unknown-field-refused", "colour", "the query parameter colour is unknown");
  });
  await together([...bodies, ...parameters, ...unknown]);
  await probe.succeed("deleteWebhook", { path });
}

async function checkParameter(
  probe: Probe,
  operation: OperationId,
  { name, in: place, schema }: Described,
  path: Record<string, string>,
): Promise<void> {
  const { minimum, maximum, enum: values, maxLength } = followed(schema);
  const wrong: string[] = [];
  if (minimum !== undefined) wrong.push(String(Number(minimum) - 1), "a text");
  if (typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER) wrong.push(String(maximum + 1));
  if (values !== undefined) wrong.push("no-such-value");
  if (typeof maxLength === "number") wrong.push("x".repeat(maxLength + 1));
  for (const value of wrong) {
    const body = operation === "createWebhook" ? { body: newWebhook(probe.target) } : {};
    const given: Call = place === "header" ? { headers: { [name]: value } } : { query: { [name]: value } };
    if (place === "path") continue;
    const answer = await probe.send(operation, { path, ...body, ...given });
    refused(probe, answer, "bad-request-400", name, `${name} is ${value.slice(0, 20)}`);
  }
}

function refused(
  probe: Probe,
  answer: Exchange,
  rule: "bad-request-400" | "unknown-field-refused",
  field: string,
  why: string,
): void {
  if (answer.status !== 400) {
    probe.status(answer, rule, 400);
    return;
  }
  const { message } = asObject(answer.json);
  const named = String(message).toLowerCase().includes(field.toLowerCase());
  probe.check(answer, "error-names-the-field", named, `a message that names ${field}, since ${why}`, `${message}`);
}

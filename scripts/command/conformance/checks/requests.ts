/** Requests with one fault each, made from the contract's schemas: they must be refused, and the fault be named. */
import type { OperationId } from "../../../../generated/operations.ts";
import { asObject, type JsonObject } from "../../../document/json.ts";
import type { Samples } from "../bounds/candidates.ts";
import { faultsIn, wrongTexts } from "../bounds/one-each.ts";
import { withParameter } from "../bounds/parameters.ts";
import { samplesOf } from "../cases/words.ts";
import { type Described, operationIds, parametersOf, requestSchema } from "../contract.ts";
import type { Exchange } from "../exchange.ts";
import { type Call, idOf, newWebhook, nothing, type Probe } from "../probe.ts";
import { together } from "../together.ts";

type WithBody = "createWebhook" | "updateWebhook" | "addWebhookAddresses" | "removeWebhookAddresses" | "createReplay";

/** Sends them. */
export async function checkRequests(probe: Probe): Promise<void> {
  const webhook = await probe.create();
  const path = { id: webhook ? idOf(webhook) : "" };
  if (!webhook) return;
  const { address } = probe.target;
  const samples = samplesOf({
    ...{ target: probe.target, chainIds: [probe.target.chainId], finality: false, webhookId: path.id, crowded: false },
  });
  const metadata = { addresses: [address], eventSignatures: [], includeLogs: true };
  const valid: Record<WithBody, JsonObject> = {
    createWebhook: newWebhook(probe.target, { metadata }),
    updateWebhook: {},
    addWebhookAddresses: { addresses: [address] },
    removeWebhookAddresses: { addresses: [address] },
    createReplay: { fromBlock: "0", toBlock: "0" },
  };
  const bodies = (Object.entries(valid) as [WithBody, JsonObject][]).flatMap(([operation, body]) =>
    faultsIn(body, requestSchema(operation) ?? {}, samples).map((fault) => async () => {
      const answer = await probe.send(operation, { path, body: fault.body });
      const rule = fault.what === "unknown" ? "unknown-field-refused" : "bad-request-400";
      refused(probe, answer, rule, fault.at.at(-1) ?? "", `${fault.at.join(".")} is ${fault.what}`);
    }),
  );
  const parameters = operationIds.flatMap((operation) =>
    parametersOf(operation).map((parameter) => () => {
      // With everything else as it should be.
      const others = Object.fromEntries(
        parametersOf(operation).flatMap(({ name, in: place }) => (place === "path" ? [[name, nothing]] : [])),
      );
      const body = requestSchema(operation) && { body: valid[operation as WithBody] };
      return checkParameter(probe, operation, parameter, { samples, call: { path: { ...others, ...path }, ...body } });
    }),
  );
  const lists = ["listWebhooks", "listWebhookAddresses", "listNotifications", "listChains"] as const;
  const unknown = lists.map((operation) => async () => {
    const answer = await probe.send(operation, { path, query: { colour: "red" } });
    refused(probe, answer, "unknown-field-refused", "colour", "the query parameter colour is unknown");
  });
  const watchesNothing = async () => {
    const answer = await probe.send("createWebhook", { body: newWebhook(probe.target, { metadata: {} }) });
    refused(probe, answer, "bad-request-400", "addresses", "metadata has neither addresses nor createdBy");
  };
  const anyAndSome = async () => {
    const body = newWebhook(probe.target, { metadata: { ...metadata, anyAddress: true } });
    const answer = await probe.send("createWebhook", { body });
    // The operator may not allow it, and need not look further.
    if (answer.status === 403) return;
    refused(probe, answer, "bad-request-400", "anyAddress", "metadata has anyAddress and addresses");
  };
  const places = { txHash: `0x${"0".repeat(63)}1`, blockNumber: "9999999999999999999" };
  const nowhere = Object.entries(places).map(([name, value]) => async () => {
    const { chainId } = probe.target;
    const answer = await probe.send("previewWebhook", { body: { chainId, metadata, [name]: value } });
    refused(probe, answer, "bad-request-400", name, `the chain has no such ${name}`);
  });
  await together([...bodies, ...parameters, ...unknown, ...nowhere, watchesNothing, anyAndSome]);
  await probe.succeed("deleteWebhook", { path });
}

async function checkParameter(
  probe: Probe,
  operation: OperationId,
  parameter: Described,
  { samples, call }: { samples: Samples; call: Call },
): Promise<void> {
  const { name, in: place } = parameter;
  for (const { what, value } of wrongTexts(parameter, samples)) {
    const answer = await probe.send(operation, withParameter(call, place, name, String(value)));
    refused(probe, answer, "bad-request-400", name, `${name} is ${what}`);
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

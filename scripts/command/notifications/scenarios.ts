/** The notifications that the contract shows as examples, by the names of their files. */
import type { AddressActivityNotification } from "../../../client/receiver/index.ts";
import { type Contract, loadContract } from "../../../server/contract/contract.ts";

/** An example notification. */
export type Scenario = {
  /** Such as `native-transfer`, of openapi/examples/notification.native-transfer.json. */
  name: string;
  /** What happened, in a few words. */
  summary: string;
  notification: AddressActivityNotification;
};

type Documented = {
  webhooks: {
    addressActivity: {
      post: { requestBody: { content: { "application/json": { examples: Record<string, { $ref: string }> } } } };
    };
  };
  components: { examples: Record<string, { summary: string; value: AddressActivityNotification }> };
};

const place = "#/components/examples/";

/** Reads them from the contract, in its order. */
export async function loadScenarios(): Promise<Scenario[]> {
  return scenariosOf(await loadContract());
}

/** Those of a contract, in its order. */
export function scenariosOf(contract: Contract): Scenario[] {
  const { webhooks, components } = contract as unknown as Documented;
  const { examples } = webhooks.addressActivity.post.requestBody.content["application/json"];
  return Object.values(examples).map(({ $ref }) => {
    const key = $ref.slice(place.length);
    const example = components.examples[key];
    if (!example) throw new Error(`The contract has no example ${key}.`);
    return { name: key.replace("notification.", ""), summary: example.summary, notification: example.value };
  });
}

/** The event that a test sends: the contract's own example of what a webhook with these settings gets. */
import type { components } from "../../generated/types.ts";
import { type Contract, loadContract } from "../contract/contract.ts";

type AddressActivityEvent = components["schemas"]["AddressActivityEvent"];
type Webhook = Pick<components["schemas"]["Webhook"], "chainId" | "includeLogs" | "includeInternalTxs">;

/** The contract's example notifications stand among its examples under the names of their files. */
type WithExamples = Contract & {
  components: { examples: Record<string, { value: { event: AddressActivityEvent } } | undefined> };
};

let contract: Promise<Contract> | undefined;

/** The text of the event. @throws when the contract lacks the example */
export async function exampleEventText({ chainId, includeLogs, includeInternalTxs }: Webhook): Promise<string> {
  contract ??= loadContract();
  const { examples } = ((await contract) as WithExamples).components;
  const kind = includeInternalTxs ? "internal-transactions" : includeLogs ? "non-fungible-transfer" : "native-transfer";
  const event = examples[`notification.${kind}`]?.value.event;
  if (!event) throw new Error(`The contract has no example notification.${kind}.`);
  const transaction = { ...event.transaction, chainId };
  return JSON.stringify({ transaction, ...(includeLogs && { logs: event.logs ?? [] }) } satisfies AddressActivityEvent);
}

/** A webhook that is about to be created, after the contract's enforcement has read it and before the store has written it. */
import type { components } from "../generated/types.ts";

/** A webhook to create: every field is set. Addresses and signatures are 0x-prefixed, in lower case, each once. */
export type NewWebhook = Required<Omit<components["schemas"]["WebhookCreate"], "metadata">> & {
  addresses: readonly string[];
  eventSignatures: readonly string[];
};

/** What is known of a chain by what was followed decides on a webhook, too. */
import type { components } from "../../../generated/types.ts";
import { type WebhookPolicy, waitsForFinality } from "../../contract/webhook-input.ts";
import { hasFinalBlock } from "../../store/chains/cursor.ts";
import type { HandlerContext } from "./context.ts";

/** @returns the policy for a webhook to create. Whether a chain's nodes say which blocks are final is known from what was followed. */
export async function policyFor(
  context: HandlerContext,
  { chainId, finality }: Pick<components["schemas"]["WebhookCreate"], "chainId" | "finality">,
): Promise<WebhookPolicy> {
  const { pool, chains } = context;
  const chain = chains.find((supported) => supported.chainId === chainId);
  if (!waitsForFinality(finality) || chain?.finality !== "finalized" || (await hasFinalBlock(pool, chainId)))
    return context;
  return { ...context, chains: chains.map((one) => (one === chain ? { ...one, finality: undefined } : one)) };
}

/** The variant of an event that a webhook gets: which of its options change the stored text. */
import type { EventVariant } from "./event.ts";
import type { WebhookFilter } from "./new-webhook.ts";
import type { TokenBook } from "./transfer-payload.ts";

/** @param tokens needed by those with `includeTransfers` alone */
export function variantOf(
  { includeLogs, includeInternalTxs, options }: Omit<WebhookFilter, "id" | "eventSignatures">,
  { chainId, tokens }: { chainId: string; tokens: TokenBook | undefined },
): EventVariant {
  return {
    chainId,
    includeLogs,
    includeInternalTxs,
    includeTransfers: options?.includeTransfers ?? false,
    tokens,
  };
}

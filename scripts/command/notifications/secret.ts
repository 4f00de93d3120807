/** The secrets that the commands sign and verify with. */
import { decodeSecrets } from "../../../client/receiver/signature.ts";
import { UsageError } from "../command-line.ts";

/** What the mock's `getWebhookSecret` answers for every webhook. It is no secret: the contract's example shows it. */
export const exampleSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** Reads the value of `--secret`. @throws UsageError, without a word of the secret */
export function webhookSecret(text: string): string {
  try {
    decodeSecrets(text);
    return text;
  } catch {
    throw new UsageError("--secret must be whsec_ and base64, as getWebhookSecret answers it.");
  }
}

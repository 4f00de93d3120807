/** Reads a webhook's notifications from its feed, shows them, and passes them on as they would be sent. */
import { type FeedNotification, type WebhooksClient, WebhooksError } from "../../../client/index.ts";
import { coloured, printable, type Stream } from "../terminal.ts";
import { describe } from "./describe.ts";
import { sendNotification } from "./send.ts";

type Following = {
  /** The webhook's. */
  id: string;
  /** Undefined for what is new. */
  after: number | undefined;
  /** Undefined shows them only. */
  forwardTo: string | undefined;
  show: (line: string, body: unknown) => void;
  say: (line: string) => void;
  terminal: Stream;
  signal: AbortSignal;
};

/** No notification has a greater one, so nothing follows it. */
const beyondAll = Number.MAX_SAFE_INTEGER;

/** Until the signal. @throws {WebhooksError} */
export async function followAndForward(client: WebhooksClient, following: Following): Promise<void> {
  const { id, forwardTo, show, say, terminal, signal } = following;
  const path = { id };
  const { compatibility, metadata } = await client.getWebhook({ path });
  const secret = forwardTo === undefined ? undefined : (await client.getWebhookSecret({ path })).secret;
  const sharedSecret =
    forwardTo === undefined || compatibility === undefined ? undefined : (await client.getSharedSecret()).secret;
  const { lastSequence } = await client.readFeed({ path, query: { after: beyondAll } });
  const after = following.after ?? lastSequence;
  say(
    `Following the webhook ${id} after #${after}, ${forwardTo ? `passing on to ${forwardTo}` : "passing nothing on"}.`,
  );

  const outcomeOf = async ({ sequence, payload, glacierPayload }: FeedNotification): Promise<string> => {
    if (forwardTo === undefined || secret === undefined) return "";
    const notification = glacierPayload ?? (metadata.batch ? [payload] : payload);
    const outgoing = { to: forwardTo, notification, sequence, secret, sharedSecret, signal };
    const { accepted, description, durationMs } = await sendNotification(outgoing);
    return `  ${coloured(accepted ? "green" : "red", printable(description), terminal)} in ${durationMs} ms`;
  };
  try {
    // 0 is before the first that is kept, whichever that is.
    const from = after === 0 ? { signal } : { after, signal };
    for await (const fed of client.followFeed(id, from)) {
      const line = printable(`#${fed.sequence}  ${fed.payload.messageId}  ${describe(fed.payload)}`);
      show(`${line}${await outcomeOf(fed)}`, fed.glacierPayload ?? fed.payload);
    }
  } catch (error) {
    if (!(error instanceof WebhooksError && error.code === "aborted")) throw error;
  }
}

/** What each of these programs does with a notification: it prints it once. */
import type { ReceiverOptions } from "chain-webhooks/receiver";

const handled = new Set<string>(); // A real program keeps it in its database, as a unique key.

export const options: ReceiverOptions = {
  secret: () => process.env.WEBHOOK_SECRET,
  onNotification({ messageId }, { sequence }) {
    if (!handled.has(messageId)) console.log(`${sequence} ${messageId}`);
    handled.add(messageId); // After the work: if it throws, the service retries.
  },
  onError: (error) => console.error(error),
};

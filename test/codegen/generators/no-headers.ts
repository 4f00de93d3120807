/** What most generators leave out, in the same words for each. */
import type { Limit } from "../harness/generator.ts";

export const noHeaders: Limit = {
  said: "The notification's headers have no type.",
  seenIn: "client",
  lacks: /webhook-signature/,
};

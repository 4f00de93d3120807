/** The handlers of all operations. */

import { addressHandlers } from "./addresses.ts";
import { chainHandlers } from "./chains.ts";
import type { HandlerContext, ServiceHandlers } from "./context.ts";
import { type FeedReaders, feedHandlers } from "./feed.ts";
import { notificationHandlers, replayHandlers } from "./notifications.ts";
import { operationalHandlers } from "./operational.ts";
import { questionHandlers } from "./questions.ts";
import { secretHandlers } from "./secrets.ts";
import { testHandlers } from "./tests.ts";
import { webhookHandlers } from "./webhooks.ts";

/** Makes the handlers; the compiler refuses this while one is missing. @param readers those of the process's feeds */
export function createHandlers(context: HandlerContext, readers: FeedReaders): ServiceHandlers {
  return {
    ...webhookHandlers(context),
    ...addressHandlers(context),
    ...secretHandlers(context),
    ...testHandlers(context),
    ...notificationHandlers(context),
    ...replayHandlers(context),
    ...feedHandlers(readers),
    ...operationalHandlers(context),
    ...questionHandlers(context),
    ...chainHandlers(context),
  };
}

/** What operators run. */
import type { CommandsOf } from "./tool.ts";

export const serviceCommands: CommandsOf<"chain-webhooks-service"> = {
  serve: { summary: "Run the service.", load: () => import("./commands/serve.ts") },
  demo: {
    summary: "Show the service with a chain of its own, and a receiver.",
    load: () => import("./commands/demo.ts"),
  },
  keys: { summary: "Create, list and revoke API keys.", load: () => import("./commands/keys.ts") },
  accounts: {
    summary: "List accounts, set their quotas, and move them.",
    load: () => import("./commands/accounts.ts"),
  },
  cells: { summary: "List cells, and write the map for their proxies.", load: () => import("./commands/cells.ts") },
  secrets: { summary: "Encrypt the signing secrets of a service.", load: () => import("./commands/secrets.ts") },
  "check-database": {
    summary: "Check that a PostgreSQL keeps what the service relies on.",
    load: () => import("./commands/check-database.ts"),
  },
};

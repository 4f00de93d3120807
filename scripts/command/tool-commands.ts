/** What those run who receive notifications, implement the API, or publish it. Nothing of it needs a database. */
import type { CommandsOf } from "./tool.ts";

export const toolCommands: CommandsOf<"chain-webhooks-tools"> = {
  mock: { summary: "Serve a mock of the API that also sends notifications.", load: () => import("./commands/mock.ts") },
  trigger: { summary: "Send an example notification to an endpoint.", load: () => import("./commands/trigger.ts") },
  listen: {
    summary: "Print and forward the notifications that arrive.",
    load: () => import("./commands/listen.ts"),
  },
  conformance: {
    summary: "Test an implementation against the contract.",
    load: () => import("./commands/conformance.ts"),
  },
  diff: {
    summary: "Compare two versions of any OpenAPI document.",
    load: () => import("./commands/diff.ts"),
  },
  webhooks: {
    summary: "List, create, pause and delete webhooks.",
    load: () => import("./commands/webhooks.ts"),
  },
  addresses: {
    summary: "Make a webhook's addresses equal to those of a file.",
    load: () => import("./commands/addresses.ts"),
  },
  notifications: {
    summary: "List the notifications of a webhook, and resend one.",
    load: () => import("./commands/notifications.ts"),
  },
  replay: { summary: "Replay blocks for a webhook.", load: () => import("./commands/replay.ts") },
  mcp: {
    summary: "Give an agent tools for the API (Model Context Protocol).",
    load: () => import("./commands/mcp.ts"),
  },
  docs: { summary: "Serve the guides and the API reference.", load: () => import("./commands/docs.ts") },
};

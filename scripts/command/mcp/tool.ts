/** A tool as the server lists and runs it. */
import type { JsonObject } from "../../document/json.ts";
import type { ToolAnswer } from "./answers.ts";
import type { Api } from "./api.ts";

/** What a tool needs to run. */
export type ToolSurroundings = {
  api: Api;
  /** Whether the person who started the server allowed writes. */
  allowWrite: boolean;
  /** Ends when the host cancels the call, or the call takes too long. */
  signal: AbortSignal;
  /** Writes a line for the person who started the server. */
  log: (line: string) => void;
};

/** What a tool is called with, once it is known to be as its schema says. */
export type Arguments = Record<string, unknown>;

/** What hosts show, and decide by whether to ask the user first. */
type Annotations = {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
};

export type Tool = {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonObject & { type: "object" };
  annotations: Annotations;
  /** Refuses what the schema would refuse, too, but in better words. */
  refuse?: (args: Arguments, surroundings: ToolSurroundings) => ToolAnswer | undefined;
  /** @returns the answer; a text when it is written already */
  run: (args: Arguments, surroundings: ToolSurroundings) => Promise<ToolAnswer | string>;
};

/** The annotations of a tool that changes nothing. `openWorld`: whether its answer holds what strangers wrote. */
export const readOnly = (openWorld: boolean): Annotations => ({
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: openWorld,
});

/** The tools that call any operation: one for those that only read, and one for those that write, so that hosts can distinguish them. */
import { type OperationId, operationTable } from "../../../../generated/operations.ts";
import type { Json, JsonObject } from "../../../document/json.ts";
import { faultsOfApiAnswer } from "../answer-faults.ts";
import type { ToolAnswer } from "../answers.ts";
import { places, toolOperation, toolParameters } from "../contract.ts";
import { asJson, visible } from "../marked.ts";
import {
  checkedCall,
  operationNamed,
  operationsThat,
  routeOf,
  summaryOf,
  type ToolCall,
  takesBody,
  writes,
} from "../operations.ts";
import { readOnly, type Tool, type ToolSurroundings } from "../tool.ts";

/** `read_operation`. */
export const readOperation: Tool = {
  name: "read_operation",
  title: "Call an operation that reads",
  description:
    "Calls an operation of the webhooks API that changes nothing, and returns its answer. describe_operation has the parameters.",
  inputSchema: schemaFor(operationsThat(false)),
  annotations: readOnly(true),
  refuse({ operationId }) {
    const id = operationNamed(operationId);
    return writes(id) ? { says: `${id} writes. Call write_operation.`, failed: true } : undefined;
  },
  async run(args, surroundings) {
    const given = args as CallArguments;
    const id = operationNamed(given.operationId);
    return send(id, await checkedCall(id, given), surroundings);
  },
};

/** `write_operation`. */
export const writeOperation: Tool = {
  name: "write_operation",
  title: "Call an operation that writes",
  description: [
    "Calls an operation of the webhooks API that can change something, and returns its answer. Ask the user before you call it.",
    "With preview: true it only says what it would do. It is refused unless this server was started with --allow-write.",
    "describe_operation has the parameters. The operations:",
    ...operationsThat(true).map((id) => `- ${id} (${routeOf(id)}): ${summaryOf(id)}.`),
  ].join("\n"),
  inputSchema: schemaFor(operationsThat(true), {
    preview: { type: "boolean", description: "Whether to say only what the call would do, and send nothing." },
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  refuse({ operationId }) {
    const id = operationNamed(operationId);
    return writes(id) ? undefined : { says: `${id} writes nothing. Call read_operation.`, failed: true };
  },
  async run(args, surroundings) {
    const { preview, ...given } = args as CallArguments;
    const id = operationNamed(given.operationId);
    const call = await checkedCall(id, given);
    const plan = `${requestLine(id, call)}: ${summaryOf(id)}. ${effects[operationTable[id].method]}`;
    if (preview)
      return { says: `This would send ${plan}\n${toolOperation(id).description}\n${bodyOf(call)}Nothing was sent.` };
    if (!surroundings.allowWrite) {
      const missing = "Nothing was sent: this server reads only, since it was started without --allow-write.";
      return {
        says: `${missing}\nThis would send ${plan}\n${bodyOf(call)}Only the user can allow writes.`,
        failed: true,
      };
    }
    surroundings.log(`Sending ${plan}`);
    return send(id, call, surroundings);
  },
};

/** The tool for an operation. */
export const toolFor = (id: OperationId): Tool => (writes(id) ? writeOperation : readOperation);

type CallArguments = ToolCall & { operationId: string; preview?: boolean };

/** What a method says of a request's effects (RFC 9110). PATCH is this contract's own: it sets fields, or adds to a set. */
const effects: Record<(typeof operationTable)[OperationId]["method"], string> = {
  get: "It changes nothing.",
  post: "Each call does it once more.",
  put: "It replaces what is there, and repeating it changes nothing more.",
  patch: "Repeating it changes nothing more.",
  delete: "It removes something, which may be for good.",
};

/** @param call is known to be as the contract has it */
async function send(id: OperationId, call: ToolCall, { api, signal }: ToolSurroundings): Promise<ToolAnswer> {
  const data = await api.call(id, call, signal);
  const faults = faultsOfApiAnswer(id, data);
  const doubt =
    faults.length > 0 ? " The answer is not what the contract says: is BASE_URL the address of this API?" : "";
  return { says: `${requestLine(id, call)} succeeded (${summaryOf(id)}).${doubt}`, data };
}

/** The method and the path with its parameters, which are known to be as the contract has them. */
function requestLine(id: OperationId, { path = {}, query = {} }: ToolCall): string {
  const filled = routeOf(id).replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return search.size > 0 ? `${filled}?${search}` : filled;
}

function bodyOf({ body }: ToolCall): string {
  if (body === undefined) return "";
  const text = asJson(body);
  const shown = visible(text.slice(0, 2_000));
  return `With the body ${text.length > 2_000 ? `${shown}… (${text.length} characters)` : shown}\n`;
}

/** What a tool takes that calls one of these operations: only the parts that one of them has. */
function schemaFor(ids: readonly OperationId[], more: JsonObject = {}): JsonObject & { type: "object" } {
  const parts: Record<string, Json> = {};
  for (const [place, part] of Object.entries(places)) {
    const names = new Set(
      ids.flatMap(toolParameters).flatMap((parameter) => (parameter.in === place ? parameter.name : [])),
    );
    const description = `Parameters of the ${place}, by name: ${[...names].join(", ")}.`;
    if (names.size > 0) parts[part] = { type: "object", description };
  }
  if (ids.some(takesBody)) parts.body = { type: "object", description: "The body." };
  const operationId = { type: "string", enum: [...ids], description: "The operation's name." };
  return {
    ...{ type: "object", required: ["operationId"], additionalProperties: false },
    properties: { operationId, ...parts, ...more },
  };
}

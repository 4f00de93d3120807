/** The tool that reads on in a long answer. */
import type { Writer } from "../answers.ts";
import { readOnly, type Tool } from "../tool.ts";

/** `read_more`. */
export function readMore(writer: Writer): Tool {
  return {
    name: "read_more",
    title: "Read on in a long answer",
    description:
      "Returns the next part of an answer that was too long for one. The answer says with which continuation.",
    inputSchema: {
      type: "object",
      required: ["continuation"],
      additionalProperties: false,
      properties: { continuation: { type: "string", maxLength: 100, description: "As the last part said." } },
    },
    annotations: readOnly(true),
    run: async ({ continuation }) => writer.readOn(String(continuation)),
  };
}

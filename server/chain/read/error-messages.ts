/** Takes errors from one thread to another: whoever chooses nodes must know what a node did. */
import { BlockRefusedError } from "../check/refused.ts";
import { NodeError } from "../nodes/node.ts";
import { NotBelievedError } from "../nodes/untrusted-node.ts";
import type { ToldError } from "./messages.ts";

export function tellError(error: unknown): ToldError {
  if (error instanceof BlockRefusedError) return { of: "refused", failed: error.failed, about: error.about };
  if (error instanceof NodeError) {
    const { reason, about } = error;
    return { of: error instanceof NotBelievedError ? "not believed" : "node", reason, about };
  }
  return { of: "other", reason: error instanceof Error ? error.message : String(error) };
}

export function toldError(told: ToldError): Error {
  if (told.of === "refused") return new BlockRefusedError(told.failed, told.about);
  if (told.of === "node") return new NodeError(told.reason, told.about);
  if (told.of === "not believed") return new NotBelievedError(told.reason, told.about);
  return new Error(told.reason);
}

/**
 * Mutants of what the example cannot answer, since it follows no chain: of previews, explanations, notifications and replays of the
 * service itself. Each answer loses or changes each field, has another status, or is an old one.
 */
import type { OperationId } from "../../../generated/operations.ts";
import { sameJson } from "../../../scripts/document/json.ts";
import { findOperation } from "../../../server/contract/operations.ts";
import { type Answer, answerMutants } from "../mutations/answer-mutants.ts";
import type { Faults } from "./fault.ts";

const operations: readonly OperationId[] = [
  ...(["previewWebhook", "explainWebhook", "listNotifications", "getNotification"] as const),
  ...(["resendNotification", "createReplay", "getReplay", "cancelReplay"] as const),
];

/** The names of the mutants that changed an answer: of a field that nothing has, there is nothing to notice. */
export const effective = new Set<string>();

/** All of them, by the name of the mutant. */
export const mutantsOnChain: Faults = Object.fromEntries(
  answerMutants
    // No webhook of the world has a `compatibility`, so nothing has that field.
    .filter(({ id, operation }) => operations.includes(operation) && !id.includes("glacierPayload"))
    .map(({ id, operation, change }) => [
      id,
      { says: id, needs: "chain", make: () => changing(id, operation, change) },
    ]),
);

function changing(
  id: string,
  operation: OperationId,
  change: (typeof answerMutants)[number]["change"],
): ReturnType<Faults[string]["make"]> {
  const memory = new Map<string, Answer>();
  return {
    answer(answer, { method, path }) {
      const [pathname = ""] = path.split("?");
      if (findOperation(method, pathname)?.operationId !== operation) return;
      const before: Answer = structuredClone(answer);
      const after = change(before, memory);
      if (sameJson({ ...after } as never, structuredClone(answer) as never)) return;
      effective.add(id);
      Object.assign(answer, after);
    },
  };
}

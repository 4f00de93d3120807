/** All mutants of the example server: of its source, of its answers, and of what it reads. */
import type { OperationId } from "../../../generated/operations.ts";
import { successOf } from "../../../scripts/command/conformance/contract.ts";
import type { Receiver } from "../../../scripts/command/conformance/receiver.ts";
import { sameJson } from "../../../scripts/document/json.ts";
import { type Answer, answerMutants, requestMutants } from "./answer-mutants.ts";
import { hunt } from "./hunt.ts";
import { sources, textOf } from "./load.ts";
import { hasPart, type Mutation, startMutated } from "./mutated-server.ts";
import { sourceMutants } from "./source-mutants.ts";

/** A mutant, by the name that survivors.ts uses. */
export type Mutant = { id: string; mutation: Mutation; operation?: OperationId };

const baselineCases = 150;

/**
 * All that change something that a hunt sees at all: a field that the example never answers with cannot be changed.
 *
 * @throws when a finding is made at the example without a mutation
 */
export async function allMutants(receiver: Receiver): Promise<Mutant[]> {
  const effective = new Set<string>();
  const server = await startMutated({
    watch: {
      answered(operation, answer) {
        for (const mutant of answerMutants)
          if (mutant.operation === operation && !effective.has(mutant.id) && changes(mutant, answer))
            effective.add(mutant.id);
      },
      asked(operation, input) {
        for (const mutant of requestMutants)
          if (mutant.operation === operation && hasPart(mutant, input) && !isOfPreview(mutant))
            effective.add(mutant.id);
      },
    },
  });
  const caught = await hunt(server.url, receiver, { cases: baselineCases });
  await server.close();
  if (caught) throw new Error(`Without a mutation: ${JSON.stringify({ ...caught.finding, exchange: undefined })}`);
  return [
    ...sources
      .flatMap((file) => sourceMutants(file, textOf(file)))
      .map((source) => ({ id: source.id, mutation: { source } })),
    ...answerMutants
      .filter(({ id }) => effective.has(id))
      .map((answer) => ({ id: answer.id, operation: answer.operation, mutation: { answer } })),
    ...requestMutants
      .filter(({ id }) => effective.has(id))
      .map((request) => ({ id: request.id, operation: request.operation, mutation: { request } })),
  ];
}

/** Whether there is such a mutant at all, also where no case of the baseline was one that it changes. */
export const isMutant = (id: string, sourceIds: ReadonlySet<string>): boolean =>
  sourceIds.has(id) || [...answerMutants, ...requestMutants].some((mutant) => mutant.id === id);

/** The example has no chain, so it refuses every preview for its place, whatever the webhook would be. */
const isOfPreview = ({ operation, at: [name] }: (typeof requestMutants)[number]) =>
  operation === "previewWebhook" && name !== "txHash" && name !== "blockNumber";

/** One that repeats answers changes the next one, if that succeeds. */
function changes(mutant: (typeof answerMutants)[number], answer: Answer): boolean {
  const earlier: Answer = { status: successOf(mutant.operation), headers: {}, body: null };
  const after = mutant.change(answer, new Map([[mutant.operation, earlier]]));
  return !sameJson({ ...after } as never, { ...answer } as never);
}

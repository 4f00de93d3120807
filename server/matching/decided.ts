/** What decided on the conditions of a webhook, in the contract's shape. */
import type { components } from "../../generated/types.ts";
import type { Candidate } from "./conditions/candidates.ts";
import type { ConditionsVerdict, Decision } from "./conditions/explain.ts";

type Schemas = components["schemas"];
export type Decided = Pick<Schemas["PreviewedTransaction"], "decidedBy" | "decidedOn">;

/** In characters. A log can have a text of any length. */
const longestActual = 200;

export function decided({ ofTransaction, subject, decidedBy }: ConditionsVerdict): Decided {
  const decidedOn = !ofTransaction && subject && subjectOf(subject);
  return { decidedBy: decidedBy.map(findingOf), ...(decidedOn && { decidedOn }) };
}

function findingOf({ value, actual, ...decision }: Decision): Schemas["ConditionFinding"] {
  const { path, field, op, holds } = decision;
  const found = actual !== null && { actual: shortened(actual) };
  return { ...{ path, field, op, value: [value].flat().join(", ") }, ...found, holds };
}

/** Not in the middle of a character. */
const shortened = (text: string) =>
  text.length <= longestActual ? text : `${text.slice(0, longestActual).replace(/[\uD800-\uDBFF]$/, "")}…`;

function subjectOf({ logIndex, transfer }: Candidate): Schemas["ConditionSubject"] {
  const { standard, contract, from, to, value, tokenId } = transfer ?? {};
  return {
    ...(logIndex !== null && { logIndex }),
    ...(standard !== undefined && { standard }),
    ...(contract && { contract }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(value !== undefined && { value: value.toString() }),
    ...(tokenId != null && { tokenId: tokenId.toString() }),
  };
}

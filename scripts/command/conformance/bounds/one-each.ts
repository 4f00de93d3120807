/** A few of many candidates: enough that each constraint of the contract is broken once. */
import { asObject, type JsonObject } from "../../../document/json.ts";
import { constraintsBroken, constraintsBrokenByText, type DescribedPart, followed } from "../contract.ts";
import {
  type BoundCandidate,
  type FieldCandidate,
  fieldCandidates,
  type Samples,
  sampleOf,
  withField,
} from "./candidates.ts";
import { parameterCandidates } from "./parameters.ts";

/** A body with one value of its own: that of a field, or its absence. */
export type OneOther = FieldCandidate & { body: JsonObject };

/** Every candidate of a schema's fields, each in a body that is otherwise as given. @param body a valid one */
export function eachInBody(body: JsonObject, schema: JsonObject, samples: Samples): OneOther[] {
  return fieldCandidates(schema, samples).map((candidate) => ({
    ...candidate,
    body: withField(withParents(body, schema, candidate.at, samples), candidate.at, candidate.value) as JsonObject,
  }));
}

/** The ways to spoil a valid body, one for each constraint of its schema, nested objects included. @param body a valid one */
export function faultsIn(body: JsonObject, schema: JsonObject, samples: Samples): OneOther[] {
  return oneForEach(eachInBody(body, schema, samples), (fault) => constraintsBroken(schema, fault.body));
}

/** A body with the objects that a field is in. One that the body lacks is whole, so that nothing but the candidate is wrong in it. */
export function withParents(
  body: JsonObject,
  schema: JsonObject,
  [name, ...rest]: readonly string[],
  samples: Samples,
): JsonObject {
  if (name === undefined || rest.length === 0) return body;
  const inner = asObject(asObject(followed(schema).properties)[name]);
  const before = body[name] ?? sampleOf(inner, samples);
  if (!Array.isArray(before)) return { ...body, [name]: withParents(asObject(before), inner, rest, samples) };
  // The path leads through the first item of a list.
  const item = asObject(followed(inner).items);
  const one = asObject(before[0] ?? sampleOf(item, samples));
  return { ...body, [name]: [withParents(one, item, rest.slice(1), samples), ...before.slice(1)] };
}

/** The texts that a parameter must not have, one for each constraint of its schema. */
export function wrongTexts(parameter: DescribedPart, samples: Samples): BoundCandidate[] {
  return oneForEach(parameterCandidates(parameter, samples), ({ value }) =>
    constraintsBrokenByText(parameter, String(value)),
  );
}

/** For each constraint, the candidate that breaks the fewest others: a server that forgets one must have nothing else to refuse. */
function oneForEach<T extends { what: string; always?: true }>(
  candidates: readonly T[],
  constraintsOf: (candidate: T) => readonly string[],
): T[] {
  const chosen = new Map<string, { candidate: T; broken: number }>();
  for (const candidate of candidates) {
    const constraints = constraintsOf(candidate);
    const own = constraints.length > 0 && candidate.always ? [candidate.what] : [];
    for (const name of [...constraints, ...own])
      if (constraints.length < (chosen.get(name)?.broken ?? Number.POSITIVE_INFINITY))
        chosen.set(name, { candidate, broken: constraints.length });
  }
  return [...new Set([...chosen.values()].map(({ candidate }) => candidate))];
}

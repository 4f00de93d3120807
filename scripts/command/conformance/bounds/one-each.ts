/** A few of many candidates: enough that each constraint of the contract is broken once. */
import { asObject, isObject, type JsonObject } from "../../../document/json.ts";
import { constraintsBroken, constraintsBrokenByText, type Described, followed } from "../contract.ts";
import {
  type Candidate,
  type FieldCandidate,
  fieldCandidates,
  type Samples,
  sampleOf,
  withField,
} from "./candidates.ts";
import { parameterCandidates } from "./parameters.ts";

/** A body with one fault: a field's value, or its absence. */
export type Fault = FieldCandidate & { body: JsonObject };

/** The ways to spoil a valid body, one for each constraint of its schema, nested objects included. @param body a valid one */
export function faultsIn(body: JsonObject, schema: JsonObject, samples: Samples): Fault[] {
  const spoilt = fieldCandidates(schema, samples).map((candidate) => ({
    ...candidate,
    body: withField(withParents(body, schema, candidate.at, samples), candidate.at, candidate.value) as JsonObject,
  }));
  return oneForEach(spoilt, (fault) => constraintsBroken(schema, fault.body));
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
  const before = isObject(body[name]) ? body[name] : asObject(sampleOf(inner, samples));
  return { ...body, [name]: withParents(before, inner, rest, samples) };
}

/** The texts that a parameter must not have, one for each constraint of its schema. */
export function wrongTexts(parameter: Described, samples: Samples): Candidate[] {
  return oneForEach(parameterCandidates(parameter, samples), ({ value }) =>
    constraintsBrokenByText(parameter, String(value)),
  );
}

/** For each constraint, the candidate that breaks the fewest others: a server that forgets one must have nothing else to refuse. */
function oneForEach<T>(candidates: readonly T[], constraintsOf: (candidate: T) => readonly string[]): T[] {
  const chosen = new Map<string, { candidate: T; broken: number }>();
  for (const candidate of candidates) {
    const constraints = constraintsOf(candidate);
    for (const name of constraints)
      if (constraints.length < (chosen.get(name)?.broken ?? Number.POSITIVE_INFINITY))
        chosen.set(name, { candidate, broken: constraints.length });
  }
  return [...new Set([...chosen.values()].map(({ candidate }) => candidate))];
}

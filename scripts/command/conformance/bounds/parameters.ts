/** Parameters: the texts that HTTP can carry where each is sent, and how a call gets one. */
import type { DescribedPart } from "../contract.ts";
import type { ProbeCall } from "../probe.ts";
import { type BoundCandidate, type Samples, textCandidatesOf } from "./candidates.ts";

/** Candidates for a parameter. */
export function parameterCandidates({ in: place, schema }: DescribedPart, samples: Samples): BoundCandidate[] {
  return textCandidatesOf(schema, samples).filter(({ value }) => typeof value === "string" && canBeSent(place, value));
}

/** A path has no empty segment, and HTTP trims a header and takes no control character in one. */
function canBeSent(place: string, value: string): boolean {
  if (place === "path") return value !== "" && !value.includes("/");
  return place !== "header" || /^[!-~]([ -~]*[!-~])?$/.test(value);
}

/** A call with one parameter set, whatever it was before. */
export function withParameter(call: ProbeCall, place: string, name: string, value: string): ProbeCall {
  if (place === "path") return { ...call, path: { ...call.path, [name]: value } };
  if (place === "query") return { ...call, query: { ...call.query, [name]: value } };
  return { ...call, headers: { ...call.headers, [name]: value } };
}

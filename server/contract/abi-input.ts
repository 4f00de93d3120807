/** The events that a webhook decodes, as a request has them. */
import type { components } from "../../generated/types.ts";
import { AbiFragmentError, readFragment } from "../matching/abi/fragment.ts";
import { compileAbi } from "../matching/abi.ts";
import { badRequest } from "./errors.ts";

type AbiEvent = components["schemas"]["AbiEventInput"];
type AbiParameter = components["schemas"]["AbiParameterInput"];

/** A record shows them, a page shows a hundred records, and each block that concerns the webhook reads them. */
const mostBytes = 32_768;

/** Reads events in JSON ABI form. @returns them without what nobody uses, and the hashes of their signatures @throws {HttpError} 400 */
export function readAbi(abi: readonly AbiEvent[]): { abi: AbiEvent[]; signatures: readonly string[] } {
  const kept = abi.map((event) => ({ ...event, inputs: event.inputs.map(withoutInternalType) }));
  const { signatures } = compiled(kept);
  assertFewForms(kept);
  if (Buffer.byteLength(JSON.stringify(kept)) > mostBytes)
    throw badRequest(`metadata.abi must have at most ${mostBytes / 1024} KiB as JSON without each internalType.`);
  return { abi: kept, signatures };
}

/** A log is tried by each form of its signature that has as many indexed arguments. ERC-20 and ERC-721 make two. */
const mostForms = 8;

/** @throws {HttpError} 400 */
function assertFewForms(abi: readonly AbiEvent[]): void {
  const forms = new Map<string, Set<string>>();
  for (const [index, { topic0, signature, types }] of abi.map(readFragment).entries()) {
    const known = forms.get(topic0) ?? new Set();
    forms.set(topic0, known.add(types));
    if (known.size > mostForms)
      throw badRequest(
        `metadata.abi.${index}.inputs must be indexed as in an event before it: of ${signature} there are ${mostForms} forms already.`,
      );
  }
}

function compiled(abi: AbiEvent[]) {
  try {
    return compileAbi(abi);
  } catch (error) {
    if (error instanceof AbiFragmentError) throw badRequest(`metadata.abi.${error.path} ${error.reason}.`);
    throw error;
  }
}

function withoutInternalType({ internalType: _, components: members, ...parameter }: AbiParameter): AbiParameter {
  return { ...parameter, ...(members && { components: members.map(withoutInternalType) }) };
}

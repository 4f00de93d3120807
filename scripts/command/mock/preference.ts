/** The header `Prefer`, by which a client chooses the mock's answer: `code=404`, `example=wallet`. */
import {
  type Contract,
  type LocatedOperation,
  type ResponseObject,
  resolved,
} from "../../../server/contract/contract.ts";
import { badRequest } from "../../../server/contract/errors.ts";

/** The status and the example that Prism must answer with. Always both, so the same request has the same answer. */
export type Preference = { code: number; exampleKey: string };

/**
 * Reads the header. Without it, the answer is the success, and its first example. Prism's `dynamic` is refused: what it makes up breaks
 * the contract, for example with a url that is no URL.
 *
 * @throws HttpError 400
 */
export function readPreference(
  header: string | undefined,
  contract: Contract,
  { operationId, responses = {} }: LocatedOperation,
): Preference {
  const { code, example, dynamic } = parse(header ?? "");
  const statuses = Object.keys(responses);
  const status = code ?? statuses.find((each) => each.startsWith("2")) ?? "";
  if (!statuses.includes(status))
    throw badRequest(`The header prefer must name a status that ${operationId} has: ${statuses.join(", ")}.`);
  const examples = exampleNames(contract, responses[status]);
  const exampleKey = example ?? examples[0] ?? "";
  if (!examples.includes(exampleKey))
    throw badRequest(
      `The header prefer must name an example of the ${status} of ${operationId}: ${examples.join(", ")}.`,
    );
  if (dynamic === "true") throw badRequest("The header prefer must not have dynamic=true; the mock makes nothing up.");
  return { code: Number(status), exampleKey };
}

/** Whether the header asks for an answer of its choice. Unknown preferences do not. */
export function chooses(header: string | undefined): boolean {
  const { code, example, dynamic } = parse(header ?? "");
  return [code, example, dynamic].some((value) => value !== undefined);
}

type WithExamples = ResponseObject & { content?: { "application/json"?: { examples?: Record<string, unknown> } } };

function exampleNames(contract: Contract, response: ResponseObject = {}): string[] {
  const { content } = resolved<WithExamples>(contract, response);
  return Object.keys(content?.["application/json"]?.examples ?? {});
}

/** Unknown preferences are no fault (RFC 7240). */
function parse(header: string): Partial<Record<string, string>> {
  const pairs = header.split(/[,;]/).map((part) => {
    const [name = "", ...value] = part.split("=");
    return [
      name.trim().toLowerCase(),
      value
        .join("=")
        .trim()
        .replace(/^"(.*)"$/, "$1"),
    ] as const;
  });
  return Object.fromEntries(pairs);
}

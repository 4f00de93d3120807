/** The header `Prefer`, by which a client chooses what the mock answers: `code=404`, `example=wallet`. */
import { badRequest } from "../../../server/contract/errors.ts";
import { exampleNames, type MockDocument, type MockOperation } from "./document.ts";

/** What Prism is asked for. Always both, so that the same request has the same answer. */
export type Preference = { code: number; exampleKey: string };

/**
 * Reads the header; without it the answer is the success, and its first example. Prism's `dynamic` is refused: what it makes
 * up breaks the contract, such as by a url that is none.
 *
 * @throws HttpError 400
 */
export function readPreference(
  header: string | undefined,
  document: MockDocument,
  operationId: string,
  operation: MockOperation,
): Preference {
  const { code, example, dynamic } = parse(header ?? "");
  const statuses = Object.keys(operation.responses);
  const status = code ?? statuses.find((each) => each.startsWith("2")) ?? "";
  if (!statuses.includes(status))
    throw badRequest(`The header prefer must name a status that ${operationId} has: ${statuses.join(", ")}.`);
  const examples = exampleNames(document, operation, status);
  const exampleKey = example ?? examples[0] ?? "";
  if (!examples.includes(exampleKey))
    throw badRequest(
      `The header prefer must name an example of the ${status} of ${operationId}: ${examples.join(", ")}.`,
    );
  if (dynamic === "true") throw badRequest("The header prefer must not have dynamic=true; the mock makes nothing up.");
  return { code: Number(status), exampleKey };
}

/** Preferences it does not know are no fault (RFC 7240). */
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

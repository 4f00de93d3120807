/** Says in one sentence what the checks found: which field, and what it must be. */

import { shownName } from "./display-name.ts";
import { patternPhrases } from "./pattern-phrases.ts";

/** One fault. `errorCode` begins with the JSON Schema keyword; the validator's own checks have none. */
export type ValidationFault = { path: string; message: string; errorCode?: string };

/** So many faults of a kind are named: fields that are unknown, that are missing, that are not as they must be. */
export const mostNamed = 10;

/** The sentence for all faults of a request, the unknown fields first, since a misspelt field is also a missing one. */
export function validationMessage(faults: readonly ValidationFault[]): string {
  const kinds = new Map<string, Map<string, ValidationFault>>([
    ["additionalProperties", new Map()],
    ["required", new Map()],
    ["", new Map()],
  ]);
  for (const fault of faults) {
    const fields = kinds.get(keywordOf(fault)) ?? kinds.get("");
    if (!fields?.has(fault.path)) fields?.set(fault.path, fault);
  }
  const clauses = [...kinds.values()].flatMap((fields) => [...fields.values()].slice(0, mostNamed)).map(clause);
  if ([...kinds.values()].some(({ size }) => size > mostNamed)) clauses.push("and more faults");
  return `${clauses.join("; ")}.`;
}

const keywordOf = ({ errorCode = "" }: ValidationFault) => errorCode.split(".")[0] ?? "";

function clause(fault: ValidationFault): string {
  const { path, message } = fault;
  const field = fieldName(path);
  switch (keywordOf(fault)) {
    case "required":
      return `${field} is required`;
    case "additionalProperties":
      return `${field} is not a known field`;
    case "type":
      return `${field} must be ${withArticle(message.replace("must be ", ""))}`;
    case "enum":
      return `${field} must be ${oneOf(message.replace(/^.*values: /, ""))}`;
    case "pattern":
      return `${field} must be ${patternPhrases.get(message.slice('must match pattern "'.length, -1)) ?? message}`;
    case "format":
      return `${field} must be a valid ${message.replace(/^.*format "(.*)"$/, "$1").toUpperCase()}`;
    case "":
      return ownCheck(field, message);
    default:
      return `${field} ${bound(message)}`;
  }
}

/** Of `/body/metadata/addresses/0` the part that a client knows it by: `metadata.addresses.0`. */
function fieldName(path: string): string {
  const [place, ...names] = path.slice(1).split("/");
  if (names.length === 0) return `The ${place}`;
  const name = names.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~")).join(".");
  return place === "headers" ? `The header ${shownName(name)}` : shownName(name);
}

const withArticle = (type: string) => `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
const oneOf = (values: string) => (values.includes(", ") ? `one of ${values}` : values);

function bound(message: string): string {
  return message
    .replace(/NOT have fewer than (\d+) (\w+?)s?$/, (_, least, unit) => `have at least ${least} ${plural(unit, least)}`)
    .replace(/NOT have more than (\d+) (\w+?)s?$/, (_, most, unit) => `have at most ${most} ${plural(unit, most)}`)
    .replace(">= ", "at least ")
    .replace("<= ", "at most ");
}

const plural = (unit: string, count: string) => (count === "1" ? unit : `${unit}s`);

/** The validator's checks of paths and queries, which are no JSON Schema. */
function ownCheck(field: string, message: string): string {
  if (message.startsWith("Unknown query parameter")) return `${field} is not a known query parameter`;
  if (message.startsWith("Empty value")) return `${field} must not be empty`;
  if (message.includes("must be url encoded")) return `${field} must be percent-encoded`;
  return "The path must be validly percent-encoded";
}

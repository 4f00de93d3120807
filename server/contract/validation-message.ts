/** Says in one sentence what the checks found: which field, and what it must be. */

/**
 * The contract's patterns in words. A test sees to it that none is missing: every pattern that a request can fail is here, exactly as
 * in the contract.
 */
export const patternPhrases: ReadonlyMap<string, string> = new Map([
  ["^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$", "a UUID"],
  [
    "^0x[0-9a-f]{2,39}(,0x[0-9a-f]{2,39}){0,15}$",
    "at most 16 prefixes, each 0x and 2 to 39 hex digits in lower case, separated by commas",
  ],
  ["^0x[0-9a-fA-F]{40}$", "an address, 0x and 40 hex digits"],
  ["^0x[0-9a-fA-F]{64}$", "a hash, 0x and 64 hex digits"],
  ["^(0|[1-9][0-9]{0,18})$", "a block's number, at most 19 decimal digits"],
  ["^(0|[1-9][0-9]{0,14})$", "the id of an event, at most 15 decimal digits"],
  ["^[1-9][0-9]{0,18}$", "a chain's identifier in decimal digits"],
  [
    String.raw`^[hH][tT][tT][pP][sS]?://[^\s/?#@]+([/?#]\S*)?$`,
    "an https URL (or http, where the server allows it) without user name or password",
  ],
  [String.raw`^[^\u0000]*$`, "a text without NUL characters"],
  ["^[!-~]+$", "visible ASCII characters without spaces"],
  ["^[a-zA-Z_$][a-zA-Z0-9_$]*$", "a name of letters, digits, _ and $ that begins with no digit"],
  ["^([a-zA-Z_$][a-zA-Z0-9_$]*)?$", "a name of letters, digits, _ and $ that begins with no digit, or empty"],
  [String.raw`^[a-z0-9]+(\[[0-9]*\])*$`, "a Solidity type"],
  [
    String.raw`^(transaction|transfer|args)\.[a-zA-Z0-9_$.]+$`,
    "transaction.…, transfer.… or args.…, followed by a field",
  ],
  ["^(topic[1-3]|data([0-9]|[1-9][0-9]))$", "topic1 to topic3, or data0 to data99"],
  ["^(instant|finalized|both)$", "instant, finalized, both, or an object with confirmations"],
  ["^glacier$", "glacier"],
  ["^(url|feed)$", "url or feed"],
  ["^(complete|headers|logs)$", "complete, headers or logs"],
  ["^[!#-'*+.0-9A-Z^-z|~-]{1,64}$", "an object whose names have 1 to 64 letters, digits and !#$%&'*+-.^_`|~"],
  ["^[!-~]([ -~]*[!-~])?$", "visible ASCII characters, with spaces only between them"],
]);

/** One fault. `errorCode` begins with the JSON Schema keyword; the validator's own checks have none. */
export type ValidationFault = { path: string; message: string; errorCode?: string };

/** How many faults of a kind are named: unknown fields, missing fields, wrong values. */
export const maxNamed = 10;

const maxNameLength = 100;

/** Shortens a name that a client made up, and replaces what is no visible character. */
export function displayName(name: string): string {
  const short = name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name;
  return short.replaceAll(/[\p{Control}\p{Surrogate}\p{Line_Separator}\p{Paragraph_Separator}]/gu, "\ufffd");
}

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
  const clauses = [...kinds.values()].flatMap((fields) => [...fields.values()].slice(0, maxNamed)).map(clause);
  if ([...kinds.values()].some(({ size }) => size > maxNamed)) clauses.push("and more faults");
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
      // A parameter is a text, or a list of texts if it is there twice.
      if (path.startsWith("/query/") && message === "must be string") return `${field} must appear only once`;
      return `${field} must be ${message.replace("must be ", "").split(",").map(withArticle).join(" or ")}`;
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

/** @example fieldName("/body/metadata/addresses/0") // "metadata.addresses.0" */
function fieldName(path: string): string {
  const [place, ...names] = path.slice(1).split("/");
  if (names.length === 0) return `The ${place}`;
  const name = names.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~")).join(".");
  return place === "headers" ? `The header ${displayName(name)}` : displayName(name);
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

/** For the validator's checks of paths and queries, which are not JSON Schema. */
function ownCheck(field: string, message: string): string {
  if (message.startsWith("Unknown query parameter")) return `${field} is not a known query parameter`;
  if (message.startsWith("Empty value")) return `${field} must not be empty`;
  return "The path must be validly percent-encoded";
}

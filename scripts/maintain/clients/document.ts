/** The contract as the packages for other languages are made from it: OpenAPI 3.0, with what the best generator would make of it said outright. */
import { asObject, isObject, type Json, type JsonObject } from "../../document/json.ts";

/**
 * Makes it from the published document in OpenAPI 3.0. Three things differ, none of which changes what is sent:
 *
 * - An enumeration is a text that names the values known today. Within /v1 values are added, and the clients for Python, Rust and C# refuse one
 *   that they do not know, whatever they are asked to do.
 * - All errors of an operation are its `default` answer, since all have one shape. The client for Rust would call each a 400.
 * - The description is its first paragraph. It is on top of every file that is generated.
 *
 * @returns a copy
 */
export function documentForClients(published: JsonObject): JsonObject {
  const document = asObject(withTexts(published));
  const info = asObject(document.info);
  const [description = ""] = String(info.description).split("\n\n");
  const paths = Object.entries(asObject(document.paths)).map(([path, item]) => {
    const members = Object.entries(asObject(item)).map(([name, member]) => [name, withOneError(member)]);
    return [path, Object.fromEntries(members)];
  });
  return { ...document, info: { ...info, description }, paths: Object.fromEntries(paths) };
}

function withTexts(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(withTexts);
  if (!isObject(value)) return value ?? null;
  const { enum: known, ...others } = value;
  const copy = Object.fromEntries(Object.entries(others).map(([name, member]) => [name, withTexts(member)]));
  // A member of that name, such as a field called `enum`, is no keyword.
  if (!Array.isArray(known) || value.type !== "string") return known === undefined ? copy : { ...copy, enum: known };
  const values = known.map((one) => `\`${one}\``).join(", ");
  return { ...copy, description: `${value.description ?? ""}\n\nToday one of ${values}; others may be added.`.trim() };
}

const anyError = {
  description: "An error. All have one shape.",
  content: { "application/json": { schema: { $ref: "#/components/schemas/ApiError" } } },
};

/** @param member of a path: an operation, or something else that all operations share */
function withOneError(member: Json | undefined): Json | undefined {
  if (!isObject(member) || !isObject(member.responses)) return member;
  const good = Object.entries(member.responses).filter(([status]) => status.startsWith("2"));
  return { ...member, responses: { ...Object.fromEntries(good), default: anyError } };
}

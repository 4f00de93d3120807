/** The cells of an installation, for the commands that work on all of them. */
import { postgresUrl } from "./database-url.ts";
import { cellName, invalid, jsonText, type Parse, parseJson } from "./parsers.ts";

/** A cell's name, as its processes have it in CELL, and where its database is. */
export type CellPlace = { name: string; databaseUrl: string };

const known = ["name", "databaseUrl"];

/** A JSON list of cells, or `@` and the path of a file with one. */
export const cells: Parse<readonly CellPlace[]> = (text, setting) => {
  const value = parseJson(jsonText(text, setting), setting);
  if (!Array.isArray(value) || value.length === 0)
    throw invalid(`${setting} must be a JSON list of at least one cell.`);
  const places = value.map((cell, index) => parseCell(cell, `${setting}[${index}]`));
  const repeated = places.find(({ name }, index) => places.findIndex((place) => place.name === name) !== index);
  if (repeated) throw invalid(`${setting} must name each cell once, but ${repeated.name} is there twice.`);
  return places;
};

function parseCell(value: unknown, at: string): CellPlace {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw invalid(`${at} must be an object.`);
  const fields = new Map(Object.entries(value));
  const unknown = [...fields.keys()].find((key) => !known.includes(key));
  if (unknown) throw invalid(`${at}.${unknown} is not a known field; those are ${known.join(", ")}.`);
  const read = (key: string, parse: Parse<string>): string => {
    const field: unknown = fields.get(key);
    if (typeof field !== "string") throw invalid(`${at}.${key} must be a text.`);
    return parse(field, `${at}.${key}`);
  };
  return { name: read("name", cellName), databaseUrl: read("databaseUrl", postgresUrl) };
}

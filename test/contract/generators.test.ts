/** What client generators need the contract to say, and nothing else would notice if it did not. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { asArray, asObject, isObject, type Json, type JsonObject } from "../../scripts/document/json.ts";

const contract = JSON.parse(
  readFileSync(new URL("../../generated/openapi.json", import.meta.url), "utf8"),
) as JsonObject;

/** Every object of the document that is an integer's schema, with its place and the words it is described with. */
function integers(value: Json | undefined, place = "#", words = ""): { place: string; words: string; format: Json }[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => integers(one, `${place}/${index}`));
  if (!isObject(value)) return [];
  const said = `${words} ${value.description ?? ""}`;
  if (value.type === "integer") return [{ place, words: said, format: value.format ?? null }];
  return Object.entries(value).flatMap(([key, one]) =>
    integers(one, `${place}/${key}`, key === "schema" && place.includes("/parameters/") ? said : ""),
  );
}

// Java, Kotlin, Go and Rust clients have 32 bits for an integer that does not say otherwise, and fail on today's milliseconds.
test("times and sequences have the format int64", () => {
  const wide = integers(contract).filter(
    ({ place, words }) => /since the epoch|sequence/.test(words) || /sequence$/i.test(place),
  );
  expect(wide.length).toBeGreaterThan(10);
  for (const { place, format } of wide) expect(format, place).toBe("int64");
});

// A generator that makes a class for each tag, and webhooks after paths, writes the second over the first.
test("no operation shares a tag with the notification", () => {
  const tagsOf = (items: Json | undefined) =>
    Object.values(asObject(items))
      .flatMap((item) => Object.values(asObject(item)))
      .flatMap((operation) => asArray(asObject(operation).tags));
  const ours = new Set(tagsOf(contract.paths));
  expect(tagsOf(contract.webhooks)).not.toHaveLength(0);
  for (const tag of tagsOf(contract.webhooks)) expect(ours).not.toContain(tag);
});

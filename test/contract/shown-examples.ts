/** Each example of a body that the published document has, and the name of its schema. */
import { readFileSync } from "node:fs";
import { asObject, type JsonObject, refOf, resolvedObject } from "../../scripts/document/json.ts";

export const published = JSON.parse(
  readFileSync(new URL("../../generated/openapi.json", import.meta.url), "utf8"),
) as JsonObject;

const operations = [...Object.values(asObject(published.paths)), ...Object.values(asObject(published.webhooks))]
  .flatMap((item) => Object.values(asObject(item)))
  .map(asObject);

const examplesOf = (holders: readonly (typeof operations)[number][string][]) =>
  holders
    .flatMap((holder) => Object.values(asObject(resolvedObject(published, holder).content)))
    .flatMap((media) => {
      const title = refOf(asObject(media).schema)?.split("/").at(-1) ?? "";
      return Object.values(asObject(asObject(media).examples)).map((one) => ({
        title,
        value: resolvedObject(published, one).value,
      }));
    });

export const shown = examplesOf(
  operations.flatMap(({ requestBody, responses }) => [requestBody, ...Object.values(asObject(responses))]),
);

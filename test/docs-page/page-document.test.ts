/** What the docs page has beside the contract stands in the page only. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { asArray, asObject } from "../../scripts/document/json.ts";
import { pageDocument, sampleLanguages } from "../../scripts/maintain/docs-page/page-document.ts";

const text = readFileSync(new URL("../../generated/openapi.json", import.meta.url), "utf8");
const contract = JSON.parse(text);

test("the contract is left as it is, and has no samples", () => {
  pageDocument(contract);
  expect(contract).toEqual(JSON.parse(text));
  expect(text).not.toContain("x-codeSamples");
});

test("every operation has a sample in each language, in the same order", () => {
  const items = Object.values(asObject(pageDocument(contract).paths)).map(asObject);
  const operations = items.flatMap((item) =>
    Object.values(item)
      .map(asObject)
      .filter(({ operationId }) => operationId),
  );
  expect(operations.length).toBeGreaterThan(0);
  for (const operation of operations) {
    const languages = asArray(operation["x-codeSamples"]).map((sample) => asObject(sample).lang);
    expect(languages, String(operation.operationId)).toEqual(sampleLanguages);
  }
});

test("the section about errors names every field of an error and every status that the contract has an example of", () => {
  const section = asArray(pageDocument(contract).tags)
    .map(asObject)
    .find(({ name }) => name === "Errors");
  const { ApiError } = contract.components.schemas;
  for (const name of Object.keys(ApiError.properties)) expect(section?.description).toContain(`| \`${name}\` |`);
  const statuses = Object.keys(contract.components.examples).flatMap((name) => /^error\.(\d{3})/.exec(name)?.[1] ?? []);
  expect(statuses.length).toBeGreaterThan(0);
  for (const status of statuses) expect(section?.description).toContain(`| ${status} |`);
});

/**
 * The contract as the docs page shows it: with code samples, receivers and a section about errors, which the contract itself
 * does not hold. All of them but the receivers are made from it.
 */
import { asObject, type JsonObject, pointedAt, resolvedObject } from "../../document/json.ts";
import { type PageOperation, pageOperations } from "./operations.ts";
import { curlSample } from "./samples/curl.ts";
import { receiverSamples } from "./samples/receivers.ts";
import { typescriptSample } from "./samples/typescript.ts";

/** The languages of the samples, in the order in which the page offers them. */
export const sampleLanguages = ["TypeScript", "curl"] as const;

/** The name of the header that carries the API key. */
export function keyHeaderOf(contract: JsonObject): string {
  return String(asObject(pointedAt(contract, "#/components/securitySchemes/apiKey")).name);
}

/** @returns a copy; the contract stays as it is */
export function pageDocument(contract: JsonObject): JsonObject {
  const document = structuredClone(contract);
  const keyHeader = keyHeaderOf(contract);
  for (const operation of pageOperations(contract)) {
    const sources = { TypeScript: typescriptSample(contract, operation), curl: curlSample(operation, keyHeader) };
    described(document, operation)["x-codeSamples"] = sampleLanguages.map((lang) => ({ lang, source: sources[lang] }));
  }
  for (const item of Object.values(asObject(document.webhooks))) {
    const post = asObject(asObject(item).post);
    post.description = `${post.description}\n${receivers()}`;
  }
  document.tags = [...(Array.isArray(document.tags) ? document.tags : []), errorsTag(contract)];
  return document;
}

function described(document: JsonObject, { path, method }: PageOperation): JsonObject {
  return asObject(asObject(asObject(document.paths)[path])[method.toLowerCase()]);
}

function receivers(): string {
  return receiverSamples.map(({ title, source }) => `**${title}**\n\n\`\`\`typescript\n${source}\`\`\`\n`).join("\n");
}

/** A section without operations: the fields of every error, an example, and the statuses. */
function errorsTag(contract: JsonObject): JsonObject {
  const shape = asObject(pointedAt(contract, "#/components/schemas/ApiError"));
  const fields = Object.entries(asObject(shape.properties)).map(([name, schema]) => {
    const { type, description } = resolvedObject(contract, schema);
    return `| \`${name}\` | ${type} | ${description} |`;
  });
  const errors = errorExamples(contract);
  const description = `${shape.description} Each operation lists the statuses that it can have.

| field | type | meaning |
|---|---|---|
${fields.join("\n")}

\`\`\`json
${JSON.stringify(errors[0], null, 2)}
\`\`\`

| statusCode | error | such as |
|---|---|---|
${errors.map(({ statusCode, error, message }) => `| ${statusCode} | ${error} | ${message} |`).join("\n")}
`;
  return { name: "Errors", description, "x-traitTag": true };
}

/** The examples of the contract's error responses, by their status. */
function errorExamples(contract: JsonObject): JsonObject[] {
  const examples = Object.values(asObject(asObject(contract.components).examples)).map((one) =>
    asObject(asObject(one).value),
  );
  const errors = examples.filter((value) => typeof value.statusCode === "number" && typeof value.error === "string");
  return errors.sort((one, other) => Number(one.statusCode) - Number(other.statusCode));
}

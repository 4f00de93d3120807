/** What the packages for other languages are made from, and what the guide says of them. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test, vi } from "vitest";
import { asObject, isObject, type Json } from "../../scripts/document/json.ts";
import { languages, publishedAs } from "../../scripts/maintain/clients/build.ts";
import { documentForClients } from "../../scripts/maintain/clients/document.ts";
import { pinned } from "../../scripts/maintain/clients/openapi-generator.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, "utf8");
const packages = "scripts/maintain/clients";
const published = asObject(JSON.parse(read("generated/openapi-3.0.json")) as Json);
const made = documentForClients(published);

/** Every object in a document, without its examples. */
function objectsIn(value: Json | undefined): Record<string, Json | undefined>[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  if (!isObject(value)) return [];
  const members = Object.entries(value).filter(([name]) => name !== "example" && name !== "examples");
  return [value, ...members.flatMap(([, member]) => objectsIn(member))];
}

test("an enumeration is a text that names its values, so that a client reads one that is added", () => {
  const enumerations = objectsIn(published).filter((one) => Array.isArray(one.enum));
  expect(enumerations.length).toBeGreaterThan(10);
  expect(objectsIn(made).filter((one) => Array.isArray(one.enum))).toEqual([]);
  const texts = objectsIn(made).map(({ description }) => String(description));
  for (const { enum: values } of enumerations) {
    const named = (values as string[]).map((value) => `\`${value}\``).join(", ");
    expect(texts.filter((text) => text.includes(named)).length).toBeGreaterThan(0);
  }
});

test("all errors of an operation are its default answer, and nothing else differs", () => {
  const operations = (document: Json | undefined) =>
    Object.values(asObject(asObject(document).paths)).flatMap((item) =>
      Object.values(asObject(item)).filter((one) => isObject(one) && one.operationId !== undefined),
    );
  expect(operations(made).length).toBe(operations(published).length);
  for (const operation of operations(made).map(asObject)) {
    const statuses = Object.keys(asObject(operation.responses));
    expect(statuses, String(operation.operationId)).toEqual([expect.stringMatching(/^2\d\d$/), "default"]);
  }
  const withoutErrors = (document: Json) =>
    operations(document).map((one) => ({ ...asObject(one), responses: undefined, callbacks: undefined }));
  expect(withoutErrors(made)).toEqual(withoutErrors(published));
});

test("each package has one program in its README, and nothing left to fill in", async () => {
  const known = /@(VERSION|REPOSITORY|OWNER|GO_MODULE)@/g;
  for (const language of languages) {
    const folder = `${packages}/${language}`;
    const text = read(`${folder}/README.md`);
    expect(text.match(new RegExp(`^\`\`\`${language}$`, "gm")), language).toHaveLength(1);
    expect(text.split("\n").length).toBeLessThan(100);
    for (const file of readdirSync(`${root}/${folder}`))
      expect(
        read(`${folder}/${file}`)
          .replaceAll(known, "")
          .match(/@[A-Z_]{3,}@/),
        file,
      ).toBeNull();
  }
});

test("the guide's table has the line that installs each package, and the generator's version", async () => {
  vi.stubEnv("GITHUB_REPOSITORY", undefined);
  const { owner, goModule } = await publishedAs();
  vi.unstubAllEnvs();
  const guide = read("docs/clients.md");
  const [, generator] =
    /openapi-generator-cli<\/artifactId>\s*<version>([^<]+)/.exec(readFileSync(pinned, "utf8")) ?? [];
  const table = guide.slice(guide.indexOf("### Packages"), guide.indexOf("### Generate"));
  expect(table).toContain(`openapi-generator ${generator}`);
  const { version: pydantic } =
    /^pydantic==(?<version>\S+)/m.exec(read("test/codegen/generators/python/requirements.txt"))?.groups ?? {};
  const { version: reqwest } =
    /"reqwest"\nversion = "(?<version>[^"]+)/.exec(read(`${packages}/rust/Cargo.lock`))?.groups ?? {};
  const { version: jackson } =
    /databind<\/artifactId>\s*<version>(?<version>[^<]+)/.exec(read(`${packages}/java/pom.xml`))?.groups ?? {};
  for (const line of [
    ...[`pydantic ${pydantic} `, `reqwest ${reqwest} `, `Jackson ${jackson} `],
    `pip install chain-webhooks`,
    `go get ${goModule}`,
    `cargo add chain-webhooks`,
    `io.github.${owner}:chain-webhooks`,
    `dotnet add package ChainWebhooks`,
  ])
    expect(table).toContain(line);
});

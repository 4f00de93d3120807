/** What the run found, as `openapi/GENERATORS.md` tells it. */
import type { Findings } from "./client.ts";
import { documents } from "./generator.ts";

const preface = `# Client generators

Written by \`npm run test:more codegen -- --write\`; without \`--write\` the run fails where this file says something else. Each client was
made from the document by the command given, checked by a compiler or what its language has instead, and taken through one scenario on
the running service: create five webhooks, read one, update it, page through all, be refused with 400, delete it, get a 404, each time
reading the answer or the error through the client. Then it read an example notification, and its headers, with the client's types. Each
project is a folder of \`test/codegen/generators/\` in the repository, with the program that goes through the scenario; versions are pinned
there, or in \`npm/\` and \`python/\` next to it; openapi-generator's is in \`scripts/maintain/clients/\`. openapi-generator makes all its clients
in one \`batch\`, from the options shown.

The documents are \`generated/openapi.json\` (OpenAPI 3.1) and \`generated/openapi-3.0.json\`, which says the same in OpenAPI 3.0. In both,
answers are open to added fields. Both have the headers of a notification as the schema \`AddressActivityHeaders\`, made from the
parameters of the webhook, since most generators make types of schemas only.

- **Checked by**: what holds the client and the program to the language and to each other.
- **Operations**: how many of the contract's the client has.
- **New field**, **new value**: whether the client reads answers that have a field, or a value of an enumeration, added after it was
  made. Within \`/v1\` both can happen. Where it says no, make the client again when the contract has grown.
`;

const afterword = `## The packages

\`npm run build -- clients\` makes packages for PyPI, the Go proxy, crates.io, Maven Central and NuGet. All are made by openapi-generator:

- **Python**: it raises exceptions named by the status, with the error as an \`ApiError\`, and knows the API key. openapi-python-client returns
  errors instead of the answer, and has to be told the key's header.
- **Go**: it needs the standard library only, and returns errors as \`error\`. oapi-codegen's client needs a package of its own, and its
  caller looks for the error in a field for each status.
- **Rust**: texts are \`String\`. progenitor makes a type of each pattern, which the program parses, and fails where an answer has another text.
- **Java**: \`native\` sends with Java's own HTTP client, so Jackson is all that is needed.
- **C#**: \`httpclient\` for .NET Standard 2.0 runs wherever .NET does. The default, \`generichost\`, could not be run here.

They are not made from the published document as it is. There, an enumeration is a text that names its values, so none of the packages
fails on a value that is added. All errors of an operation are its \`default\` answer, so Rust's error is an \`ApiError\` and no \`Status400\`.

## Not run

The run fetches from package registries only: npm, PyPI, crates.io, the Go module proxy, Maven Central and Debian's packages.

- Kiota: it is a .NET program, published on NuGet and GitHub. Its packages on npm, \`@microsoft/kiota\` and
  \`@kiota-community/kiota-gen\`, download it from GitHub; those on PyPI, Maven Central and npm by the names of Kiota's libraries are what
  its clients need to run. None of the registries was found to have the program, or a .NET that it runs on.
- Swift's scenario: Debian 13 has the compiler in its package \`swiftlang\`, Debian 12 has none, and no other registry of the run has one.
- ogen: the Go module proxy refused it when this was set up.
- orval 8.34 to 8.38: they ask for a version of \`@scalar/openapi-validator\` that npm did not have; 8.33.0 is the newest that could be
  installed.
`;

const yes = (is: boolean) => (is ? "yes" : "no");
const titleOf = ({ generator: { name, language } }: Findings) => `${name}, ${language}`;

function row(one: Findings, operationIds: readonly string[]): string {
  const { generator, version, operations, readsOn } = one;
  const cells = [
    generator.name,
    version,
    generator.language,
    generator.document,
    generator.checkedBy,
    readsOn ? "passed" : "not run",
    generator.typesOnly ? "types only" : `${operations.length} of ${operationIds.length}`,
    readsOn ? yes(readsOn.field) : "–",
    readsOn ? yes(readsOn.value) : "–",
  ];
  return `| ${cells.join(" | ")} |`;
}

function section(one: Findings, operationIds: readonly string[]): string {
  const { generator, operations } = one;
  const missing = generator.typesOnly ? [] : operationIds.filter((id) => !operations.includes(id));
  const { payload, headers } = generator.notification;
  const notes = [
    `From \`generated/${documents[generator.document]}\`. The notification's payload is ${payload}, its headers are ${headers}.`,
    ...(missing.length > 0 ? [`It does not have ${missing.join(", ")}.`] : []),
    ...generator.limits.map(({ said }) => said),
  ];
  const list = notes.map((note) => `- ${note}`).join("\n");
  return `### ${titleOf(one)}\n\n    ${generator.commands.generate}\n\n${list}\n`;
}

/** What the file has of each generator: its row and its section. */
export function entriesOf(findings: readonly Findings[], operationIds: readonly string[]): string[] {
  return findings.flatMap((one) => [row(one, operationIds), section(one, operationIds)]);
}

/** The whole file. */
export function documentOf(findings: readonly Findings[], operationIds: readonly string[]): string {
  const head =
    "| Generator | Version | Language | OpenAPI | Checked by | Scenario | Operations | New field | New value |";
  const table = [head, head.replaceAll(/[^|]+/g, " --- "), ...findings.map((one) => row(one, operationIds))].join("\n");
  const sections = findings.map((one) => section(one, operationIds)).join("\n");
  return [preface, table, "\n## How each is made, and what it leaves out\n", sections, afterword].join("\n");
}

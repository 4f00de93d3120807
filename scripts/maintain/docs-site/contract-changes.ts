/** docs/changes.md: what each release changed in the contract, by our own diff of the documents in openapi/releases/. `npm run generate` writes it. */
import { compareContracts } from "../../command/diff/contract.ts";
import { toMarkdown } from "../../command/diff/formats/markdown.ts";
import { asObject, type JsonObject } from "../../document/json.ts";
import type { ReleasedContract } from "../diff/release.ts";
import { type ChangelogSection, changelogSections } from "../release/version.ts";

const introduction = `# What changed in the contract

Each version of the OpenAPI document, the newest first, compared with the one before. Within \`/v1\` there are only additions, so a newer
version breaks nobody who follows [the contract's rules](clients.md#when-the-contract-grows). What changed in the service and the
packages is in their \`CHANGELOG.md\`.

<!-- Written by npm run generate, from openapi/releases/. Do not edit. -->
`;

/** What the page is made of. */
export type ContractHistory = {
  /** The oldest first. */
  released: readonly ReleasedContract[];
  current: JsonObject;
  changelog: string;
};

/** @returns the page */
export function contractChanges({ released, current, changelog }: ContractHistory): string {
  const sections = changelogSections(changelog);
  const dayOf = (version: string) => sections.find((section) => section.version === version)?.date;
  const parts = released.map(({ version, contract }, index) => {
    const before = released[index - 1];
    const day = dayOf(version);
    const name = day === undefined ? version : `${version} (${day})`;
    return before ? changes(before, { name, contract }, day) : firstVersion(name, contract);
  });
  const last = released.at(-1);
  if (last === undefined) parts.push(firstVersion(nameOfFirst(sections), current));
  else if (compareContracts(last.contract, current).length > 0)
    parts.push(changes(last, { name: "not released yet", contract: current }, dayOf(last.version)));
  return `${introduction}\n${parts.reverse().join("\n")}`;
}

const nameOfFirst = ([section]: readonly ChangelogSection[]) =>
  section?.version === undefined ? "Not released yet" : `${section.version} (not released yet)`;

/** @param day on which what was announced to be removed is judged */
function changes(before: ReleasedContract, after: { name: string; contract: JsonObject }, day?: string): string {
  const outcome = {
    old: { name: before.version, version: before.version },
    new: { name: after.name, version: after.name },
    findings: compareContracts(before.contract, after.contract, day),
    ...{ expired: [], unused: [] },
  };
  return `${toMarkdown(outcome, false)}\n`;
}

const methods = ["get", "put", "post", "patch", "delete"];

/** What the first version has. */
function firstVersion(name: string, contract: JsonObject): string {
  const rows = (items: JsonObject, kind: (method: string, path: string) => string) =>
    Object.entries(items).flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = asObject(asObject(item)[method]);
        return operation.operationId === undefined ? [] : [[kind(method, path), String(operation.summary)]];
      }),
    );
  const operations = [
    ...rows(asObject(contract.paths), (method, path) => `\`${method.toUpperCase()} ${path}\``),
    ...rows(asObject(contract.webhooks), (_, webhook) => `\`${webhook}\`, a notification`),
  ];
  const lines = [["operation", "what it does"], ["---", "---"], ...operations].map(
    (cells) => `| ${cells.join(" | ")} |`,
  );
  return `## ${name}\n\nThe first version.\n\n${lines.join("\n")}\n`;
}

/**
 * Which version a release gets, and where a version is written.
 *
 * Two things say it. The first section of CHANGELOG.md says what users must do: a group **Breaking** asks for a major version, nothing but
 * **Fixed** for a patch, anything else for a minor one. The contract's diff says what the documents do, and the greater of the two holds.
 * A diff that breaks somebody is no major version by itself: a person must have written **Breaking**, or it is refused.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Bump, DiffFinding } from "../../command/diff/finding.ts";
import { total } from "../../command/diff/finding.ts";
import { breaksOf, placeInDocument } from "../../command/diff/outcome.ts";
import { grownVersion } from "../diff/version.ts";

/** A reason not to release, in words for whoever runs the command. */
export class ReleaseRefusal extends Error {}

/** What one version brought, or will. */
export type ChangelogSection = {
  /** Absent where the heading leaves it to the rule. */
  version?: string;
  /** The day of the release. Absent as long as it is not released. */
  date?: string;
  /** What follows the heading. */
  text: string;
};

const heading = /^## (?:(\d+\.\d+\.\d+) \((?:(\d{4}-\d\d-\d\d)|not released yet)\)|Not released yet)$/;

/** @param changelog the text of CHANGELOG.md @returns its sections, the newest first @throws for a heading of another form */
export function changelogSections(changelog: string): ChangelogSection[] {
  const [, ...sections] = changelog.split(/^(?=## )/m);
  return sections.map((section, index) => {
    const [title = "", ...lines] = section.split("\n");
    const [isHeading, version, date] = heading.exec(title) ?? [];
    if (isHeading === undefined || (index > 0 && date === undefined))
      throw new ReleaseRefusal(
        `CHANGELOG.md has the heading "${title}". It must be "## VERSION (YYYY-MM-DD)"; the first may be "## Not released yet", or "## VERSION (not released yet)".`,
      );
    return { ...(version && { version }), ...(date && { date }), text: lines.join("\n").trim() };
  });
}

const bumps: readonly Bump[] = ["patch", "minor", "major"];

/**
 * @param section the one that is not released yet
 * @param findings what changed in the contract since the last release
 * @param last its version; undefined before the first release, which is the heading's, or 1.0.0
 * @throws where the changelog is empty, hides what breaks, or names a version that does not follow
 */
export function nextVersion(section: ChangelogSection, findings: readonly DiffFinding[], last?: string): string {
  if (!/^- \S/m.test(section.text))
    throw new ReleaseRefusal("CHANGELOG.md lists no change that is not released yet. Users read there what is new.");
  if (last === undefined) return section.version ?? "1.0.0";
  const [said, rated] = [bumpOfChangelog(section.text), total(findings) ?? "patch"];
  if (rated === "major" && said !== "major") throw new ReleaseRefusal(hiddenBreak(findings, last));
  const bump = bumps[Math.max(bumps.indexOf(said), bumps.indexOf(rated))] ?? said;
  const possible = bumps.slice(bumps.indexOf(bump)).map((each) => grownVersion(last, each));
  const [least = ""] = possible;
  if (section.version !== undefined && !possible.includes(section.version))
    throw new ReleaseRefusal(
      `CHANGELOG.md says ${section.version}. After ${last}, with ${bump} changes, it must say ${possible.join(" or ")}, or "## Not released yet".`,
    );
  return section.version ?? least;
}

function bumpOfChangelog(text: string): Bump {
  const groups = [...text.matchAll(/^\*\*(.+)\*\*$/gm)];
  const names = groups.map(([, name]) => name);
  if (names.includes("Breaking")) return "major";
  const isGrouped = names.length > 0 && !/^- /m.test(text.slice(0, groups[0]?.index));
  return isGrouped && names.every((name) => name === "Fixed") ? "patch" : "minor";
}

function hiddenBreak(findings: readonly DiffFinding[], last: string): string {
  const breaking = findings.filter(({ bump }) => bump === "major");
  const lines = breaking.map((finding) => {
    const who = [breaksOf(finding), finding.why].filter((part) => part !== "").join(" ");
    return `major  ${placeInDocument(finding)}: ${finding.what}\n       ${who}`;
  });
  return `The contract breaks what ${last} promised, and CHANGELOG.md does not say so:

${lines.join("\n")}

Take this back, since within /v1 there are only additions. Or say in CHANGELOG.md, in a group **Breaking**, what users must do.
The version is then ${grownVersion(last, "major")}.`;
}

/** The changelog of the release. @param text with a section that is not released yet */
export const releasedChangelog = (text: string, version: string, date: string): string =>
  text.replace(/^## .*$/m, `## ${version} (${date})`);

/** Each file that holds the version, the places in it, and how many there must be. */
const places: Readonly<Record<string, readonly [pattern: RegExp, count: number]>> = {
  "package.json": [/^( {2}"version": ")[^"]+/gm, 1],
  "package-lock.json": [
    /^(\{\n {2}"name": "[^"]+",\n {2}"version": "| {4}"": \{\n {6}"name": "[^"]+",\n {6}"version": ")[^"]+/gm,
    2,
  ],
  "openapi/openapi.yaml": [/^( {2}version: ).+/gm, 1],
  "openapi/workflows.arazzo.yaml": [/^( {2}version: ).+/gm, 1],
  "deploy/helm/chain-webhooks/Chart.yaml": [/^((?:version|appVersion): ).+/gm, 2],
  "docs/deploy.md": [/(registry\.example\.com\/chain-webhooks:)[\w.-]+/g, 2],
  "examples/stacks/package.json": [/^( {4}"chain-webhooks": ")[^"]+/gm, 1],
};

/** Writes the version wherever it must be. @param folder of the project @throws where a file no longer has its places */
export async function writeVersion(folder: string, version: string): Promise<void> {
  for (const [file, [pattern, count]] of Object.entries(places)) {
    const text = await readFile(join(folder, file), "utf8");
    const found = text.match(pattern)?.length ?? 0;
    if (found !== count) throw new Error(`${file} has ${found} places for the version, and must have ${count}.`);
    await writeFile(
      join(folder, file),
      text.replaceAll(pattern, (_, before: string) => before + version),
    );
  }
}

/** Compares two versions of any OpenAPI document, and says whom each change breaks and why. */
import { readFile } from "node:fs/promises";
import { text as textOfStream } from "node:stream/consumers";
import { asObject } from "../../document/json.ts";
import { CommandError, type CommandOptions, runCommand, UsageError } from "../command-line.ts";
import { accept, readAcceptances } from "../diff/acceptances.ts";
import type { Judging } from "../diff/comparison.ts";
import { compareDocuments } from "../diff/contract.ts";
import { type Document, documentOf } from "../diff/document.ts";
import type { DiffFinding } from "../diff/finding.ts";
import { toGithub } from "../diff/formats/github.ts";
import { toJson } from "../diff/formats/json.ts";
import { toMarkdown } from "../diff/formats/markdown.ts";
import { toText } from "../diff/formats/text.ts";
import { linesOf } from "../diff/lines.ts";
import { type DiffOutcome, type FailOn, fails, type Located } from "../diff/outcome.ts";
import { diffRules } from "../diff/rules.ts";
import { dayOf } from "../diff/sunset.ts";
import { printList } from "../terminal.ts";

const options = {
  format: {
    type: "string",
    default: "text",
    value: "FORMAT",
    oneOf: ["text", "json", "markdown", "github"],
    help: "text, json, markdown (for a changelog) or github (annotations of a pull request).",
  },
  "fail-on": {
    type: "string",
    default: "breaking",
    value: "LEVEL",
    oneOf: ["breaking", "warning", "none"],
    help: "Exit with 1 from this level on: breaking, warning or none.",
  },
  accept: {
    type: "string",
    value: "FILE",
    help: "Accepted findings, a list in YAML or JSON. Each has rule, where (* stands for any text), reason and until (YYYY-MM-DD); what is optional. One that has expired fails; one that covers nothing is reported.",
  },
  implementers: {
    type: "boolean",
    default: false,
    help: "Others implement the document: what breaks their servers is breaking, too.",
  },
  today: {
    type: "string",
    value: "DATE",
    help: "The day on which sunset dates and acceptances are judged, as YYYY-MM-DD. Default: today, in UTC.",
  },
  all: { type: "boolean", default: false, help: "Also list changes of words and of names." },
  rules: { type: "boolean", default: false, help: "List the rules, one sentence each; with --format json as JSON." },
} as const satisfies CommandOptions;

/** What `diff` takes. */
export const command = {
  intro: `Compare two versions of any OpenAPI 3.0 or 3.1 document. Says of each change whom it breaks and why: clients, generated
clients, receivers of webhooks and callbacks, or servers that implement the document.

Usage:
  chain-webhooks-tools diff OLD NEW [options]
  chain-webhooks-tools diff --rules

OLD and NEW are files in YAML or JSON; one of them may be - for standard input. Relative references to other files are followed.`,
  options,
  notes: `A removal breaks nobody if the thing was deprecated and its sunset date has passed: x-sunset (YYYY-MM-DD) next to deprecated, or
the value of a documented Sunset header of the operation.

Exit codes: 0 when nothing reaches the level, 1 when something does, 2 for a wrong argument or a document that cannot be read.`,
};

const formats = { text: toText, json: toJson, markdown: toMarkdown, github: toGithub } as const;

/** Runs `diff`. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand(command, args, async ({ values, positionals }) => {
    if (values.rules) {
      const rows = Object.entries(diffRules).map(([rule, sentence]) => ({ rule, sentence }));
      printList({ rows }, values.format === "json");
      return 0;
    }
    const format = oneOf("format", values.format, Object.keys(formats) as (keyof typeof formats)[]);
    const failOn = oneOf<FailOn>("fail-on", values["fail-on"], ["breaking", "warning", "none"]);
    const today = values.today ?? new Date().toISOString().slice(0, 10);
    if (dayOf(today) !== today) throw new UsageError("--today must be a day as YYYY-MM-DD.");
    const names = twoNames(positionals);
    try {
      const outcome = await compare(names, { today, implementers: values.implementers }, values.accept);
      console.log(formats[format](outcome, values.all));
      return fails(outcome, failOn) ? 1 : 0;
    } catch (error) {
      // 1 would look like a change that breaks.
      if (!(error instanceof CommandError)) throw error;
      console.error(error.message);
      return 2;
    }
  });
}

async function compare([old, now]: [string, string], judging: Judging, accepting?: string): Promise<DiffOutcome> {
  const [before, after] = [await documentOf(old, await read(old)), await documentOf(now, await read(now))];
  const acceptances = accepting === undefined ? [] : await readAcceptances(accepting, await read(accepting));
  const accepted = accept(compareDocuments(before, after, judging), acceptances, judging.today);
  return {
    old: { name: before.name, version: versionOf(before) },
    new: { name: after.name, version: versionOf(after) },
    ...accepted,
    findings: await located(accepted.findings, before, after),
  };
}

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (found === undefined)
    throw new UsageError(`--${name} must be ${allowed.slice(0, -1).join(", ")} or ${allowed.at(-1)}.`);
  return found;
}

function twoNames([before, after, ...more]: readonly string[]): [string, string] {
  if (before === undefined || after === undefined)
    throw new UsageError("OLD and NEW must be set: the two documents to compare.");
  if (more.length > 0) throw new UsageError("There must be two documents only, OLD and NEW.");
  if (before === "-" && after === "-") throw new UsageError("Only one of OLD and NEW can be -.");
  return [before, after];
}

async function read(name: string): Promise<string> {
  if (name === "-") return textOfStream(process.stdin);
  return readFile(name, "utf8").catch((error: unknown) => {
    const { code } = error as { code?: string };
    const reason =
      code === "ENOENT" ? "there is no such file" : code === "EISDIR" ? "it is a folder" : String(code ?? error);
    throw new CommandError(`${name} cannot be read: ${reason}.`);
  });
}

const versionOf = ({ root }: Document): string => String(asObject(root.info).version ?? "no version");

async function located(findings: readonly DiffFinding[], before: Document, after: Document): Promise<Located[]> {
  const nodes = (side: "old" | "new") =>
    new Set(findings.flatMap(({ spot }) => (spot?.side === side ? [spot.node] : [])));
  const lines = new Map([...(await linesOf(before, nodes("old"))), ...(await linesOf(after, nodes("new")))]);
  return findings.map((finding) => {
    const line = finding.spot && lines.get(finding.spot.node);
    return line ? { ...finding, line } : finding;
  });
}

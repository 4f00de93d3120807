/** Holds any implementation of the API, in whatever language, against the contract. */
import { randomInt } from "node:crypto";
import { access, constants, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { waitForSignal } from "../../../server/base/shutdown-signal.ts";
import {
  CommandError,
  type CommandOptions,
  httpUrlOption,
  runCommand,
  UsageError,
  wholeNumberOption,
} from "../command-line.ts";
import type { Cases } from "../conformance/cases/generate.ts";
import { NotExaminable } from "../conformance/not-examinable.ts";
import { toBadge } from "../conformance/report/badge.ts";
import { toHtml } from "../conformance/report/html.ts";
import { toJUnit } from "../conformance/report/junit.ts";
import { reportJson } from "../conformance/report/outcome.ts";
import { reportText } from "../conformance/report/table.ts";
import { rules } from "../conformance/rules.ts";
import { examineServer, type Options } from "../conformance/run.ts";
import { createProgress, printList } from "../terminal.ts";

const options = {
  key: {
    type: "string",
    value: "KEY",
    help: "An API key with the scopes read and write. Default: the variable CONFORMANCE_KEY.",
  },
  "read-key": {
    type: "string",
    value: "KEY",
    help: "A key of the same account without the scope write, to test the 403s of writes.",
  },
  "write-key": {
    type: "string",
    value: "KEY",
    help: "A key of the same account without the scope read, to test the 403s of reads.",
  },
  "other-key": {
    type: "string",
    value: "KEY",
    help: "A key of another account, with both scopes, to test that nothing of it can be seen or changed.",
  },
  "chain-id": { type: "string", value: "ID", help: "The chain to use. Default: one that listChains returns." },
  address: {
    type: "string",
    value: "ADDRESS",
    help: "One that takes part in the chain's newest 100 blocks, so that a replay of them makes notifications.",
  },
  "rpc-url": {
    type: "string",
    value: "URL",
    help: "A node of the chain, to compare notifications with what it returns.",
  },
  listen: {
    type: "string",
    default: "127.0.0.1:0",
    value: "HOST:PORT",
    help: "Where to receive notifications. Default: 127.0.0.1, any free port.",
  },
  "callback-url": { type: "string", value: "URL", help: "The URL of that receiver for servers on other machines." },
  "no-callback": { type: "boolean", default: false, help: "Skip notifications. The report says so." },
  "delivery-timeout": {
    type: "string",
    value: "SECONDS",
    help: "How long the server waits for an endpoint, if slowly reached. Default: as BASE_URL/openapi.json says, else 10.",
  },
  cases: {
    type: "string",
    value: "N",
    help: "Also try N generated requests and sequences: bounds of every constraint, and states that must agree. Needs fast-check.",
  },
  seed: {
    type: "string",
    value: "S",
    help: "Which cases: the same ones for the same number. Default: a random one, which the report has.",
  },
  junit: { type: "string", value: "FILE", help: "Also write the report as JUnit XML." },
  html: { type: "string", value: "FILE", help: "Also write the report as a page: one file, which needs nothing else." },
  badge: { type: "string", value: "FILE", help: "Also write the result as an SVG badge." },
  json: { type: "boolean", default: false, help: "Print the report, or with --rules the list, as JSON." },
  rules: { type: "boolean", default: false, help: "List the rules, one sentence each." },
} as const satisfies CommandOptions;

/** What `conformance` takes. */
export const command = {
  intro: `Test a server against the contract. It runs the contract's workflows, provokes every error that a client can cause, validates
every answer, and receives notifications. It deletes the webhooks that it creates.

Usage:
  chain-webhooks-tools conformance BASE_URL --key KEY [options]
  chain-webhooks-tools conformance --rules`,
  options,
  notes: `Exit codes: 0 when the server passed, 1 when it failed, 2 for a wrong argument, a server that does not respond, or a key that cannot
create webhooks, 3 when Redocly CLI, or for --cases fast-check, is not installed, 130 after Ctrl-C.`,
};

/** The forms of the report that go into a file, by the option that names it. */
const files = { junit: toJUnit, html: toHtml, badge: toBadge } as const;

/** Runs `conformance`. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand(command, args, async ({ values, positionals }) => {
    if (values.rules) {
      printList({ rows: Object.entries(rules).map(([rule, sentence]) => ({ rule, sentence })) }, values.json);
      return 0;
    }
    for (const name of Object.keys(files)) await mustBeWritable(name, values[name as keyof typeof files]);
    // The first signal ends the run, which then cleans up; a second one ends the process.
    const shutdown = waitForSignal();
    const ended = new AbortController();
    void shutdown.received.then(() => ended.abort());
    const progress = createProgress("checks");
    try {
      const wanted = { ...read(values, positionals), signal: ended.signal, onProgress: progress.update };
      const examined = await examineServer(wanted).finally(progress.clear);
      console.log(values.json ? JSON.stringify(reportJson(examined), null, 2) : reportText(examined));
      for (const [name, form] of Object.entries(files)) {
        const file = values[name as keyof typeof files];
        if (file !== undefined) await write(name, file, form(examined));
      }
      return examined.findings.length === 0 ? 0 : 1;
    } catch (error) {
      if (ended.signal.aborted) return 130;
      if (!(error instanceof NotExaminable)) throw error;
      console.error(error.message);
      return 2;
    } finally {
      shutdown.ignore();
    }
  });
}

type Values = { [Name in keyof typeof options]?: string | boolean | undefined };

function read(values: Values, [baseUrl, ...more]: readonly string[]): Omit<Options, "signal" | "onProgress"> {
  if (baseUrl === undefined) throw new UsageError("BASE_URL must be set: the address of the server to examine.");
  if (more.length > 0) throw new UsageError("There must be one BASE_URL only.");
  const text = (name: keyof Values) => (typeof values[name] === "string" ? values[name] : undefined);
  const apiKey = text("key") ?? process.env.CONFORMANCE_KEY;
  if (apiKey === undefined || apiKey === "") throw new UsageError("There must be --key KEY.");
  const address = text("address");
  if (address !== undefined && !/^0x[0-9a-fA-F]{40}$/.test(address))
    throw new UsageError("--address must be 0x and 40 hex digits.");
  const chainId = text("chain-id");
  if (chainId !== undefined && !/^[1-9]\d{0,18}$/.test(chainId))
    throw new UsageError("--chain-id must be decimal digits.");
  const url = text("callback-url");
  const rpcUrl = text("rpc-url");
  const callback = { ...place(text("listen") ?? ""), url: url && httpUrlOption("callback-url", url).href };
  return {
    baseUrl: baseOf(baseUrl),
    apiKey,
    readKey: text("read-key"),
    writeKey: text("write-key"),
    otherKey: text("other-key"),
    chainId,
    nodeUrl: rpcUrl && httpUrlOption("rpc-url", rpcUrl).href,
    address,
    callback: values["no-callback"] ? undefined : callback,
    deliveryTimeoutMs: timeoutOf(text("delivery-timeout")),
    cases: casesOf(text("cases"), text("seed")),
  };
}

function timeoutOf(seconds: string | undefined): number | undefined {
  return seconds === undefined
    ? undefined
    : wholeNumberOption("delivery-timeout", seconds, { from: 1, to: 3_600 }) * 1_000;
}

function casesOf(count: string | undefined, seed: string | undefined): Cases | undefined {
  if (count === undefined && seed !== undefined) throw new UsageError("--seed must come with --cases N.");
  if (count === undefined) return undefined;
  return {
    count: wholeNumberOption("cases", count, { from: 1, to: 1_000_000 }),
    seed: seed === undefined ? randomInt(1_000_000_000) : wholeNumberOption("seed", seed, { from: 0, to: 999_999_999 }),
  };
}

function baseOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new UsageError("BASE_URL must be an http or https URL.");
  if (url.search || url.hash) throw new UsageError("BASE_URL must have no query and no fragment.");
  // They would not be sent, and every report shows the URL.
  if (url.username || url.password) throw new UsageError("BASE_URL must have no user name and no password.");
  return url;
}

function place(text: string): { host: string; port: number } {
  const [, host, port] = /^(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(text)?.filter((part) => part !== undefined) ?? [];
  if (host === undefined || port === undefined) throw new UsageError("--listen must be HOST:PORT.");
  return { host, port: wholeNumberOption("listen", port, { from: 0, to: 65_535 }) };
}

/** Before a run that takes a minute or more, instead of after it. @throws UsageError */
async function mustBeWritable(option: string, file: string | undefined): Promise<void> {
  if (file === undefined) return;
  const there = await stat(file).catch(() => undefined);
  if (there?.isDirectory()) throw new UsageError(`--${option} must be a file; ${file} is a folder.`);
  await access(there ? file : dirname(file), constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--${option} must be a file that can be written; ${file} cannot (${error.code}).`);
  });
}

async function write(option: string, file: string, text: string): Promise<void> {
  await writeFile(file, text).catch((error: unknown) => {
    throw new CommandError(`--${option}: ${error instanceof Error ? error.message : error}`);
  });
}

/** Holds any implementation of the API, in whatever language, against the contract. */
import { writeFile } from "node:fs/promises";
import { waitToBeTold } from "../../../server/shutdown-signal.ts";
import { CommandError, httpUrl, runCommand, UsageError, wholeNumber } from "../command-line.ts";
import { NotExaminable } from "../conformance/not-examinable.ts";
import { toJUnit } from "../conformance/report/junit.ts";
import { toJson } from "../conformance/report/outcome.ts";
import { toText } from "../conformance/report/table.ts";
import { rules } from "../conformance/rules.ts";
import { examineServer, type Options } from "../conformance/run.ts";

const help = `Holds a server against the contract: runs its workflows, causes every error that can be caused from outside, validates
every answer, and receives notifications. It creates webhooks and deletes them again.

Usage:
  chain-webhooks conformance BASE_URL --key KEY [options]
  chain-webhooks conformance --rules

Options:
  --key KEY            an API key with the scopes read and write; or in the environment variable CONFORMANCE_KEY
  --read-key KEY       one of the same account without the scope write, for the 403s of what writes
  --write-key KEY      one of the same account without the scope read, for the 403s of what reads
  --chain-id ID        the chain to use; one that listChains tells of unless given
  --address ADDRESS    one that takes part in the chain's newest 100 blocks: a replay of them then makes notifications
  --listen HOST:PORT   where notifications are received; 127.0.0.1 and any free port unless given
  --callback-url URL   by which URL the server reaches that, for servers elsewhere
  --no-callback        leaves notifications out, which the report tells
  --junit FILE         writes the report as JUnit XML, too
  --json               prints the report as JSON
  --rules              lists the rules, each in a sentence
  -h, --help           shows this

The exit code is 0 when the server passed, 1 when it failed, 2 when the command cannot be understood or the server not be
reached, 3 when Redocly CLI is not installed, 130 at Ctrl-C.`;

const options = {
  key: { type: "string" },
  "read-key": { type: "string" },
  "write-key": { type: "string" },
  "chain-id": { type: "string" },
  address: { type: "string" },
  listen: { type: "string", default: "127.0.0.1:0" },
  "callback-url": { type: "string" },
  "no-callback": { type: "boolean", default: false },
  junit: { type: "string" },
  json: { type: "boolean", default: false },
  rules: { type: "boolean", default: false },
} as const;

/** Runs `conformance`. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand({ help, options }, args, async ({ values, positionals }) => {
    if (values.rules) {
      const width = Math.max(...Object.keys(rules).map((name) => name.length));
      for (const [name, sentence] of Object.entries(rules)) console.log(`${name.padEnd(width)}  ${sentence}`);
      return 0;
    }
    // The first signal ends the run, which then cleans up; a second one ends the process.
    const told = waitToBeTold();
    const ended = new AbortController();
    void told.why.then(() => ended.abort());
    try {
      const examined = await examineServer({ ...read(values, positionals), signal: ended.signal });
      console.log(values.json ? JSON.stringify(toJson(examined), null, 2) : toText(examined));
      if (values.junit !== undefined) await write(values.junit, toJUnit(examined));
      return examined.findings.length === 0 ? 0 : 1;
    } catch (error) {
      if (ended.signal.aborted) return 130;
      if (!(error instanceof NotExaminable)) throw error;
      console.error(error.message);
      return 2;
    } finally {
      told.forget();
    }
  });
}

type Values = { [Name in keyof typeof options]?: string | boolean | undefined };

function read(values: Values, [baseUrl, ...more]: readonly string[]): Omit<Options, "signal"> {
  if (baseUrl === undefined) throw new UsageError("There must be BASE_URL, where the server is.");
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
  const callback = { ...place(text("listen") ?? ""), url: url && httpUrl("callback-url", url).href };
  return {
    baseUrl: baseOf(baseUrl),
    apiKey,
    readKey: text("read-key"),
    writeKey: text("write-key"),
    chainId,
    address,
    callback: values["no-callback"] ? undefined : callback,
  };
}

function baseOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new UsageError("BASE_URL must be an http or https URL.");
  if (url.search || url.hash) throw new UsageError("BASE_URL must have no query and no fragment.");
  return url;
}

function place(text: string): { host: string; port: number } {
  const [, host, port] = /^(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(text)?.filter((part) => part !== undefined) ?? [];
  if (host === undefined || port === undefined) throw new UsageError("--listen must be HOST:PORT.");
  return { host, port: wholeNumber("listen", port, { from: 0, to: 65_535 }) };
}

async function write(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch((error: unknown) => {
    throw new CommandError(`--junit: ${error instanceof Error ? error.message : error}`);
  });
}

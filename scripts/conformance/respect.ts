/** Runs the workflows of openapi/workflows.arazzo.yaml with Redocly's `respect`, and reads what came of each step. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { asArray, asObject, type Json, type JsonObject } from "../document/json.ts";
import { examine } from "./examine.ts";
import type { Exchange, Recorder } from "./exchange.ts";
import { type Finding, finding } from "./findings.ts";
import { startProxy } from "./proxy.ts";
import { isRule, type Rule } from "./rules.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const workflows = "openapi/workflows.arazzo.yaml";

/** What the workflows are given. */
export type WorkflowInputs = {
  apiKey: string;
  readKey: string | undefined;
  writeKey: string | undefined;
  url: string;
  chainId: string;
  address: string;
  followedBlock: string | undefined;
  idempotencyKey: string;
};

/**
 * Runs every workflow that the inputs are enough for.
 *
 * @throws when `respect` itself cannot be run
 */
export async function runWorkflows(
  recorder: Recorder,
  inputs: WorkflowInputs,
  signal: AbortSignal,
): Promise<Finding[]> {
  const from = recorder.exchanges.length;
  const proxy = await startProxy(recorder, "workflows");
  try {
    const steps = await respect(proxy.url, inputs, signal);
    const exchanges = recorder.exchanges.slice(from);
    return steps.flatMap((step) => findingsOf(step, step.response === undefined ? undefined : exchanges.shift()));
  } finally {
    await proxy.close();
  }
}

async function respect(url: string, inputs: WorkflowInputs, signal: AbortSignal): Promise<JsonObject[]> {
  const folder = await mkdtemp(join(tmpdir(), "chain-webhooks-conformance-"));
  try {
    const output = join(folder, "respect.json");
    const said = await run(
      ["--json-output", output, "--server", `webhooks=${url}`, ...skipped(inputs)],
      inputs,
      signal,
    );
    const text = await readFile(output, "utf8").catch(() => {
      throw new Error(`The workflows could not be run.\n${said}`);
    });
    const files = Object.values(asObject(asObject(JSON.parse(text) as Json).files));
    return files
      .flatMap((file) => asArray(asObject(file).executedWorkflows))
      .flatMap((workflow) => asArray(asObject(workflow).executedSteps))
      .map(asObject);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function skipped({ readKey, writeKey, followedBlock }: WorkflowInputs): string[] {
  const names: string[] = [];
  if (readKey === undefined) names.push("with-a-read-key");
  if (writeKey === undefined) names.push("with-a-write-key");
  if (followedBlock === undefined) names.push("replays");
  return names.flatMap((name) => ["--skip", name]);
}

/** Runs the command line tool to its end, whatever its exit code. @returns what it printed */
async function run(args: string[], inputs: WorkflowInputs, signal: AbortSignal): Promise<string> {
  const bin = join(dirname(createRequire(import.meta.url).resolve("@redocly/cli/package.json")), "bin/cli.js");
  const child = spawn(process.execPath, [bin, "respect", workflows, ...args], {
    cwd: root,
    // A process group of its own: at Ctrl-C it is we who end it, and then clean up.
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      NO_COLOR: "1",
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      // Not as arguments, which other users of the machine can read.
      REDOCLY_CLI_RESPECT_INPUT: JSON.stringify(inputs),
    },
  });
  const end = () => void child.kill("SIGKILL");
  signal.addEventListener("abort", end);
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      said += chunk;
    });
  try {
    await once(child, "close");
    signal.throwIfAborted();
    return said;
  } finally {
    signal.removeEventListener("abort", end);
  }
}

function findingsOf(step: JsonObject, exchange: Exchange | undefined): Finding[] {
  const by = `workflow ${step.workflowId}, step ${step.stepId}`;
  if (exchange) exchange.by = by;
  const failed = asArray(step.checks)
    .map(asObject)
    .filter((check) => check.passed === false);
  const criteria = failed.filter((check) => check.name === "success criteria check");
  const ofStatus = criteria.find((check) => String(check.condition).startsWith("$statusCode"));
  if (exchange && ofStatus) {
    // What else fails in this step follows from the status.
    const status = Number(String(ofStatus.condition).replace(/\D/g, ""));
    return [finding(exchange, ruleOf(ofStatus), `${status}`, { status })];
  }
  if (exchange && criteria.length > 0)
    return criteria.map((check) => finding(exchange, ruleOf(check), String(check.condition)));
  return failed.flatMap((check) => beside(check, step, by, exchange));
}

/** Faults that `respect` finds by itself. Those of an answer's shape are ours to tell of, unless we have missed one. */
function beside(check: JsonObject, step: JsonObject, by: string, exchange: Exchange | undefined): Finding[] {
  const message = String(check.message).replaceAll(/\s+/g, " ").slice(0, 400);
  if (exchange) return examine(exchange).length > 0 ? [] : [finding(exchange, "response-schema", message)];
  const rule: Rule = check.name === "failed network request" ? "answers" : "workflow-goes-on";
  const request = `${String(asObject(step.request).method ?? "").toUpperCase()} ${asObject(step.request).url ?? ""}`;
  return [{ rule, subject: "otherPaths", status: 0, by, request, expected: "an answer", came: message }];
}

/** The rule is told in the criterion itself, by its `x-rule`. */
function ruleOf({ message }: JsonObject): Rule {
  const name = /"x-rule":"([a-z0-9-]+)"/.exec(String(message))?.[1];
  return isRule(name) ? name : "status-expected";
}

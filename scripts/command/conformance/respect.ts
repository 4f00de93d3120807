/** Runs the workflows, which are written in openapi/workflows.arazzo.yaml, with Redocly's `respect`, and reads what came of them. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { requirePeer } from "../../../server/optional-peers.ts";
import { asArray, asObject, type Json, type JsonObject } from "../../document/json.ts";
import { examine } from "./examine.ts";
import type { Exchange, Recorder } from "./exchange.ts";
import { type Finding, finding } from "./findings.ts";
import { startProxy } from "./proxy.ts";
import { isRule, type Rule } from "./rules.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
// Masked, every text that equals a key would be unreadable, names of steps too. The file is gone in a moment.
const options = ["--no-secrets-masking"];
const workflows = "generated/workflows.arazzo.json";

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
  const proxy = await startProxy(recorder, "workflows");
  try {
    const steps = await respect(proxy.url, inputs, signal);
    const described = asObject(JSON.parse(await readFile(join(root, workflows), "utf8")) as Json);
    return steps.flatMap((step) => {
      // It is 0 where no answer came.
      const status = Number(asObject(step.response).statusCode ?? 0);
      const exchange = status > 0 ? proxy.passed.shift() : undefined;
      if ((exchange?.status ?? 0) !== status) throw new Error(`${step.workflowId}, ${step.stepId}: not on record.`);
      return findingsOf(step, rulesOf(described, step), exchange);
    });
  } finally {
    await proxy.close();
  }
}

async function respect(url: string, inputs: WorkflowInputs, signal: AbortSignal): Promise<JsonObject[]> {
  const folder = await mkdtemp(join(tmpdir(), "chain-webhooks-conformance-"));
  try {
    const output = join(folder, "respect.json");
    const said = await run(
      ["--json-output", output, "--server", `webhooks=${url}`, ...options, ...skipped(inputs)],
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

/** Redocly's command line tool. @throws {ServiceError} `package_missing` */
export function redocly(): string {
  const found = requirePeer("@redocly/cli", "The workflows need Redocly CLI");
  return join(dirname(found.resolve("@redocly/cli/package.json")), "bin/cli.js");
}

/** Runs the command line tool to its end, whatever its exit code. @returns what it printed */
async function run(args: string[], inputs: WorkflowInputs, signal: AbortSignal): Promise<string> {
  const child = spawn(process.execPath, [redocly(), "respect", workflows, ...args], {
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

/** The rules that the criteria of a step check, which name them as `x-rule`. */
function rulesOf(described: JsonObject, { workflowId, stepId }: JsonObject): Rule[] {
  const workflow = asArray(described.workflows)
    .map(asObject)
    .find((one) => one.workflowId === workflowId);
  const step = asArray(workflow?.steps)
    .map(asObject)
    .find((one) => one.stepId === stepId);
  if (!step) throw new Error(`${workflows} has no step ${stepId} in ${workflowId}.`);
  return asArray(step.successCriteria).map((criterion) => {
    const name = String(asObject(criterion)["x-rule"]);
    if (!isRule(name)) throw new Error(`${workflows}: ${workflowId}, ${stepId}: ${name} is no rule.`);
    return name;
  });
}

function findingsOf(step: JsonObject, rules: readonly Rule[], exchange: Exchange | undefined): Finding[] {
  const by = `workflow ${step.workflowId}, step ${step.stepId}`;
  if (exchange) exchange.by = by;
  const checks = asArray(step.checks).map(asObject);
  // They come in the order of the criteria.
  const criteria = checks
    .filter((check) => check.name === "success criteria check")
    .map((check, index) => ({ passed: check.passed, condition: String(check.condition), rule: rules[index] }))
    .filter((check) => check.passed === false);
  if (exchange === undefined || criteria.length === 0)
    return checks.filter(({ passed }) => passed === false).flatMap((check) => ownFaults(check, step, by, exchange));
  const ofStatus = criteria.find(({ condition }) => condition.startsWith("$statusCode"));
  // What else fails in a step follows from a wrong status.
  return (ofStatus ? [ofStatus] : criteria).map(({ condition, rule = "status-expected" }) => {
    const status = condition.startsWith("$statusCode") ? Number(condition.replace(/\D/g, "")) : undefined;
    return finding(exchange, rule, status === undefined ? condition : `${status}`, { status });
  });
}

/** Faults that `respect` finds by itself. We report those of an answer's shape ourselves, unless we missed one. */
function ownFaults(check: JsonObject, step: JsonObject, by: string, exchange: Exchange | undefined): Finding[] {
  const message = String(check.message).replaceAll(/\s+/g, " ").slice(0, 400);
  if (exchange) return examine(exchange).length > 0 ? [] : [finding(exchange, "response-schema", message)];
  const rule: Rule = check.name === "failed network request" ? "answers" : "workflow-goes-on";
  const request = `${String(asObject(step.request).method ?? "").toUpperCase()} ${asObject(step.request).url ?? ""}`;
  return [{ rule, subject: "otherPaths", status: 0, by, request, expected: "an answer", came: message }];
}

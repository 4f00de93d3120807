/** Runs the workflows, which are written in openapi/workflows.arazzo.yaml, with Redocly's `respect`, and reads what came of them. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { asArray, asObject, type Json, type JsonObject } from "../../document/json.ts";
import { examine } from "./examine.ts";
import type { ExchangeRecorder, RecordedExchange } from "./exchange.ts";
import { type Finding, finding } from "./findings.ts";
import { startProxy } from "./proxy.ts";
import { runRespect } from "./redocly.ts";
import { isRule, type Rule } from "./rules.ts";
import { allSettledOf } from "./together.ts";
import { withoutLoops } from "./without-loops.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const workflows = "generated/workflows.arazzo.json";
// A process takes a second of processor time, so a fast server gets one. They save most of the wait for a slow one.
const mostProcesses = Math.min(4, availableParallelism());

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
  recorder: ExchangeRecorder,
  inputs: WorkflowInputs,
  signal: AbortSignal,
): Promise<Finding[]> {
  const described = asObject(JSON.parse(await readFile(join(root, workflows), "utf8")) as Json);
  const groups = divided(described, inputs, recorder.patience.isSlow() ? mostProcesses : 1);
  const found = await allSettledOf(groups.map((names) => () => runSome(recorder, described, names, inputs, signal)));
  return found.flat();
}

async function runSome(
  recorder: ExchangeRecorder,
  described: JsonObject,
  names: readonly string[],
  inputs: WorkflowInputs,
  signal: AbortSignal,
): Promise<Finding[]> {
  const proxy = await startProxy(recorder, "workflows");
  try {
    const steps = await respect(proxy.url, names, inputs, signal);
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

/** The names of the workflows to run, in groups with about the same number of steps. */
function divided(described: JsonObject, inputs: WorkflowInputs, groups: number): string[][] {
  const skipped = withoutInputs(inputs);
  const all = asArray(described.workflows).map(asObject);
  const wanted = all.filter(({ workflowId }) => !skipped.includes(String(workflowId)));
  const stepsOf = (workflow: JsonObject) => asArray(workflow.steps).length;
  const divided = Array.from({ length: groups }, () => ({ names: [] as string[], steps: 0 }));
  for (const workflow of wanted.toSorted((a, b) => stepsOf(b) - stepsOf(a))) {
    const [shortest] = divided.toSorted((a, b) => a.steps - b.steps);
    shortest?.names.push(String(workflow.workflowId));
    if (shortest) shortest.steps += stepsOf(workflow);
  }
  // Within a group they run in the order of the file.
  const inOrder = (names: readonly string[]) =>
    all.map(({ workflowId }) => String(workflowId)).filter((name) => names.includes(name));
  return divided.map(({ names }) => inOrder(names)).filter((names) => names.length > 0);
}

/** Writes the workflows, and beside them the document that they are about. @returns the path of the workflows */
async function writeSources(folder: string): Promise<string> {
  const [from, to] = [join(root, workflows), join(folder, basename(workflows))];
  const closed = JSON.parse(await readFile(join(dirname(from), "openapi-closed.json"), "utf8")) as JsonObject;
  await writeFile(join(folder, "openapi-closed.json"), JSON.stringify(withoutLoops(closed)));
  const described = JSON.parse(await readFile(from, "utf8")) as JsonObject;
  const sources = asArray(described.sourceDescriptions).map((one) => ({
    ...asObject(one),
    url: "openapi-closed.json",
  }));
  await writeFile(to, JSON.stringify({ ...described, sourceDescriptions: sources }));
  return to;
}

async function respect(
  url: string,
  names: readonly string[],
  inputs: WorkflowInputs,
  signal: AbortSignal,
): Promise<JsonObject[]> {
  const folder = await mkdtemp(join(tmpdir(), "chain-webhooks-conformance-"));
  try {
    const output = join(folder, "respect.json");
    const chosen = names.flatMap((name) => ["--workflow", name]);
    const file = await writeSources(folder);
    const args = [file, "--json-output", output, "--server", `webhooks=${url}`, ...chosen];
    const said = await runRespect(args, inputs, { cwd: root, signal });
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

function withoutInputs({ readKey, writeKey, followedBlock }: WorkflowInputs): string[] {
  const names: string[] = [];
  if (readKey === undefined) names.push("with-a-read-key");
  if (writeKey === undefined) names.push("with-a-write-key");
  if (followedBlock === undefined) names.push("replays", "previews");
  return names;
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

function findingsOf(step: JsonObject, rules: readonly Rule[], exchange: RecordedExchange | undefined): Finding[] {
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
function ownFaults(check: JsonObject, step: JsonObject, by: string, exchange: RecordedExchange | undefined): Finding[] {
  const message = String(check.message).replaceAll(/\s+/g, " ").slice(0, 400);
  if (exchange) return examine(exchange).length > 0 ? [] : [finding(exchange, "response-schema", message)];
  const rule: Rule = check.name === "failed network request" ? "answers" : "workflow-goes-on";
  const request = `${String(asObject(step.request).method ?? "").toUpperCase()} ${asObject(step.request).url ?? ""}`;
  return [{ rule, subject: "otherPaths", status: 0, by, request, expected: "an answer", came: message }];
}

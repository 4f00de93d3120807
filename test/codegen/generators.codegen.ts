/** The current client generators make working clients of the contract, and `openapi/GENERATORS.md` tells what they make. */
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadContract } from "../../server/contract/contract.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { startWorld, type World } from "../support/service.ts";
import { generators } from "./generators/index.ts";
import { type Findings, tryGenerator } from "./harness/client.ts";
import { processorSeconds } from "./harness/run.ts";
import { documentOf, entriesOf } from "./harness/table.ts";
import { makeWorkshop, type Workshop } from "./harness/workshop.ts";

const file = new URL("../../openapi/GENERATORS.md", import.meta.url);
const only = process.env.CODEGEN_ONLY?.split(",").filter((name) => name !== "") ?? [];
const chosen = generators.filter(({ id }) => only.length === 0 || only.includes(id));
const operationIds = await allOperationIds();
const found: Findings[] = [];
let world: World;
let workshop: Workshop;

beforeAll(async () => {
  [world, workshop] = await Promise.all([startWorld(), makeWorkshop(chosen)]);
});

afterAll(async () => {
  const spent = [...processorSeconds()].sort(([, one], [, other]) => other - one);
  const sum = spent.reduce((seconds, [, more]) => seconds + more, 0);
  const rows = [...spent, ["in all", sum] as const].map(([of, seconds]) => `${seconds.toFixed(1).padStart(7)}  ${of}`);
  console.info(`Seconds of processor time:\n${rows.join("\n")}`);
  await workshop?.close();
  await world?.stop();
});

async function allOperationIds(): Promise<string[]> {
  const { paths = {} } = await loadContract();
  return Object.values(paths as Record<string, Record<string, { operationId?: string }>>).flatMap((item) =>
    Object.values(item).flatMap(({ operationId }) => (operationId ? [operationId] : [])),
  );
}

async function newKey(account: string): Promise<string> {
  return (await createKey(world.service.database.pool, { account, scopes: ["read", "write"] })).key;
}

// The last of the table first: Rust takes longest.
for (const generator of chosen.toReversed())
  test.concurrent(`${generator.id} makes a client that goes through the scenario`, async () => {
    const target = { url: world.service.url ?? "", newKey };
    found.push(await tryGenerator(generator, { workshop, target, operationIds }));
  });

test("openapi/GENERATORS.md lists the results", () => {
  expect(found, "A generator failed.").toHaveLength(chosen.length);
  const findings = chosen.flatMap(({ id }) => found.filter(({ generator }) => generator.id === id));
  if (process.env.CODEGEN_WRITE) writeFileSync(file, documentOf(findings, operationIds));
  const written = readFileSync(file, "utf8");
  if (only.length === 0) expect(written).toBe(documentOf(findings, operationIds));
  expect(entriesOf(findings, operationIds).filter((entry) => !written.includes(entry))).toEqual([]);
});

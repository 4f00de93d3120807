/**
 * Starts one throw-away PostgreSQL server for the whole test run, with the migrated database that tests copy, and compiles the programs
 * that they start. With TEST_POSTGRES=system it is the server that the system's packages have, with their configuration.
 */
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { startTemporaryPostgres } from "../../scripts/local/postgres.ts";
import { startDistributionPostgres } from "./distribution-postgres.ts";
import { compilePrograms } from "./programs.ts";
import { migrateAt, templateName } from "./template.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The run's PostgreSQL server, as superuser. Tests use `createTestDatabase()` instead. */
    postgresUrl: string;
  }
}

/** Called by vitest before the first test. @returns what vitest calls after the last one, failed or not. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // What is started without a database of its own must leave nothing in the home of whoever runs the tests.
  process.env.DATA_DIR = join(tmpdir(), `chain-webhooks-data-${process.pid}`);
  const removePrograms = await compilePrograms();
  const postgres = await (process.env.TEST_POSTGRES === "system"
    ? startDistributionPostgres()
    : startTemporaryPostgres());
  await createTemplate(postgres.url);
  project.provide("postgresUrl", postgres.url);
  return async () => {
    await postgres.stop();
    await removePrograms();
    await rm(process.env.DATA_DIR ?? "", { recursive: true, force: true });
  };
}

async function createTemplate(serverUrl: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`create database ${templateName}`);
    // Tests open thousands of connections. Proving the password by 4,096 iterations takes each of them more than a millisecond.
    // PostgreSQL 16 and later has the setting.
    await client.query("SELECT set_config(name, '1', false) FROM pg_settings WHERE name = 'scram_iterations'");
    await client.query(`alter user postgres password ${client.escapeLiteral(client.password ?? "")}`);
  } finally {
    await client.end();
  }
  await migrateAt(new URL(`/${templateName}`, serverUrl).href);
}

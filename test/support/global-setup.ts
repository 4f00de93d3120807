/**
 * Starts one throw-away PostgreSQL server for the whole test run and tells the tests where it is.
 */
import type { TestProject } from "vitest/node";
import { startTemporaryPostgres } from "../../scripts/local/postgres.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The run's PostgreSQL server, as superuser. Tests use `createTestDatabase()` instead. */
    postgresUrl: string;
  }
}

/** Called by vitest before the first test. @returns what vitest calls after the last one, failed or not. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startTemporaryPostgres();
  project.provide("postgresUrl", postgres.url);
  return () => postgres.stop();
}

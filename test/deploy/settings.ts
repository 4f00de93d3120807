/** What deploy/ says of the service must be so: its settings, roles and ports. */
import { expect } from "vitest";
import { type Config, readConfig } from "../../server/config.ts";
import { settings } from "../../server/settings.ts";

const names: readonly string[] = Object.values(settings).map(({ name }) => name);
/** How long a process may take to stop, in seconds: docs/upgrade.md, with the longest time-out that is accepted. */
export const longestStop = readConfig({ DELIVERY_TIMEOUT_SECONDS: "60" }).periods.timeoutMs / 1_000 + 5;

/**
 * Asserts that a process can start with these variables: each is a setting, with a value that the service takes.
 *
 * @returns the configuration that the service makes of them
 */
export function expectSettings(env: Readonly<Record<string, string>>, where: string): Config {
  const unknown = Object.keys(env).filter((name) => !names.includes(name));
  expect(unknown, `${where}: not in server/settings.ts`).toEqual([]);
  return readConfig(env);
}

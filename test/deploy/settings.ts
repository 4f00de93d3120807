/** What deploy/ says of the service must be so: its settings, roles and ports. */
import { expect } from "vitest";
import { longestTestMs } from "../../server/api/handlers/tests.ts";
import { type Config, readConfig } from "../../server/settings/config.ts";
import { settings } from "../../server/settings/settings.ts";

const names: readonly string[] = Object.values(settings).map(({ name }) => name);
const { timeoutMs } = readConfig({ DELIVERY_TIMEOUT_SECONDS: "60" }).periods;
/** How long a process may take to stop, in seconds: docs/upgrade.md, with the longest time-out that is accepted. */
export const longestStop = timeoutMs / 1_000 + 5;
/** How long an answer of the API may take, in seconds, with that time-out. */
export const longestAnswer = longestTestMs(timeoutMs) / 1_000;

/**
 * Asserts that a process can start with these variables: each is a setting, with a value that the service takes.
 *
 * @returns the configuration that the service makes of them
 */
export function expectSettings(env: Readonly<Record<string, string>>, where: string): Config {
  const unknown = Object.keys(env).filter((name) => !names.includes(name));
  expect(unknown, `${where}: not in server/settings/settings.ts`).toEqual([]);
  return readConfig(env);
}

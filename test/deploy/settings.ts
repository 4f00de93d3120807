/** What deploy/ says of the service must be so: its settings, roles and ports. */
import { expect } from "vitest";
import { type Config, readConfig } from "../../server/config.ts";
import { settings } from "../../server/settings.ts";

const names: readonly string[] = Object.values(settings).map(({ name }) => name);
/** Those of compose.cells.yaml that the service is about to get. TODO: remove with the merge of cells and of blocks over NATS. */
export const coming: readonly string[] = ["BLOCKS", "BLOCKS_REPLICAS", "CELL", "CELLS"].filter(
  (name) => !names.includes(name),
);

/**
 * Asserts that a process can start with these variables: each is a setting, with a value that the service takes.
 *
 * @returns the configuration that the service makes of them
 */
export function expectSettings(env: Readonly<Record<string, string>>, where: string): Config {
  const known = Object.entries(env).filter(([name]) => !coming.includes(name));
  const unknown = known.map(([name]) => name).filter((name) => !names.includes(name));
  expect(unknown, `${where}: not in server/settings.ts`).toEqual([]);
  if (coming.includes("BLOCKS") && env.ROLES === "read")
    return readConfig({ ...Object.fromEntries(known), ROLES: "follow" });
  return readConfig(Object.fromEntries(known));
}

/** Shows the cells of an installation, and writes the map by which proxies find an account's cell. */
import type { CellPlace } from "../../../server/settings/cells.ts";
import { settings } from "../../../server/settings/settings.ts";
import { countAccounts, listMarks } from "../../../server/store/accounts/keys.ts";
import { readCell } from "../../../server/store/cell.ts";
import { readDeliveryFigures } from "../../../server/store/delivery/figures.ts";
import { readUnfinishedMoves, type UnfinishedMove } from "../../../server/store/moves/record.ts";
import type { Queryable } from "../../../server/store/pool.ts";
import { buildMap } from "../cells/build-map.ts";
import { eachCell } from "../cells/each-cell.ts";
import { type CellMap, formatMap, type MapForm, mapForms, parseMap } from "../cells/map-forms.ts";
import { readIfThere, writeWhole } from "../cells/whole-file.ts";
import { actionOf, CommandError, type CommandOptions, runCommand, UsageError } from "../command-line.ts";
import { printList } from "../terminal.ts";

const options = {
  haproxy: { type: "string", value: "FILE", help: "The map for deploy/haproxy/haproxy.cfg." },
  nginx: { type: "string", value: "FILE", help: "The map for deploy/nginx/nginx.conf." },
  json: { type: "boolean", help: "Print the list as JSON." },
} as const satisfies CommandOptions;

const actions = { list: ["json"], map: ["haproxy", "nginx"] } as const;

/** What `cells` takes. */
export const command = {
  intro: `List cells, and write the map by which proxies route to them.

Usage:
  chain-webhooks-service cells list [--json]
  chain-webhooks-service cells map [--haproxy FILE] [--nginx FILE]

Commands:
  list            Show each cell's accounts, webhooks, addresses, undelivered notifications, the version that started last, and moves
                  of accounts that have not ended.
  map             Write which account is in which cell. A file is replaced as a whole, and only if it changes. Reload the proxy then.`,
  options,
  actions,
  notes: `Environment:
  CELLS           The cells: [{"name": "a", "databaseUrl": "postgres://…"}, …], or @ and the path of a file with that.

The accounts of a cell whose database is away keep their lines. No map is written where one could be wrong: a tag in two cells, the
database of another cell, a cell that CELLS lacks, or an account that moved to where nobody can look.

Exit codes: 1 when nothing was written, 2 for a wrong argument.`,
};

type Given = {
  values: { [Name in MapForm]?: string | undefined } & { json?: boolean | undefined };
  positionals: string[];
};

/** Runs `cells`. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand(command, args, async (given) => {
    const action = chooseAction(given);
    const places = settings.cells.read(process.env);
    if (!places) throw new CommandError("CELLS must be set to the cells and their databases.");
    await action(places);
    return 0;
  });
}

function chooseAction(given: Given): (places: readonly CellPlace[]) => Promise<void> {
  const { action, operands } = actionOf(actions, given);
  const { values } = given;
  if (operands.length > 0) throw new UsageError(`Unexpected argument "${operands[0]}". ${action} takes options only.`);
  if (action === "list") return (places) => list(places, values.json);
  const files = mapForms.flatMap((form) => (values[form] ? [{ form, path: values[form] }] : []));
  if (files.length === 0) throw new UsageError("map needs --haproxy FILE or --nginx FILE.");
  if (new Set(files.map(({ path }) => path)).size < files.length)
    throw new UsageError("--haproxy and --nginx must be two files.");
  return (places) => map(places, files);
}

type MapFile = { form: MapForm; path: string };

async function map(places: readonly CellPlace[], files: readonly MapFile[]): Promise<void> {
  const readings = await eachCell(places, listMarks);
  const texts = await Promise.all(files.map(({ path }) => readIfThere(path).catch(failing(path))));
  const previous = files.map((file, index) => previousMap(file, texts[index]));
  // The first is the newest: a run that was killed between the two wrote it.
  const built = buildMap(readings, previous.find(Boolean));
  for (const reading of readings)
    if ("away" in reading)
      console.error(`The cell ${reading.name} is away (${reading.away}); its accounts keep their lines.`);
  for (const [index, { form, path }] of files.entries()) {
    const text = formatMap(built, form);
    const isNew = text !== texts[index];
    if (isNew) await writeWhole(path, text).catch(failing(path));
    console.error(`${path} ${isNew ? "is written" : "is as it was"}: ${built.size} tags in ${places.length} cells.`);
  }
}

function previousMap({ form, path }: MapFile, text: string | undefined): CellMap | undefined {
  if (text === undefined) return undefined;
  const found = parseMap(text, form);
  if (!found) throw new CommandError(`${path} must be a map for ${form}, which this one is not. Nothing was written.`);
  return found;
}

function failing(path: string): (error: unknown) => never {
  return (error) => {
    throw new CommandError(`${path} must be a file that can be read and replaced: ${(error as Error).message}.`);
  };
}

async function list(places: readonly CellPlace[], json: boolean | undefined): Promise<void> {
  const readings = await eachCell(places, async (db: Queryable) => {
    const [totals, figures, cell] = [await countAccounts(db), await readDeliveryFigures(db), await readCell(db)];
    const backlog = Object.values(figures).reduce((sum, { count }) => sum + count, 0);
    return { totals: { ...totals, backlog, version: cell?.version }, moves: await readUnfinishedMoves(db) };
  });
  const rows = readings.map((reading) => {
    const { name: cell } = reading;
    if (!("found" in reading)) return { cell, state: "away" in reading ? `away: ${reading.away}` : reading.wrong };
    return { cell, state: "up", ...reading.found.totals, moves: reading.found.moves.length };
  });
  printList({ rows }, json);
  if (json) return;
  for (const reading of readings)
    if ("found" in reading) for (const move of reading.found.moves) console.log(describeMove(reading.name, move));
}

function describeMove(cell: string, { account, direction, otherCell, state, seconds }: UnfinishedMove): string {
  const way = direction === "out" ? `to ${otherCell}` : `from ${otherCell}`;
  return `${cell}: the move of ${account} ${way} has been ${state} for ${Math.round(seconds)} s.`;
}

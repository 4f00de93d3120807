/**
 * Builds the map from what the cells' databases have. It is whole, or there is none: a mark in two cells, or one whose cell cannot be known,
 * is an error. The accounts of a cell that is away keep their lines, unless another cell has them by now.
 */
import type { AccountMarks } from "../../../server/store/accounts/keys.ts";
import { CommandError } from "../command-line.ts";
import type { CellReading } from "./each-cell.ts";
import type { CellMap } from "./map-forms.ts";

type Owner = { cell: string; account: string };

/**
 * @param previous the map as it is; undefined where there is none
 * @throws {CommandError} in a sentence, when no map would be right
 */
export function buildMap(readings: readonly CellReading<AccountMarks[]>[], previous: CellMap | undefined): CellMap {
  const owners = new Map<string, Owner>();
  const arriving = new Map<string, string>();
  const left: (Owner & { mark: string })[] = [];
  const away = new Set<string>();
  for (const reading of readings) {
    if ("wrong" in reading) throw new CommandError(`The cell ${reading.name} cannot be in the map: ${reading.wrong}.`);
    if ("away" in reading) away.add(reading.name);
    else
      for (const { account, marks, moveState } of reading.found)
        for (const mark of marks) {
          const owner = { cell: reading.name, account };
          if (moveState === "left") left.push({ ...owner, mark });
          else if (moveState === "arriving") arriving.set(mark, reading.name);
          else claim(owners, mark, owner);
        }
  }
  const map = new Map([...owners].map(([mark, { cell }]) => [mark, cell]));
  // Between leaving one cell and being open in the other, both answer 503. A cell without the account would answer 401.
  for (const [mark, cell] of arriving) if (!map.has(mark)) map.set(mark, cell);
  refuseUnlisted(map, previous, new Set(readings.map(({ name }) => name)));
  if (away.size === 0) return map;
  if (!previous)
    throw new CommandError(
      `The database of ${named(away)} is away, and no earlier map has its accounts. Nothing was written.`,
    );
  for (const [mark, cell] of previous) if (away.has(cell) && !map.has(mark)) map.set(mark, cell);
  const lost = left.find(({ mark }) => !map.has(mark));
  if (lost)
    throw new CommandError(
      `The account ${lost.account} has moved away from the cell ${lost.cell}, perhaps to ${named(away)}, whose database is away. Nothing was written.`,
    );
  return map;
}

/** A cell that somebody forgot in CELLS would lose all of its accounts' lines. */
function refuseUnlisted(map: CellMap, previous: CellMap | undefined, listed: ReadonlySet<string>): void {
  const lost = [...(previous ?? [])].filter(([mark, cell]) => !listed.has(cell) && !map.has(mark));
  const [first] = lost;
  if (first)
    throw new CommandError(
      `CELLS must have the cell ${first[1]}: the earlier map has ${lost.length} tags in cells that are not listed, such as ${first[0]}. If these accounts are gone for good, delete the map. Nothing was written.`,
    );
}

function claim(owners: Map<string, Owner>, mark: string, owner: Owner): void {
  const other = owners.get(mark);
  if (other && (other.cell !== owner.cell || other.account !== owner.account))
    throw new CommandError(
      `The tag ${mark} is that of the account ${other.account} in the cell ${other.cell} and of the account ${owner.account} in the cell ${owner.cell}. Nothing was written.`,
    );
  owners.set(mark, owner);
}

const named = (cells: ReadonlySet<string>) =>
  (cells.size === 1 ? "the cell " : "the cells ") + [...cells].join(" and ");

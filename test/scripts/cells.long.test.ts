/** `chain-webhooks-service cells`, as an operator of two cells runs it. */
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { run } from "../../scripts/command/run.ts";
import { createKey } from "../../server/store/accounts/keys.ts";
import { claimCell } from "../../server/store/cell.ts";
import { createPool, type Pool } from "../../server/store/pool.ts";
import { runHere } from "../support/command.ts";
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from "../support/database.ts";

type Cell = { name: string; database: TestDatabase; pool: Pool };

const gone = "postgres://someone:pa55word@127.0.0.1:1/gone";
let north: Cell;
let south: Cell;
let folder: string;
let haproxy: string;
let nginx: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "chain-webhooks-cells-"));
  [haproxy, nginx] = [join(folder, "haproxy.map"), join(folder, "nginx.map")];
  [north, south] = await Promise.all([openCell("north"), openCell("south")]);
  listCells({ north: north.database.url, south: south.database.url });
});
afterEach(async () => {
  await Promise.all(
    [north, south].map(async ({ pool, database }) => {
      await pool.end();
      await database.drop();
    }),
  );
  await rm(folder, { recursive: true });
});

async function openCell(name: string): Promise<Cell> {
  const database = await createTestDatabase();
  const pool = createPool(database.url, { max: 1 });
  await claimCell(pool, name, "1.2.3");
  return { name, database, pool };
}

function listCells(urls: Record<string, string>): void {
  vi.stubEnv("CELLS", JSON.stringify(Object.entries(urls).map(([name, databaseUrl]) => ({ name, databaseUrl }))));
}

const cells = (...args: string[]) => runHere(run, ["cells", ...args]);
const writeMap = () => cells("map", "--haproxy", haproxy, "--nginx", nginx);
const lines = async (path: string) => (await readFile(path, "utf8")).split("\n").filter((line) => /^\w/.test(line));

async function account({ pool }: Cell, name: string): Promise<string> {
  const { key } = await createKey(pool, { account: name, scopes: ["read"] });
  return key.split("_")[1] ?? "";
}

test("the map has each account's tag and its cell's backend, in both proxies' forms", async () => {
  const [acme, beta] = [await account(north, "acme"), await account(south, "beta")];
  await account(north, "acme");
  expect(await writeMap()).toEqual({
    code: 0,
    stdout: "",
    stderr: `${haproxy} is written: 2 tags in 2 cells.\n${nginx} is written: 2 tags in 2 cells.\n`,
  });
  const expected = [`${acme} cell_north`, `${beta} cell_south`].toSorted();
  expect(await lines(haproxy)).toEqual(expected);
  expect(await lines(nginx)).toEqual(expected.map((line) => `${line};`));
  expect((await writeMap()).stderr).toContain("is as it was");
  expect((await readdir(folder)).toSorted()).toEqual(["haproxy.map", "nginx.map"]);
});

test("a key that was made before there were tags is in the map until it is revoked", async () => {
  const tag = await account(north, "acme");
  const { rows } = await north.pool.query("UPDATE api_keys SET prefix = 'cwk_01234567' RETURNING id");
  await writeMap();
  expect(await lines(haproxy)).toEqual(["01234567 cell_north", `${tag} cell_north`].toSorted());
  await north.pool.query("UPDATE api_keys SET revoked_at = now() WHERE id = $1", [rows[0].id]);
  await writeMap();
  expect(await lines(haproxy)).toEqual([`${tag} cell_north`]);
});

test("an account that moved is in its new cell only", async () => {
  const tag = await account(north, "acme");
  await writeMap();
  await south.pool.query("INSERT INTO accounts (name, tag) VALUES ('acme', $1)", [tag]);
  const refused = await writeMap();
  expect(refused.code).toBe(1);
  expect(refused.stderr).toBe(
    `The tag ${tag} is that of the account acme in the cell north and of the account acme in the cell south. Nothing was written.\n`,
  );
  expect(await lines(haproxy)).toEqual([`${tag} cell_north`]);
  await north.pool.query("UPDATE accounts SET move_state = 'left'");
  await south.pool.query("UPDATE accounts SET move_state = 'arriving'");
  expect((await writeMap()).code).toBe(0);
  expect(await lines(haproxy)).toEqual([`${tag} cell_south`]);
  await south.pool.query("UPDATE accounts SET move_state = NULL");
  expect((await writeMap()).code).toBe(0);
  expect(await lines(haproxy)).toEqual([`${tag} cell_south`]);
});

test("the accounts of a cell that is away keep their lines, but for those that another cell has by now", async () => {
  const [one, two] = [await account(south, "one"), await account(south, "two")];
  await writeMap();
  const three = await account(north, "three");
  await north.pool.query("INSERT INTO accounts (name, tag) VALUES ('two', $1)", [two]);
  listCells({ north: north.database.url, south: gone });
  const written = await writeMap();
  expect(written).toMatchObject({ code: 0, stderr: expect.stringMatching(/^The cell south is away \(.*ECONNREFUSED/) });
  expect(written.stderr).not.toContain("pa55word");
  expect(await lines(haproxy)).toEqual([`${one} cell_south`, `${two} cell_north`, `${three} cell_north`].toSorted());
});

test("no map is written where a cell that is away has no earlier lines, or may have got an account", async () => {
  listCells({ north: north.database.url, south: gone });
  expect(await writeMap()).toMatchObject({
    code: 1,
    stderr: "The database of the cell south is away, and no earlier map has its accounts. Nothing was written.\n",
  });
  expect(await readdir(folder)).toEqual([]);
  listCells({ north: north.database.url, south: south.database.url });
  const tag = await account(north, "acme");
  await writeMap();
  await north.pool.query("UPDATE accounts SET move_state = 'left'");
  listCells({ north: north.database.url, south: gone });
  expect(await writeMap()).toMatchObject({ code: 1, stderr: expect.stringContaining("The account acme has moved") });
  expect(await lines(haproxy)).toEqual([`${tag} cell_north`]);
});

test("no map is written where CELLS lacks a cell that the earlier map has, unless its accounts are elsewhere now", async () => {
  const [acme, beta] = [await account(north, "acme"), await account(south, "beta")];
  await writeMap();
  listCells({ north: north.database.url });
  expect(await writeMap()).toMatchObject({
    code: 1,
    stderr: `CELLS must have the cell south: the earlier map has 1 tags in cells that are not listed, such as ${beta}. If these accounts are gone for good, delete the map. Nothing was written.\n`,
  });
  expect(await lines(haproxy)).toEqual([`${acme} cell_north`, `${beta} cell_south`].toSorted());
  await north.pool.query("INSERT INTO accounts (name, tag) VALUES ('beta', $1)", [beta]);
  expect((await writeMap()).code).toBe(0);
  expect(await lines(haproxy)).toEqual([`${acme} cell_north`, `${beta} cell_north`].toSorted());
});

test("no map is written from a database of another cell, of none, or without tables", async () => {
  listCells({ south: north.database.url });
  expect(await writeMap()).toMatchObject({ code: 1, stderr: expect.stringContaining("is the cell north's.") });
  await north.pool.query("DELETE FROM cell");
  listCells({ north: north.database.url });
  expect(await writeMap()).toMatchObject({ code: 1, stderr: expect.stringContaining("with CELL=north.") });
  const empty = await createEmptyDatabase();
  listCells({ north: empty.url });
  expect(await writeMap()).toMatchObject({ code: 1, stderr: expect.stringContaining("not one of this version") });
  await empty.drop();
  expect(await readdir(folder)).toEqual([]);
});

test("a file that is no map stays, a link is followed, and a folder without room is an error in a sentence", async () => {
  await writeFile(haproxy, "global\n    maxconn 100\n");
  expect(await writeMap()).toMatchObject({ code: 1, stderr: expect.stringContaining(`${haproxy} must be a map`) });
  expect(await readFile(haproxy, "utf8")).toContain("maxconn");
  await rm(haproxy);
  await writeFile(join(folder, "real.map"), "");
  await symlink("real.map", haproxy);
  const tag = await account(north, "acme");
  await writeMap();
  expect(await lines(join(folder, "real.map"))).toEqual([`${tag} cell_north`]);
  expect(await cells("map", "--nginx", join(folder, "nowhere", "nginx.map"))).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/nginx\.map must be a file that can be read and replaced: ENOENT/),
  });
});

test("list shows what each cell has, which one is away, and which one cannot be read", async () => {
  await account(north, "acme");
  await account(north, "moved");
  await north.pool.query("UPDATE accounts SET move_state = 'left', webhooks = 7 WHERE name = 'moved'");
  await north.pool.query("UPDATE accounts SET webhooks = 3, addresses = 50 WHERE name = 'acme'");
  const denied = `${north.database.url}?options=-c%20role%3Dpg_read_all_settings`;
  listCells({ north: north.database.url, south: gone, east: south.database.url, west: denied });
  const listed = await cells("list", "--json");
  expect(listed).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(listed.stdout)).toEqual([
    { cell: "north", state: "up", accounts: 1, webhooks: 3, addresses: 50, backlog: 0, version: "1.2.3", moves: 0 },
    { cell: "south", state: expect.stringMatching(/^away: .*ECONNREFUSED/) },
    { cell: "east", state: "its database is the cell south's" },
    { cell: "west", state: "its user lacks a right: permission denied for table cell" },
  ]);
});

test("list shows moves that were left half done, in both of their cells", async () => {
  const begin = (cell: Cell, direction: string, state: string, otherCell: string) =>
    cell.pool.query(
      `INSERT INTO moves (id, account, direction, state, other_cell, run, changed_at)
       VALUES (gen_random_uuid(), 'acme', $1, $2, $3, gen_random_uuid(), clock_timestamp() - interval '700 seconds')`,
      [direction, state, otherCell],
    );
  await begin(north, "out", "released", "db.south/chain_webhooks");
  await begin(south, "in", "arrived", "db.north/chain_webhooks");
  const { stdout } = await cells("list");
  expect(stdout).toMatch(/^north: the move of acme to db\.south\/chain_webhooks has been released for 70\d s\.$/m);
  expect(stdout).toMatch(/^south: the move of acme from db\.north\/chain_webhooks has been arrived for 70\d s\.$/m);
});

test.each([
  [[], "The command must be list or map."],
  [["mpa"], "The command must be list or map, not mpa; did you mean map?"],
  [["map"], "map needs --haproxy FILE or --nginx FILE."],
  [["map", "--nginx", "x", "--haproxy", "x"], "--haproxy and --nginx must be two files."],
  [["list", "--nginx", "x"], "list does not take --nginx."],
  [["list", "north"], 'Unexpected argument "north".'],
])("%j is a wrong argument", async (args, sentence) => {
  expect(await cells(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
});

test.each([
  ["", "CELLS must be set to the cells and their databases."],
  ["{", "CELLS must be JSON, and is not"],
  ["[]", "CELLS must be a JSON list of at least one cell."],
  ['[{"name":"a"}]', "CELLS[0].databaseUrl must be a text."],
  ['[{"name":"A","databaseUrl":"postgres://x"}]', "CELLS[0].name must be 1 to 32 lower-case letters"],
  ['[{"name":"a","databaseUrl":"mysql://u:pa55@x"}]', "CELLS[0].databaseUrl must be a postgres:// URL."],
  ['[{"name":"a","url":"postgres://x"}]', "CELLS[0].url is not a known field; those are name, databaseUrl."],
  ["@/nowhere/cells.json", "CELLS names the file /nowhere/cells.json, which cannot be read"],
])("CELLS=%s is refused in a sentence", async (text, sentence) => {
  vi.stubEnv("CELLS", text);
  const refused = await cells("list");
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) });
  expect(refused.stderr).not.toContain("pa55");
});

/** Imports only go down the floors of ARCHITECTURE.md, and never in a circle. Imports of types count. */
import { readdirSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path/posix";
import { expect, test } from "vitest";

const root = new URL("..", import.meta.url);

/** The rooms of the service, from the top. A room may import those on lower floors, and none on its own. */
const floors = [
  ["server/main.ts", "server/process.ts", "server/service.ts"],
  ["server/api/", "server/chain/", "server/delivery/"],
  ["server/operational/"],
  ["server/store/"],
  ["server/contract/", "server/embedded-postgres/"],
  ["server/matching/", "server/settings/", "server/targets/"],
  ["server/base/"],
  ["generated/"],
];
/** And those of rooms that have rooms, likewise. */
const floorsOfChain = [
  ["server/chain/publish/", "server/chain/replays/", "server/chain/questions/"],
  ["server/chain/follow/"],
  ["server/chain/sources/"],
  ["server/chain/observe.ts"],
  ["server/chain/stream/", "server/chain/tokens/"],
  ["server/chain/read/"],
  ["server/chain/nodes/", "server/chain/check/"],
];
const floorsOfDelivery = [
  ["server/delivery/deliver.ts"],
  ["server/delivery/feed/"],
  ["server/delivery/recorder.ts"],
  ["server/delivery/send/"],
  ["server/delivery/endpoint/"],
  ["server/delivery/queued-notification.ts", "server/delivery/shard.ts"],
  ["server/delivery/accounts.ts", "server/delivery/cursor.ts"],
];
/** Floors that they are above and may not use all the same. */
const mustNotReach: Record<string, readonly string[]> = {
  "server/chain/": ["server/contract/"],
  "server/contract/": ["server/settings/"],
  "server/delivery/": ["server/contract/"],
  "server/store/": ["server/contract/"],
  "server/targets/": ["server/base/"],
  "client/": ["server/", "scripts/", "examples/", "test/"],
  "examples/": ["test/"],
  "scripts/": ["test/"],
  "server/": ["scripts/", "examples/", "test/"],
};

const imported = /(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

const sources = ["client", "examples", "generated", "scripts", "server", "test"].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.includes("node_modules"))
    .map((name) => `${folder}/${name}`),
);

const importsOf = new Map(
  sources.map((file) => {
    const text = readFileSync(new URL(file, root), "utf8");
    return [file, [...text.matchAll(imported)].map(([, path = ""]) => normalize(join(file, "..", path)))];
  }),
);

/** Everything that a file reaches, each with the way to it. */
function reachedFrom(file: string): Map<string, string> {
  const ways = new Map<string, string>();
  const visit = (from: string, way: string) => {
    for (const target of importsOf.get(from) ?? []) {
      if (ways.has(target) || target === file) continue;
      ways.set(target, `${way} > ${target}`);
      visit(target, `${way} > ${target}`);
    }
  };
  visit(file, file);
  return ways;
}

const isIn = (file: string, rooms: readonly string[]) => rooms.some((room) => file.startsWith(room));
const filesIn = (room: string) => sources.filter((file) => file.startsWith(room));

/** The ways from a room's files to files of other rooms. */
const waysTo = (room: string, others: readonly string[]) =>
  filesIn(room).flatMap((file) =>
    [...reachedFrom(file)].filter(([target]) => isIn(target, others)).map(([, way]) => way),
  );

/** Each room, and those that are not below it. */
const inHouse = (house: string[][]) =>
  house.flatMap((rooms, floor) =>
    rooms.map((room) => ({
      room,
      beside: house.slice(0, floor + 1).flatMap((all) => all.filter((one) => one !== room)),
    })),
  );
// The three files on top are one.
const rooms = [
  ...inHouse(floors).filter(({ room }) => !floors[0]?.includes(room)),
  ...inHouse(floorsOfChain),
  ...inHouse(floorsOfDelivery),
];

test.each(rooms)("$room imports lower floors only", ({ room, beside }) => {
  expect(filesIn(room)).not.toEqual([]);
  expect(waysTo(room, beside)).toEqual([]);
});

test.each(Object.entries(mustNotReach))("%s reaches none of %j", (room, refused) => {
  expect(waysTo(room, refused)).toEqual([]);
});

test("every file of the server is on a floor", () => {
  expect(filesIn("server/").filter((file) => !isIn(file, floors.flat()))).toEqual([]);
  expect(filesIn("server/chain/").filter((file) => !isIn(file, floorsOfChain.flat()))).toEqual([]);
  expect(filesIn("server/delivery/").filter((file) => !isIn(file, floorsOfDelivery.flat()))).toEqual([]);
});

test("no files import one another in a circle", () => {
  const circles = sources.filter((file) => {
    const ways = reachedFrom(file);
    return [...ways.keys()].some((target) => importsOf.get(target)?.includes(file));
  });
  expect(circles).toEqual([]);
});

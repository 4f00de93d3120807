/** Imports go down the floors of ARCHITECTURE.md: each room imports only what is listed for it here. */
import { readdirSync, readFileSync } from "node:fs";
import { join, normalize } from "node:path/posix";
import { expect, test } from "vitest";

const root = new URL("..", import.meta.url);
/** Files of one subject that need no database, no node and no endpoint. */
const pure = [
  "server/errors.ts",
  "server/explanation.ts",
  "server/fair-share.ts",
  "server/new-webhook.ts",
  "server/retry-after.ts",
  "server/target-names.ts",
  "server/target-ports.ts",
  "server/targets.ts",
];
const rooms = ["server/api/", "server/chain/", "server/delivery/", "server/contract/", "server/matching/"];

/** What a room may import, as beginnings of paths. Its own files are always among it. */
const mayImport: Record<string, readonly string[]> = {
  "client/": ["generated/"],
  "server/contract/": ["generated/", "server/matching/", ...pure],
  "server/matching/": ["generated/", ...pure],
};
/** What a room must not import, where a list of all that it may would be long. */
const mustNotImport: Record<string, readonly string[]> = {
  "server/store/": [...rooms, "scripts/"],
  "server/api/": ["server/chain/", "server/delivery/", "scripts/"],
  "server/chain/": ["server/api/", "server/delivery/", "server/contract/", "scripts/"],
  "server/delivery/": ["server/api/", "server/chain/", "server/contract/", "scripts/"],
};

const imported = /(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

/** The files that a file imports, types included. */
function importsOf(file: string): string[] {
  const text = readFileSync(new URL(file, root), "utf8");
  return [...text.matchAll(imported)].map(([, path = ""]) => normalize(join(file, "..", path)));
}

function filesOf(room: string): string[] {
  const names = readdirSync(new URL(room, root), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".ts")).map((name) => room + name);
}

const importsWhere = (room: string, isWrong: (target: string) => boolean) =>
  filesOf(room).flatMap((file) =>
    importsOf(file)
      .filter((target) => !target.startsWith(room) && isWrong(target))
      .map((target) => `${file} imports ${target}`),
  );

const isBelow = (target: string, beginnings: readonly string[]) => beginnings.some((start) => target.startsWith(start));

test.each(Object.entries(mayImport))("%s imports only %j", (room, allowed) => {
  expect(importsWhere(room, (target) => !isBelow(target, allowed))).toEqual([]);
});

test.each(Object.entries(mustNotImport))("%s imports none of %j", (room, refused) => {
  expect(importsWhere(room, (target) => isBelow(target, refused))).toEqual([]);
});

test.each(pure)("%s imports no other file of the server", (file) => {
  expect(importsOf(file).filter((target) => !isBelow(target, ["generated/", ...pure]))).toEqual([]);
});

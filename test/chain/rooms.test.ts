/** The rooms of chain/ import one another in one direction. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const chain = new URL("../../server/chain/", import.meta.url).pathname;

/** What a room may import of chain/, in any depth. */
const allowed: Record<string, RegExp> = {
  nodes: /^nodes\//,
  check: /^check\//,
  read: /^(read|nodes|check)\/|^config\.ts$/,
  stream: /^(stream|read|nodes|check)\/|^config\.ts$/,
  tokens: /^(tokens|nodes)\//,
  follow: /^(follow|stream|tokens|read|nodes|check)\/|^config\.ts$/,
};

test.each(Object.entries(allowed))("%s/ imports only what is below it", async (room, below) => {
  const files = (await readdir(join(chain, room), { recursive: true })).filter((file) => file.endsWith(".ts"));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const source = await readFile(join(chain, room, file), "utf8");
    for (const [, path = ""] of source.matchAll(/(?:from|import\() ?"(\.[^"]+)"/g)) {
      const imported = join(chain, room, file, "..", path);
      if (imported.startsWith(chain)) expect(imported.slice(chain.length), `${room}/${file}`).toMatch(below);
    }
  }
});

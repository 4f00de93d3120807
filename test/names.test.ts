/** One word means one thing: a name that a file exports is exported by no other room, so nobody must say which one is meant. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("..", import.meta.url);

/** What rooms share on purpose. Each command has a `run`, and a `command` that describes it; the client's name for what the server has, too, since it cannot import it. */
const shared = ["run", "command"];

/** As the formatter writes it. Loading TypeScript, and parsing every file, took three seconds of processor. */
const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|type|interface|enum|namespace) (\w+)/gm;

function exportsOf(file: string): string[] {
  return [...readFileSync(new URL(file, root), "utf8").matchAll(declaration)].map(([, name = ""]) => name);
}

test.each([
  ["the service and its tools", ["server", "scripts"]],
  ["the client", ["client"]],
])("%s export no name twice", (_, folders) => {
  const filesOf = new Map<string, string[]>();
  for (const folder of folders)
    for (const name of readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" }))
      if (name.endsWith(".ts"))
        for (const exported of exportsOf(`${folder}/${name}`))
          filesOf.set(exported, [...(filesOf.get(exported) ?? []), `${folder}/${name}`]);
  const twice = [...filesOf].filter(([name, files]) => new Set(files).size > 1 && !shared.includes(name));
  expect(Object.fromEntries(twice)).toEqual({});
});

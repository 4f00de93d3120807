/** On which line of which file a part of a document is. */
import type { State } from "js-yaml";
import type { JsonObject } from "../../document/json.ts";
import type { Document } from "./document.ts";
import { limits, yaml } from "./read.ts";

/** A file and a line in it, counted from 1. The pointer is that of the object within the file. */
export type Line = { file: string; pointer: string; line?: number };

/** Finds the places of objects of a document. An object that the document does not hold has none. */
export async function linesOf(document: Document, objects: ReadonlySet<object>): Promise<Map<object, Line>> {
  const places = new Map<object, Line>();
  for (const [file, root] of [["", document.root] as const, ...document.files]) {
    const pointers = pointersTo(root, objects);
    if (pointers.size === 0) continue;
    const lines = await linesOfPointers(document.texts.get(file) ?? "", new Set(pointers.values()));
    for (const [object, pointer] of pointers) {
      const line = lines.get(pointer);
      places.set(object, { file: document.pathOf(file), pointer, ...(line !== undefined && { line }) });
    }
  }
  return places;
}

/** Where objects are, found by walking the whole once. */
function pointersTo(root: JsonObject, objects: ReadonlySet<object>): Map<object, string> {
  const found = new Map<object, string>();
  const seen = new Set<object>();
  const waiting: [unknown, string][] = [[root, ""]];
  while (waiting.length > 0 && found.size < objects.size) {
    const [value, pointer] = waiting.pop() ?? [];
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if (objects.has(value)) found.set(value, pointer ?? "");
    for (const [key, inner] of Object.entries(value))
      if (typeof inner === "object")
        waiting.push([inner, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`]);
  }
  return found;
}

/** The lines of pointers: that of the key, or of an item's beginning. The parser reads JSON as the YAML that it nearly is. */
async function linesOfPointers(text: string, pointers: ReadonlySet<string>): Promise<Map<string, number>> {
  const lines = new Map<string, number>();
  // What is written on one line has no lines worth showing, and parsing 20 MB once more takes seconds.
  if (text.length > limits.bytes / 3) return lines;
  const { load } = await yaml();
  const watcher = createWatcher();
  try {
    load(text, { listener: watcher.listen, maxDepth: limits.depth * 2 } as object);
  } catch {
    return lines;
  }
  for (const pointer of pointers) {
    const line = watcher.lineOf(pointer);
    if (line !== undefined) lines.set(pointer, line + 1);
  }
  return lines;
}

type Node = { line: number; children: Node[]; result?: unknown; keys?: Map<string, number> };

/** Builds the tree of nodes that the parser reports; a mapping's children are keys and values by turns. */
function createWatcher() {
  const stack: Node[] = [{ line: 0, children: [] }];
  const listen = (event: "open" | "close", state: State): void => {
    if (event === "open") stack.push({ line: lineAt(state), children: [] });
    else {
      const node = stack.pop();
      if (!node) return;
      node.result = state.result;
      stack.at(-1)?.children.push(node);
    }
  };
  const lineOf = (pointer: string): number | undefined => {
    let node = stack[0]?.children[0];
    let line = node?.line;
    for (const part of pointer === "" ? [] : pointer.slice(1).split("/")) {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      node = unwrapped(node);
      if (!node) return undefined;
      if (Array.isArray(node.result)) {
        node = node.children[Number(key)];
        line = node?.line ?? line;
        continue;
      }
      const index = keysOf(node).get(key) ?? -1;
      // What a merge key brought in is on the line of the whole.
      if (index < 0) return line;
      line = node.children[index]?.line;
      node = node.children[index + 1];
    }
    return line;
  };
  return { listen, lineOf };
}

/** Where the keys of a mapping are among its children; made once, since a mapping may have thousands. */
function keysOf(node: Node): Map<string, number> {
  const keys = () => node.children.flatMap(({ result }, at) => (at % 2 === 0 ? [[String(result), at] as const] : []));
  node.keys ??= new Map(keys());
  return node.keys;
}

/** What is written in braces is read as the first key of a block first, and so reported twice. */
function unwrapped(node: Node | undefined): Node | undefined {
  // Copying the children would cost as many steps as a mapping has keys, for each finding in it.
  const only = node?.children.length === 1 ? node.children[0] : undefined;
  return only && typeof only.result === "object" && only.result === node?.result ? only : node;
}

/** A block's node opens behind its key, on the line before its first. */
function lineAt({ input, position, line }: State): number {
  const text = input as string;
  let at = position;
  let found = line;
  while (at < text.length && /\s/.test(text[at] ?? "")) {
    if (text[at] === "\n") found += 1;
    at += 1;
  }
  return found;
}

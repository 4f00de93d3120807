/** Which path of the new document is which of the old: the names of a path's parameters are not sent. */

/** Pairs paths by what is sent; a path without a partner stands alone. */
export function pairPaths(
  before: readonly string[],
  after: readonly string[],
): [string | undefined, string | undefined][] {
  const paths = (list: readonly string[]) => list.filter((path) => !path.startsWith("x-"));
  const left = new Set(paths(after));
  const pairs: [string | undefined, string | undefined][] = [];
  const renamed: string[] = [];
  for (const path of paths(before))
    if (left.delete(path)) pairs.push([path, path]);
    else renamed.push(path);
  const shapes = new Map([...left].map((path) => [shapeOf(path), path]));
  for (const path of renamed) {
    const other = shapes.get(shapeOf(path));
    if (other !== undefined && left.delete(other)) pairs.push([path, other]);
    else pairs.push([path, undefined]);
  }
  for (const path of left) pairs.push([undefined, path]);
  return pairs;
}

const shapeOf = (path: string) => path.replace(/\{[^}]*\}/g, "{}");

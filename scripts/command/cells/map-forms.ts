/** The map from keys' marks to cells, as the two proxies read it. The value is the name of the cell's backend in their configurations. */

/** Cells by mark. */
export type CellMap = ReadonlyMap<string, string>;

/** A proxy's form of the map. */
export type MapForm = "haproxy" | "nginx";
export const mapForms: readonly MapForm[] = ["haproxy", "nginx"];

const head = "# Written by `chain-webhooks-service cells map`. The next run overwrites it.\n";
const ends: Readonly<Record<MapForm, string>> = { haproxy: "", nginx: ";" };
const line = /^([0-9a-f]{8}|[0-9a-f]{12}) cell_([a-z0-9-]{1,32})(;?)$/;

/** Writes a map, in the order of the marks, so that the same map is the same text. */
export function formatMap(map: CellMap, form: MapForm): string {
  const lines = [...map].map(([mark, cell]) => `${mark} cell_${cell}${ends[form]}\n`);
  return head + lines.toSorted().join("");
}

/** @returns undefined for what is not a map in this form */
export function parseMap(text: string, form: MapForm): CellMap | undefined {
  const map = new Map<string, string>();
  for (const given of text.split("\n")) {
    if (given === "" || given.startsWith("#")) continue;
    const [, mark, cell, end] = line.exec(given) ?? [];
    if (mark === undefined || cell === undefined || end !== ends[form]) return undefined;
    map.set(mark, cell);
  }
  return map;
}

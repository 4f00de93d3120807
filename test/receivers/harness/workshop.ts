/** Where receivers are built and run: copies in a temporary folder, with everything that they start. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify, stripVTControlCharacters } from "node:util";
import { sharedJanitor } from "../../../scripts/local/janitor.ts";
import { run } from "../../codegen/harness/run.ts";
import { freePort } from "../../support/free-port.ts";
import { end, start } from "../../support/shell.ts";
import type { Start } from "./assert-receives.ts";
import { commandsOf, type ReceiverProgram, type Tool } from "./receiver.ts";

/** For one step, downloads included. */
const limitMs = 8 * 60_000;

export type Workshop = {
  /** Copies a folder and prepares what is in it. @returns what starts it */
  open(folder: string, program: ReceiverProgram, more?: Readonly<Record<string, string>>): Promise<Start>;
  close(): Promise<void>;
};

/** @returns the first line that each program shows as its version, or the name of one that is missing */
export async function versionsOf(tools: readonly Tool[]): Promise<{ versions: string[]; missing?: string }> {
  const versions: string[] = [];
  for (const [program, ...ask] of tools) {
    const shown = await promisify(execFile)(program, ask).catch(() => undefined);
    if (!shown) return { versions, missing: program };
    versions.push(stripVTControlCharacters(shown.stdout).split(/\n| \(/)[0] ?? "");
  }
  return { versions };
}

export async function makeWorkshop(): Promise<Workshop> {
  const janitor = await sharedJanitor();
  const root = janitor.makeFolder("chain-webhooks-receivers-");
  const running: Awaited<ReturnType<typeof start>>["child"][] = [];
  return {
    async open(source, { name, file, ready = /Listening at/, env = {} }, more = {}) {
      const folder = join(root, name);
      cpSync(source, folder, { recursive: true });
      // PHP's keeps what it has handled in the temporary folder.
      mkdirSync(join(folder, "tmp"));
      const own = { ...env, ...more, NO_COLOR: "1", TMPDIR: join(folder, "tmp") };
      const { prepare, start: command } = commandsOf(join(folder, file));
      for (const step of prepare) {
        const prepared = () => run({ name, command: step, cwd: folder, env: { ...process.env, ...own }, limitMs });
        // Two Mavens at the same time can spoil the folder that they share.
        await (step.startsWith("mvn") ? inTurn(prepared) : prepared());
      }
      return async (secret) => {
        const port = await freePort();
        const variables = { ...own, PORT: String(port), WEBHOOK_SECRET: secret };
        const { child, output } = await start("sh", ["-c", `cd '${folder}' && ${command}`], ready, variables);
        if (child.pid) janitor.watchGroup(child.pid);
        running.push(child);
        await accepts(port);
        return { url: `http://127.0.0.1:${port}/hooks`, output };
      };
    },
    async close() {
      for (const child of running) {
        await end(child);
        if (child.pid) janitor.forgetGroup(child.pid);
      }
      rmSync(root, { recursive: true, force: true });
      janitor.forgetFolder(root);
    },
  };
}

/** Some say that they listen just before they do. */
async function accepts(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await sleep(20);
  }
}

let turn: Promise<unknown> = Promise.resolve();
function inTurn<T>(act: () => Promise<T>): Promise<T> {
  const result = turn.then(act);
  turn = result.catch(() => undefined);
  return result;
}

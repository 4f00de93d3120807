/** The machine's own Chromium, without its calls home. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const places = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** @param args more of its own @throws when there is none; set CHROMIUM to where it is */
export async function openBrowser(args: readonly string[] = []): Promise<Browser> {
  const executablePath = places.find((place) => place !== undefined && existsSync(place));
  if (!executablePath) throw new Error("No Chromium was found; set CHROMIUM to its path.");
  const quiet = ["background-networking", "component-update", "sync", "gpu", "quic"].map((name) => `--disable-${name}`);
  return chromium.launch({ executablePath, args: [...quiet, ...args, "--no-sandbox", "--no-first-run"] });
}

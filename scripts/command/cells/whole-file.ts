/** Replaces a file in one step, so that a proxy that reloads meanwhile reads the old text or the new one. */
import { open, readFile, realpath, rename, rm } from "node:fs/promises";

/** @returns its text; undefined where there is no such file */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Replaces a file, or what a link leads to. After a crash at any moment it has the old text or the new one. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const target = await realpath(path).catch((error: unknown) => {
    if (isMissing(error)) return path;
    throw error;
  });
  const beside = `${target}.${process.pid}.new`;
  try {
    const file = await open(beside, "w", 0o644);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

const isMissing = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOENT";

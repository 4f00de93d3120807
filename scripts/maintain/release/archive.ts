/**
 * Packs folders as .tar.gz, of which the same files make the same bytes: names in order, no owner and no time. `helm package` writes the time of
 * packing, and so nobody could compare a chart with one that they packed themselves. What links lead to is packed in their place.
 */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** A file of an archive: its path there, its bytes, and whether it may be run. */
type Entry = { path: string; bytes: Buffer; runs: boolean };

/** @param name of the folder within the archive */
export async function packedFolder(folder: string, name: string): Promise<Buffer> {
  const entries = await entriesOf(folder, name);
  const blocks = entries.flatMap(({ path, bytes, runs }) => [header(path, bytes.length, runs), padded(bytes)]);
  // Two empty blocks are the end.
  const packed = gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]), { level: 9 });
  // The system that packed it, which is all in which gzip's results differ.
  packed[9] = 255;
  return packed;
}

/** What says the version of a client's package. A Go module has none: its tag says it. */
const manifests = /^(Cargo\.toml|pyproject\.toml|pom\.xml|build\.gradle(\.kts)?|[\w.-]+\.(csproj|nuspec))$/;

/**
 * The other languages' packages, each from a folder that is named by its language. It has the package's project in `source`, or is the project.
 *
 * @param folder which need not be there @throws when a manifest does not name the version
 */
export async function packedClients(folder: string, version: string): Promise<{ language: string; archive: Buffer }[]> {
  const languages = await readdir(folder).catch(() => []);
  return Promise.all(
    languages.sort().map(async (language) => {
      const client = join(folder, language);
      for (const project of [client, join(client, "source")])
        for (const name of (await readdir(project).catch(() => [])).filter((each) => manifests.test(each)))
          if (!(await readFile(join(project, name), "utf8")).includes(version))
            throw new Error(`${name} of the client for ${language} does not name the version ${version}.`);
      return { language, archive: await packedFolder(client, `chain-webhooks-client-${language}-${version}`) };
    }),
  );
}

async function entriesOf(folder: string, path: string): Promise<Entry[]> {
  const names = (await readdir(folder)).sort();
  const entries = names.map(async (name) => {
    const [file, inside] = [join(folder, name), `${path}/${name}`];
    const found = await stat(file);
    if (found.isDirectory()) return entriesOf(file, inside);
    return [{ path: inside, bytes: await readFile(file), runs: (found.mode & 0o100) !== 0 }];
  });
  return (await Promise.all(entries)).flat();
}

const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);

/** As POSIX's ustar has it. @throws for a path that it has no place for */
function header(path: string, size: number, runs: boolean): Buffer {
  const bytes = Buffer.from(path);
  const at = bytes.length <= 100 ? -1 : bytes.indexOf("/", bytes.length - 101);
  if (bytes.length > 100 && (at < 0 || at > 155)) throw new Error(`${path} is too long for an archive.`);
  const block = Buffer.alloc(512);
  bytes.copy(block, 0, at + 1);
  const octal = (value: number, offset: number, digits: number) =>
    block.write(`${value.toString(8).padStart(digits, "0")}\0`, offset);
  octal(runs ? 0o755 : 0o644, 100, 7);
  octal(0, 108, 7);
  octal(0, 116, 7);
  octal(size, 124, 11);
  octal(0, 136, 11);
  block.write("0", 156);
  block.write("ustar\x0000", 257);
  if (at > 0) bytes.copy(block, 345, 0, at);
  block.fill(" ", 148, 156);
  octal(
    block.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  );
  return block;
}

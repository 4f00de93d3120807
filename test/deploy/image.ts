/**
 * Builds the image of a Dockerfile without a container engine: each stage is a folder, COPY copies into it, and RUN runs there as it
 * stands. The programs are this machine's; that those of the base images are the same cannot be seen here.
 */
import { chmod, cp, mkdir, readdir, stat, symlink } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { run } from "../codegen/harness/run.ts";
import { type Ignored, type Instruction, pair, type Stage } from "./dockerfile.ts";

/** A built stage. */
export type Image = {
  /** Where its files are. */
  root: string;
  /** Its working folder, as in the image. */
  workdir: string;
  env: Record<string, string>;
  user: string;
  entrypoint: string[];
  command: string[];
  healthcheck: string[];
  ports: number[];
};

export type Context = {
  folder: string;
  ignored: Ignored;
  /** What base images bring, by its path in them, and where this machine has it. */
  provided: Readonly<Record<string, string>>;
};

/** Builds all stages below a folder. @returns the last one @throws with the output of the step that failed */
export async function buildImage(stages: readonly Stage[], context: Context, folder: string): Promise<Image> {
  const built = new Map<string, Image>();
  for (const { name, instructions } of stages) {
    const image: Image = {
      ...{ root: join(folder, name), workdir: "/", env: {}, user: "root" },
      ...{ entrypoint: [], command: [], healthcheck: [], ports: [] },
    };
    await mkdir(image.root);
    built.set(name, image);
    for (const instruction of instructions) await apply(image, instruction, built, context);
  }
  const last = [...built.values()].at(-1);
  if (!last) throw new Error("There is no stage.");
  return last;
}

/** A path of the image on this machine. */
export const within = (image: Image, path: string): string => join(image.root, resolve(image.workdir, path));

async function apply(image: Image, { name, text }: Instruction, built: ReadonlyMap<string, Image>, context: Context) {
  if (name === "WORKDIR") {
    image.workdir = resolve(image.workdir, text);
    await mkdir(within(image, "."), { recursive: true });
  } else if (name === "ENV")
    for (const each of text.split(" ")) Object.assign(image.env, Object.fromEntries([pair(each)]));
  else if (name === "USER") image.user = text;
  else if (name === "EXPOSE") image.ports = text.split(" ").map(Number);
  else if (name === "ENTRYPOINT") image.entrypoint = JSON.parse(text) as string[];
  else if (name === "CMD") image.command = JSON.parse(text) as string[];
  else if (name === "HEALTHCHECK") image.healthcheck = JSON.parse(text.slice(text.indexOf("["))) as string[];
  else if (name === "COPY") await copy(image, text, built, context);
  else if (name === "RUN")
    await run({
      name: `RUN ${text}`,
      command: text,
      cwd: within(image, "."),
      env: environment(image, context.provided),
      limitMs: 600_000,
    });
  else throw new Error(`The test cannot carry out ${name}.`);
}

/** Of the machine, a builder has its programs, its home for caches, and how it reaches registries. Nothing of the tests' own. */
function environment({ env }: Image, provided: Context["provided"]): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(NODE_ENV|VITEST|TEST|npm_(?!config_))/.test(name));
  const programs = Object.values(provided).map((path) => dirname(path));
  return { ...Object.fromEntries(kept), PATH: [...programs, process.env.PATH].join(":"), ...env };
}

async function copy(image: Image, text: string, built: ReadonlyMap<string, Image>, context: Context): Promise<void> {
  const words = text.split(" ");
  const stage = words[0]?.startsWith("--from=") ? words.shift()?.slice("--from=".length) : undefined;
  const to = words.pop() ?? "";
  for (const from of words) {
    const source = stage ? built.get(stage) : undefined;
    const isOne = words.length === 1 && !to.endsWith("/");
    const provided = source && context.provided[from];
    if (provided) {
      await mkdir(dirname(within(image, to)), { recursive: true });
      await symlink(provided, within(image, to));
    } else if (source) await place(within(source, from), within(image, to), isOne);
    else await copyContext(context, from, within(image, to), isOne);
  }
}

async function copyContext({ folder, ignored }: Context, from: string, to: string, isOne: boolean): Promise<void> {
  const isIn = async (path: string) => {
    const name = relative(folder, path);
    if (name === "" || !ignored.excludes(name)) return true;
    return ignored.mayInclude(name) && (await stat(path)).isDirectory();
  };
  if (from !== "." && ignored.excludes(from)) throw new Error(`COPY ${from}: the .dockerignore excludes it.`);
  if (from !== ".") return place(join(folder, from), to, isOne);
  for (const name of await readdir(folder))
    if (await isIn(join(folder, name))) await cp(join(folder, name), join(to, name), { recursive: true, filter: isIn });
}

/** A folder's content goes to the target; a file into it, unless the target is its new name. Links stay as they are. */
async function place(from: string, to: string, isOne: boolean): Promise<void> {
  const isFolder = (await stat(from)).isDirectory();
  const target = isFolder || (isOne && !to.endsWith("/.")) ? to : join(to, from.slice(from.lastIndexOf("/")));
  await cp(from, target, { recursive: true, verbatimSymlinks: true });
  if (isFolder) await chmod(target, 0o755);
}

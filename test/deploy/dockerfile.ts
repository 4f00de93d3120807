/** Reads a Dockerfile and its .dockerignore, as far as ours go. */

/** A line of a Dockerfile, continued lines joined. */
export type Instruction = { name: string; text: string };

/** A stage: its base, its name, and what follows its FROM. */
export type Stage = { base: string; name: string; instructions: Instruction[] };

/** @throws for an instruction before the first FROM, other than ARG */
export function parseDockerfile(text: string): Stage[] {
  const lines = text
    .replace(/^\s*#.*\n/gm, "")
    .replace(/\\\n/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const stages: Stage[] = [];
  const args = new Map<string, string>();
  for (const line of lines) {
    const [, name = "", rest = ""] = /^\s*(\w+)\s+(.*)$/.exec(line) ?? [];
    const stage = stages.at(-1);
    if (name === "ARG" && !stage) args.set(...pair(rest));
    else if (name === "FROM") {
      const [base = "", , called = String(stages.length)] = rest.split(/\s+/);
      stages.push({
        base: base.replace(/\$\{(\w+)\}/g, (_, arg: string) => args.get(arg) ?? ""),
        name: called,
        instructions: [],
      });
    } else if (stage) stage.instructions.push({ name, text: rest.trim().replace(/\s+/g, " ") });
    else throw new Error(`${name} is before the first FROM.`);
  }
  return stages;
}

/** Splits `A=b`. */
export function pair(text: string): [string, string] {
  const at = text.indexOf("=");
  return [text.slice(0, at), text.slice(at + 1)];
}

export type Ignored = {
  /** Whether a path of the context stays out of the build. */
  excludes(path: string): boolean;
  /** Whether something below an excluded folder may be in. */
  mayInclude(folder: string): boolean;
};

/** The last pattern that matches a path, or a folder above it, decides. */
export function parseIgnoreFile(text: string): Ignored {
  const patterns = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const path = line.replace(/^!/, "");
      const expression = path
        .replace(/[.+^$()|[\]{}]/g, "\\$&")
        .replace(/(\*\*\/)|(\*)/g, (_, anywhere) => (anywhere ? "(?:.*/)?" : "[^/]*"));
      return { isException: line.startsWith("!"), path, matches: new RegExp(`^${expression}(?:/.*)?$`) };
    });
  return {
    excludes: (path) => patterns.findLast(({ matches }) => matches.test(path))?.isException === false,
    mayInclude: (folder) => patterns.some(({ isException, path }) => isException && path.startsWith(`${folder}/`)),
  };
}

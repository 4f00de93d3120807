/** Completion in the real shells: what they offer is what the commands take. A shell that is not installed is left out. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serviceCommands } from "../../scripts/command/service-commands.ts";
import { toolOf } from "../../scripts/command/tool.ts";
import { toolCommands } from "../../scripts/command/tool-commands.ts";
import { runHere } from "../support/command.ts";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

const tools = { "chain-webhooks-tools": toolCommands, "chain-webhooks-service": serviceCommands } as const;
const folder = mkdtempSync(join(tmpdir(), "completion-"));
const file = (shell: Shell, tool: string) => join(folder, `${tool}.${shell}`);

beforeAll(async () => {
  for (const shell of shells)
    for (const [tool, table] of Object.entries(tools)) {
      const { code, stdout } = await runHere(toolOf(tool, table), ["completion", shell]);
      expect(code).toBe(0);
      writeFileSync(file(shell, tool), stdout);
    }
});
afterAll(() => rmSync(folder, { recursive: true }));

const isInstalled = (shell: Shell) => spawnSync(shell, ["-c", "true"]).status === 0;

/** What a shell offers for the last word of a line. */
const offered: Readonly<Record<Shell, (line: string) => string[]>> = {
  bash(line) {
    const tool = line.split(" ")[0] ?? "";
    const script = `source "$1"
COMP_WORDS=($2); [[ $2 == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_${tool.replaceAll("-", "_")}; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return lines(execFileSync("bash", ["--norc", "-c", script, "bash", file("bash", tool), line], { cwd: folder }));
  },
  // zsh completes in its line editor only. So the function runs with what it would call, and that prints.
  zsh(line) {
    const tool = line.split(" ")[0] ?? "";
    const script = `compdef() { : }
compadd() { shift; print -l -- "$@" }
_files() { print -l -- *(N) }
_describe() { print -l -- "\${(@)\${(P)2}%%:*}" }
source "$1"
words=("\${(@s: :)2}"); CURRENT=\${#words}
_${tool.replaceAll("-", "_")}`;
    const found = lines(execFileSync("zsh", ["-f", "-c", script, "zsh", file("zsh", tool), line], { cwd: folder }));
    const last = line.split(" ").at(-1) ?? "";
    return found.filter((word) => word.startsWith(last));
  },
  fish(line) {
    const tool = line.split(" ")[0] ?? "";
    const script = `complete -e -c ${tool}; source $argv[1]; complete -C "$argv[2]"`;
    const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
    const found = execFileSync("fish", ["--no-config", "-c", script, file("fish", tool), line], { cwd: folder, env });
    return lines(found).map((each) => each.split("\t")[0] ?? "");
  },
};

const lines = (output: Buffer) =>
  output
    .toString()
    .split("\n")
    .filter((line) => line !== "");

/** Of each line what must be offered, and what must not. */
const cases: readonly [line: string, offers: readonly string[], not: readonly string[]][] = [
  ["chain-webhooks-tools mo", ["mock"], ["mcp"]],
  ["chain-webhooks-tools ", ["webhooks", "notifications", "replay", "completion", "help"], ["serve"]],
  ["chain-webhooks-tools mock --ch", ["--chain", "--chain-id"], ["--port"]],
  ["chain-webhooks-tools mock --targets p", ["private"], ["loopback", "--port"]],
  ["chain-webhooks-tools diff --fail-on ", ["breaking", "warning", "none"], ["--format"]],
  ["chain-webhooks-tools webhooks ", ["list", "create", "pause", "resume", "secret", "delete"], ["--url"]],
  ["chain-webhooks-tools webhooks create --ur", ["--url"], ["--status"]],
  ["chain-webhooks-tools webhooks list --st", ["--status"], ["--url"]],
  ["chain-webhooks-tools webhooks list --status i", ["inactive"], ["active"]],
  ["chain-webhooks-tools completion ", ["bash", "zsh", "fish"], []],
  ["chain-webhooks-tools conformance --junit chain-webhooks-tools.ba", ["chain-webhooks-tools.bash"], ["--key"]],
  ["chain-webhooks-service keys create --ac", ["--account"], ["--json"]],
  ["chain-webhooks-service ser", ["serve"], ["secrets"]],
];

test.each(shells.filter(isInstalled).flatMap((shell) => cases.map((each) => [shell, ...each] as const)))(
  "%s completes %j",
  (shell, line, offers, not) => {
    const found = offered[shell](line);
    expect(found).toEqual(expect.arrayContaining([...offers]));
    for (const word of not) expect(found).not.toContain(word);
  },
);

test("every option of every command is offered by bash, after the action that takes it", async () => {
  for (const [tool, table] of Object.entries(tools))
    for (const [name, { load }] of Object.entries(table)) {
      const { options, actions } = (await load()).command;
      const places = actions ? Object.entries<readonly string[]>(actions) : [["", Object.keys(options)] as const];
      for (const [action, names] of places) {
        const line = `${[tool, name, action].filter((word) => word !== "").join(" ")} --`;
        expect([line, offered.bash(line).sort()]).toEqual([line, [...names, "help"].map((each) => `--${each}`).sort()]);
      }
      const taken = new Set(places.flatMap(([, names]) => names));
      expect([name, Object.keys(options).filter((option) => !taken.has(option))]).toEqual([name, []]);
    }
});

test.each([
  ["completion", "--help"],
  ["help", "completion"],
])("%s %s says what it takes", async (...args) => {
  const { code, stdout } = await runHere(toolOf("tool", toolCommands), args);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("tool completion SHELL") });
});

test("a command of several words, as a checkout has it, offers no completion: that would be the first word's", async () => {
  const { code, stderr } = await runHere(toolOf("npm run cli --", toolCommands), ["completion", "bash"]);
  expect(code).toBe(2);
  expect(stderr).toBe("Unknown command completion. See --help.\n");
});

test("an unknown shell is refused", async () => {
  const { code, stderr } = await runHere(toolOf("tool", toolCommands), ["completion", "tcsh"]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: "completion takes one of bash, zsh, fish. See --help.\n" });
});

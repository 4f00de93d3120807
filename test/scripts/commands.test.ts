/** The command line tool: its help, and its errors for wrong arguments. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { run } from "../../scripts/command/run.ts";
import { serviceCommands } from "../../scripts/command/service-commands.ts";
import { runHere } from "../support/command.ts";

const tool = (...args: string[]) => runHere(run, args);

test.each([
  "serve",
  "keys",
  "accounts",
  "cells",
  "secrets",
  "mock",
  "trigger",
  "listen",
  "conformance",
  "diff",
  "mcp",
  "docs",
])("help %s prints the same as --help after the command, and names the command", async (name) => {
  const help = await tool(name, "--help");
  expect(help).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringContaining(
      `${name in serviceCommands ? "chain-webhooks-service" : "chain-webhooks-tools"} ${name}`,
    ),
  });
  expect(await tool("help", name)).toEqual(help);
});

test("the help of serve names every setting", async () => {
  const read = (name: string) => readFile(new URL(`../../server/settings/${name}.ts`, import.meta.url), "utf8");
  const sources = (await Promise.all(["config", "limits", "settings"].map(read))).join("");
  const { stdout } = await tool("serve", "--help");
  const names = [...sources.matchAll(/\benv\.([A-Z_]+)|\b(?:setting|optional)\(\s*"([A-Z_]+)"/g)].map(
    ([, one, other]) => one ?? other ?? "",
  );
  expect(names.length).toBeGreaterThan(40);
  // Variables that the system has for every program are named where they decide: ~ is HOME.
  expect(stdout).toMatch(/^ {2}DATA_DIR .* ~\/(.|\n {3})*\bXDG_DATA_HOME\b/m);
  for (const name of names.filter((each) => !["HOME", "XDG_DATA_HOME"].includes(each)))
    expect(stdout).toMatch(new RegExp(`^  ${name} `, "m"));
});

test.each([
  [["triger"], "Unknown command triger; did you mean trigger?"],
  [["frobnicate"], "Unknown command frobnicate."],
  [["help", "moc"], "Unknown command moc; did you mean mock?"],
  [["constructor"], "Unknown command constructor."],
  [["--verison"], "Unknown option --verison; did you mean --version?"],
  [["mock", "--prot", "1"], "Unknown option --prot; did you mean --port?"],
  [["mock", "-x"], "Unknown option -x."],
  [["mock", "--port"], "--port needs a value; one that begins with - is written --port=VALUE."],
  [["mock", "--port", "--host", "::1"], "--port needs a value; one that begins with - is written --port=VALUE."],
  [["listen", "--json=yes"], "--json takes no value."],
  [["trigger", "erc-20"], "There is no scenario erc-20; there are non-fungible-transfer, "],
  [["trigger", "natve-transfer"], "There is no scenario natve-transfer; did you mean native-transfer?"],
  [["keys", "revok"], "The command must be create, list or revoke, not revok; did you mean revoke?"],
  [
    ["secrets", "encrpt"],
    "The command must be new-key, list, encrypt, decrypt or replace-lost, not encrpt; did you mean encrypt?",
  ],
  [["docs", "--port", "web"], "--port must be a whole number from 0 to 65535."],
  [["serve", "now"], 'Unexpected argument "now". Options start with "--".'],
])("%j prints one sentence and exits with 2", async (args, sentence) => {
  const { code, stdout, stderr } = await tool(...args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr.startsWith(sentence)).toBe(true);
  expect(stderr).toMatch(/^[^\n]+ See --help\.\n$/);
});

/** The options and variables of `chain-webhooks-tools mcp`: what is wrong is refused before the server starts, without showing the key. */
import { describe, expect, test, vi } from "vitest";
import { run } from "../../scripts/command/commands/mcp.ts";
import { runHere } from "../support/command.ts";

describe("as a command", () => {
  const secret = "cwk_do_not_show";
  const withEnv = async (env: Record<string, string>, args: string[] = []) => {
    for (const [name, value] of Object.entries({ BASE_URL: undefined, API_KEY: undefined, ...env }))
      vi.stubEnv(name, value);
    try {
      return await runHere(run, args);
    } finally {
      vi.unstubAllEnvs();
    }
  };

  test.each([
    [{}, [], "The variable BASE_URL must be set: the address of the API."],
    [{ BASE_URL: "http://127.0.0.1" }, [], "The variable API_KEY must be set: the API key."],
    [{ BASE_URL: "localhost:3000", API_KEY: secret }, [], "BASE_URL must be an http or https address"],
    [
      { BASE_URL: `http://u:${secret}@127.0.0.1`, API_KEY: secret },
      [],
      "BASE_URL must be an http or https address without",
    ],
    [
      { BASE_URL: "http://127.0.0.1", API_KEY: `${secret}\n` },
      [],
      "API_KEY must be a string of visible ASCII characters.",
    ],
    [{}, ["--key", secret], "Unknown option --key."],
    [{}, [`--api-key=${secret}`], "Unknown option --api-key"],
    [{}, ["--alow-write"], "Unknown option --alow-write; did you mean --allow-write?"],
  ] as [Record<string, string>, string[], string][])(
    "%j %j exits with 2, and a sentence without the key",
    async (env, args, sentence) => {
      const { code, stdout, stderr } = await withEnv(env, args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr.startsWith(sentence), stderr).toBe(true);
      expect(stderr).toMatch(/^[^\n]+ See --help\.\n$/);
      expect(stderr).not.toContain(secret);
    },
  );
});

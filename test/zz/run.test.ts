import { test } from "vitest";
import { run } from "../../scripts/command/commands/conformance.ts";
import { runHere } from "../support/command.ts";
import { otherKey, startExample } from "../conformance/example.ts";
test("x", { timeout: 600_000 }, async () => {
  const example = await startExample();
  const { code, stdout, stderr } = await runHere(run, [example.url, "--key", "both", "--read-key", "read", "--write-key", "write", "--other-key", otherKey, "--cases", process.env.N ?? "600", "--seed", "5"]);
  console.log(code, stdout.slice(-6000), stderr);
  await example.close();
});

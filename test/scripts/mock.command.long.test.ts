/** `chain-webhooks-tools mock` as a command. */
import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { run } from "../../scripts/command/commands/mock.ts";
import { startMock } from "../../scripts/command/mock/start.ts";
import { runHere, startChainWebhooks, startCommand } from "../support/command.ts";

test.each<[object, string]>([
  [{ retryPauseMs: Number.NaN }, "retryPauseMs must be a whole number from 0 to 86400000."],
  [{ retryPauseMs: 2 ** 31 }, "retryPauseMs must be a whole number from 0 to 86400000."],
  [{ quotas: { webhooks: -1 } }, "quotas.webhooks must be a whole number from 0 to 100000."],
  [{ quotas: { addresses: "many" } }, "quotas.addresses must be a whole number from 0 to 10000000."],
  [{ chain: { blocks: "recorded", chainId: "0x1" } }, "chain.chainId must be a decimal number, such as 43114."],
  [{ chain: { blocks: "recorded", speed: 0 } }, "speed must be from 0.01 to 100."],
  [{ chain: "recorded" }, "chain must be an object."],
  [{ chain: { speed: 2 } }, "chain.blocks must be recorded, or a folder or file of recorded blocks."],
  [{ chain: { blocks: "recorded", seed: 2 } }, "chain.seed is no option; did you mean speed?"],
  [{ quota: { webhooks: 1 } }, "quota is no option; did you mean quotas?"],
  [{ quotas: { webhook: 1 } }, "quotas.webhook is no option; did you mean webhooks?"],
  [{ quotas: null }, "quotas must be an object."],
  [{ port: "4010" }, "port must be a whole number from 0 to 65535."],
  [{ port: -1 }, "port must be a whole number from 0 to 65535."],
  [{ cors: "*" }, "cors must be a list of origins, such as https://app.example.com, or *."],
  [{ cors: ["null"] }, "cors must be a list of origins, such as https://app.example.com, or *."],
  [{ cors: ["https://app.example.com/"] }, "cors must be a list of origins, such as https://app.example.com, or *."],
  [{ cors: ["localhost:3000"] }, "cors must be a list of origins, such as https://app.example.com, or *."],
  [{ allowHosts: ["mock:4010"] }, "allowHosts must be a list of host names without a port, such as mock."],
  [{ allowHost: ["mock"] }, "allowHost is no option; did you mean allowHosts?"],
  [{ targets: "lopback" }, "targets must be one of loopback, private, any."],
  [{ targets: ["any"] }, "targets must be one of loopback, private, any."],
  [{ host: "" }, "host must be an address, such as 127.0.0.1."],
  [{ onLine: "console" }, "onLine must be a function."],
])("startMock refuses %j in a sentence", async (options, message) => {
  await expect(startMock(options)).rejects.toThrow(message);
});

describe("as a command", () => {
  test("--help lists the options and the secret", async () => {
    const { code, stdout } = await runHere(run, ["--help"]);
    expect(code).toBe(0);
    for (const word of [
      "--port",
      "--chain",
      "--stateless",
      "Prefer",
      "/_mock",
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    ])
      expect(stdout).toContain(word);
  });

  test.each([
    [["--port", "web"], "--port must be a whole number from 0 to 65535."],
    [["--colour"], "Unknown option --colour."],
    [["--cors", "app.example.com"], "--cors must be *, or an origin such as https://app.example.com, without a path"],
    [["--cors", "*", "--cors", "https://app.example.com/"], "not https://app.example.com/."],
    [["--cors", "null"], "not null, which is that of any page; use * if all pages may call."],
    [["--cros", "*"], "Unknown option --cros; did you mean --cors?"],
    [
      ["--allow-host", "http://mock"],
      "--allow-host must be a host name or an address without a port, such as mock, not http://mock.",
    ],
    [["--targets", "lopback"], "--targets must be one of loopback, private, any; did you mean loopback?"],
    [["--targets", "10.0.0.1"], "--targets must be one of loopback, private, any."],
    [["--port", "0", "--host", ""], "--host must be an address, such as 127.0.0.1."],
    [
      ["--webhook-quota", "-1"],
      "--webhook-quota needs a value; one that begins with - is written --webhook-quota=VALUE.",
    ],
    [["--address-quota", "many"], "--address-quota must be a whole number from 0 to 10000000."],
    [["--retry-pause", "1.5"], "--retry-pause must be a whole number from 0 to 86400000."],
    [["--chain", "recorded", "--speed", "0"], "--speed must be a number from 0.01 to 100."],
    [["--chain", "recorded", "--speed", "1e3"], "--speed must be a number from 0.01 to 100."],
    [["--chain", "recorded", "--chain-id", "0x1"], "--chain-id must be a decimal number, such as 43114."],
    [["--speed", "2"], "--chain-id and --speed must come with --chain."],
    [["--stateless", "--chain", "recorded"], "--stateless must not come with --chain."],
    [["4011"], 'Unexpected argument "4011". Options start with "--".'],
  ])("%j is refused in a sentence, with exit code 2", async (args, message) => {
    const { code, stderr } = await runHere(run, args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^[^\n]+ See --help\.\n$/);
  });

  test("a port in use is reported in a sentence, with exit code 1", async () => {
    const busy = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => busy.once("listening", resolve));
    const address = busy.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const { code, stderr } = await runHere(run, ["--port", String(port)]);
    busy.close();
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Port ${port} of 127.0.0.1 is in use; choose another with --port.\n`,
    });
  });

  test("SIGTERM ends it, with exit code 0", async () => {
    const command = await startChainWebhooks("mock", ["--port", "0"]);
    const reply = await fetch(`${command.url}/v1/chains`);
    expect(reply.status).toBe(200);
    expect(await command.end("SIGTERM")).toBe(0);
    expect(command.stderr()).toBe("");
    await expect(fetch(command.url)).rejects.toThrow();
  });

  test("it does not outlive the npm that runs it", async () => {
    const command = await startCommand("npm", ["run", "cli", "mock", "--", "--port", "0"]);
    await command.end("SIGTERM");
    await expect.poll(() => fetch(command.url).catch(() => "gone")).toBe("gone");
  });
});

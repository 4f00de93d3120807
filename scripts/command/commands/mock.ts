/** A mock of the API, for those who write a client or a receiver before there is a service to try it on. */
import { createLog, standardOutput } from "../../../server/base/log.ts";
import { type TargetReach, targetReaches } from "../../../server/targets/targets.ts";
import { type CommandOptions, noOperands, runCommand, UsageError, wholeNumberOption } from "../command-line.ts";
import { didYouMean } from "../did-you-mean.ts";
import { hostNames, isCorsOrigin, isLoopbackHost } from "../local-access.ts";
import { createMock, createStatelessMock } from "../mock/app.ts";
import { isChainId, readRecorded } from "../mock/chain/recorded.ts";
import { exampleSecret } from "../notifications/secret.ts";
import { serve } from "../serving.ts";

const options = {
  port: { type: "string", default: "4010", value: "PORT", help: "Port to listen on; 0 picks a free one." },
  host: { type: "string", default: "127.0.0.1", value: "HOST", help: "Address to listen on." },
  cors: {
    type: "string",
    multiple: true,
    value: "ORIGIN",
    help: "Let pages of this origin call, such as https://app.example.com; * for all pages. May be repeated. Without it, pages of this machine may: http://localhost on any port.",
  },
  "allow-host": {
    type: "string",
    multiple: true,
    value: "NAME",
    help: "A name besides localhost by which it may be called, such as that of a container. May be repeated.",
  },
  targets: {
    type: "string",
    default: "loopback",
    value: "REACH",
    oneOf: targetReaches,
    help: "Where notifications may go: loopback (this machine), private (also private networks), or any.",
  },
  "webhook-quota": { type: "string", value: "N", help: "Webhooks that there may be. Default: 10000." },
  "address-quota": { type: "string", value: "N", help: "Addresses that they may watch together. Default: 1000000." },
  "retry-pause": {
    type: "string",
    value: "MS",
    help: "Pause before each retry of a notification. Default: the service's schedule, which begins with 10 s.",
  },
  chain: {
    type: "string",
    value: "BLOCKS",
    help: 'Play recorded blocks, and notify of what is in them: "recorded" for those of the package, or a folder with N.block.json, N.receipts.json and perhaps N.calls.json.',
  },
  "chain-id": {
    type: "string",
    value: "ID",
    help: "The chain to play them as. Default: the one that their transactions name.",
  },
  speed: { type: "string", value: "N", help: "Blocks a second, from 0.01 to 100. Default: 1." },
  stateless: {
    type: "boolean",
    default: false,
    help: "Remember nothing: the contract's examples answer, and every id has a webhook.",
  },
} as const satisfies CommandOptions;

/** What `mock` takes. */
export const command = {
  intro: `Serve a mock of the API. It checks requests as the service does, and remembers what is created.

Usage:
  chain-webhooks-tools mock [options]`,
  options,
  notes: `Any x-service-api-key is valid. Whoever reaches the port may call, so listen beyond this machine (--host) only in a
network that you trust. Until the first webhook is created, there are the contract's examples.
The header Prefer selects an example as the answer, such as code=404 or example=wallet; such a request changes nothing.

A new webhook gets a notification at its url if --targets allows it. Until its secret is rotated, all are signed with
${exampleSecret}.

A test can send notifications, make requests fail and start from scratch: GET /_mock lists how.

Exit codes: 0 after Ctrl-C, 1 when it cannot listen or play the blocks of --chain, 2 for a wrong argument, 3 when Prism is not installed.`,
};

type Values = { [Name in keyof typeof options]?: string | boolean | string[] | undefined };

/** Runs `mock` until SIGINT or SIGTERM. @returns the exit code */
export function run(args: string[]): Promise<number> {
  return runCommand(command, args, async ({ values, positionals }) => {
    noOperands(positionals);
    const port = wholeNumberOption("port", values.port, { from: 0, to: 65_535 });
    const access = {
      cors: (values.cors ?? []).map(corsOrigin),
      allowHosts: hostNames("allow-host", values["allow-host"] ?? []),
    };
    const said = {
      ...{ say: console.log, log: createLog("error", { destination: standardOutput(2) }) },
      ...{ access, targets: targetReach(values.targets) },
    };
    const { app, close } = values.stateless
      ? await createStatelessMock({ ...said, ...nothingBeside(values) })
      : await createMock({ ...said, ...(await readOptions(values)) });
    try {
      await serve(app, { port, host: values.host }, (url) => {
        console.log(`The mock is listening at ${url}; its docs are at ${url}/docs.`);
        if (!isLoopbackHost(new URL(url).hostname))
          console.log("Whoever reaches it from another machine may call it; any key is valid.");
      });
    } finally {
      await close();
    }
    return 0;
  });
}

function corsOrigin(text: string): string {
  if (isCorsOrigin(text)) return text;
  const why = text === "null" ? ", which is that of any page; use * if all pages may call" : "";
  throw new UsageError(
    `--cors must be *, or an origin such as https://app.example.com, without a path or a slash at the end, not ${text}${why}.`,
  );
}

function targetReach(text: string): TargetReach {
  const found = targetReaches.find((reach) => reach === text);
  if (found) return found;
  throw new UsageError(`--targets must be one of ${targetReaches.join(", ")}${didYouMean(text, targetReaches)}`);
}

/** @throws UsageError for an option that means nothing without state */
function nothingBeside(values: Values): Record<never, never> {
  const names = ["webhook-quota", "address-quota", "retry-pause", "chain", "chain-id", "speed"] as const;
  const beside = names.find((name) => values[name] !== undefined);
  if (beside) throw new UsageError(`--stateless must not come with --${beside}.`);
  return {};
}

async function readOptions(values: Values) {
  const numberOf = (name: "webhook-quota" | "address-quota" | "retry-pause", to: number) => {
    const text = values[name];
    return typeof text === "string" ? wholeNumberOption(name, text, { from: 0, to }) : undefined;
  };
  const [webhooks, addresses] = [numberOf("webhook-quota", 100_000), numberOf("address-quota", 10_000_000)];
  return {
    quotas: { ...(webhooks !== undefined && { webhooks }), ...(addresses !== undefined && { addresses }) },
    retryPauseMs: numberOf("retry-pause", 86_400_000),
    chain: await readChain(values),
  };
}

async function readChain({ chain, "chain-id": chainId, speed = "1" }: Values) {
  const blocksPerSecond = /^\d{1,3}(\.\d{1,3})?$/.test(String(speed)) ? Number(speed) : 0;
  if (blocksPerSecond < 0.01 || blocksPerSecond > 100)
    throw new UsageError("--speed must be a number from 0.01 to 100.");
  if (chainId !== undefined && !isChainId(String(chainId)))
    throw new UsageError("--chain-id must be a decimal number, such as 43114.");
  if (typeof chain !== "string") {
    if (chainId !== undefined || speed !== "1") throw new UsageError("--chain-id and --speed must come with --chain.");
    return undefined;
  }
  const recorded = await readRecorded(chain, chainId === undefined ? undefined : String(chainId));
  const first = recorded.bundles[0]?.block.transactions.find(({ to }) => to)?.to;
  console.log(`Playing ${recorded.bundles.length} blocks of chain ${recorded.chainId}, in which ${first} takes part.`);
  return { recorded, blocksPerSecond };
}

/** The options of `startMock`. They are checked, since JavaScript lets them through misspelt and of any type. */
import { type TargetReach, targetReaches } from "../../../server/targets/targets.ts";
import { didYouMean } from "../did-you-mean.ts";
import { isCorsOrigin, isHostName } from "../local-access.ts";
import { isChainId } from "./chain/recorded.ts";

/** How to start the mock. */
export type StartMockOptions = {
  /** 0, the default, picks a free one. */
  port?: number;
  /** The address to listen on; 127.0.0.1 by default. */
  host?: string;
  /** How many webhooks there may be, and how many addresses they may watch together. 10,000 and 1,000,000 by default. */
  quotas?: { webhooks?: number; addresses?: number };
  /** The pause before each retry of a notification, in ms, in place of the service's schedule, which begins with 10 s. */
  retryPauseMs?: number;
  /** Recorded blocks to play: `recorded`, or a folder. `speed` is in blocks a second, 1 by default. */
  chain?: { blocks: string; chainId?: string; speed?: number };
  /** Origins whose pages may call, such as `https://app.example.com`, besides pages of this machine; `*` for all pages. */
  cors?: readonly string[];
  /** Names by which it may be called, besides `localhost`: without a port, such as that of a container. */
  allowHosts?: readonly string[];
  /** Where notifications may go: to this machine (`loopback`, the default), also to `private` networks, or to `any` address. */
  targets?: TargetReach;
  /** Called with a line for each request, and each notification sent. */
  onLine?: (line: string) => void;
};

type Fields<Options> = Record<keyof Required<Options>, true>;

const fields: Fields<StartMockOptions> = {
  port: true,
  host: true,
  quotas: true,
  retryPauseMs: true,
  chain: true,
  cors: true,
  allowHosts: true,
  targets: true,
  onLine: true,
};
const quotaFields: Fields<NonNullable<StartMockOptions["quotas"]>> = { webhooks: true, addresses: true };
const chainFields: Fields<NonNullable<StartMockOptions["chain"]>> = { blocks: true, chainId: true, speed: true };

/** @throws {TypeError} that names the option and what it must be */
export function assertStartOptions(options: StartMockOptions): void {
  assertKnown("", options, fields);
  const { port, host, quotas, retryPauseMs, chain, cors, allowHosts, targets, onLine } = options;
  // The bounds of the command's options. A timer takes what is beyond them for 1 ms.
  assertWhole("port", port, 65_535);
  assertWhole("retryPauseMs", retryPauseMs, 86_400_000);
  // Node takes an empty one for every address of the machine.
  if (host !== undefined && (typeof host !== "string" || host === ""))
    throw new TypeError("host must be an address, such as 127.0.0.1.");
  if (onLine !== undefined && typeof onLine !== "function") throw new TypeError("onLine must be a function.");
  assertEach("cors", cors, isCorsOrigin, "origins, such as https://app.example.com, or *");
  assertEach("allowHosts", allowHosts, isHostName, "host names without a port, such as mock");
  if (targets !== undefined && !targetReaches.includes(targets))
    throw new TypeError(`targets must be one of ${targetReaches.join(", ")}.`);
  assertQuotas(quotas);
  if (chain !== undefined) assertChain(chain);
}

/** @throws {TypeError} that names the option and what it must be */
export function assertQuotas(quotas: StartMockOptions["quotas"]): void {
  if (quotas === undefined) return;
  assertKnown("quotas", quotas, quotaFields);
  assertWhole("quotas.webhooks", quotas.webhooks, 100_000);
  assertWhole("quotas.addresses", quotas.addresses, 10_000_000);
}

function assertChain(chain: NonNullable<StartMockOptions["chain"]>): void {
  assertKnown("chain", chain, chainFields);
  if (typeof chain.blocks !== "string")
    throw new TypeError("chain.blocks must be recorded, or a folder or file of recorded blocks.");
  if (chain.chainId !== undefined && (typeof chain.chainId !== "string" || !isChainId(chain.chainId)))
    throw new TypeError("chain.chainId must be a decimal number, such as 43114.");
}

function assertEach(name: string, values: unknown, isGood: (value: string) => boolean, what: string): void {
  if (values === undefined) return;
  if (!Array.isArray(values) || !values.every((value) => typeof value === "string" && isGood(value)))
    throw new TypeError(`${name} must be a list of ${what}.`);
}

/** @throws {TypeError} for an option that there is not */
export function assertKnown(name: string, given: object, known: Readonly<Record<string, true>>): void {
  if (typeof given !== "object" || given === null) throw new TypeError(`${name || "The options"} must be an object.`);
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(known, key));
  if (unknown !== undefined)
    throw new TypeError(`${name && `${name}.`}${unknown} is no option${didYouMean(unknown, Object.keys(known))}`);
}

/** @throws {TypeError} for anything but a whole number up to `max` */
export function assertWhole(name: string, value: unknown, max: number): void {
  if (value === undefined || (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= max))
    return;
  throw new TypeError(`${name} must be a whole number from 0 to ${max}.`);
}

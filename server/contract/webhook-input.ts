/** What the contract says of a webhook's fields in words, beyond its schemas. */
import type { components } from "../../generated/types.ts";
import { matchesByLogsOnly, type NewWebhook, routingKeyHeader } from "../matching/new-webhook.ts";
import { refusalOf, type TargetPolicy, unresolvable } from "../targets/targets.ts";
import { checkAddress, lowerCaseOnce, readAddresses } from "./address-input.ts";
import { badRequest, type HttpError } from "./errors.ts";
import { readHeaders, readOptions } from "./webhook-options.ts";

type WebhookCreate = components["schemas"]["WebhookCreate"];

/** A chain on which webhooks can be created. */
export type SupportedChain = {
  /** EIP-155, decimal. */
  chainId: string;
  name: string;
  /** Whether webhooks on it can have `includeInternalTxs`. */
  traces: boolean;
  /** Which of its blocks are final; undefined if nobody says so. Then webhooks on it cannot wait for it. */
  finality?: components["schemas"]["ChainFinality"] | undefined;
  /** Whether its headers prove which logs their blocks cannot have; by default they do. */
  blooms?: boolean;
};

/** The configuration that decides whether a webhook can be created. */
export type WebhookPolicy = TargetPolicy & {
  chains: readonly SupportedChain[];
  /** The names of the server's settings that allow more targets. A refusal of a `url` names the one that would allow it. */
  targetSettings?: { http: string; private: string };
};

/** Reads a webhook to create. @throws {HttpError} 400 */
export async function readNewWebhook(body: WebhookCreate, policy: WebhookPolicy): Promise<NewWebhook> {
  const { chainId, eventType, metadata, name = "", description = "" } = body;
  const includeInternalTxs = oneBoolean(body, "includeInternalTxs");
  const includeLogs = oneBoolean(body, "includeLogs");
  const chain = policy.chains.find((supported) => supported.chainId === chainId);
  if (!chain) {
    const supported = policy.chains.map((one) => one.chainId).sort((a, b) => Number(BigInt(a) - BigInt(b)));
    throw badRequest(`chainId must be one of the supported chains: ${supported.join(", ")}.`);
  }
  if (includeInternalTxs) assertTraces(chain);
  const url = readUrl(body, policy);
  const { options, signatures } = readOptions(body);
  assertFinality(options?.finality, chain);
  const addresses = await readAddresses(metadata.addresses ?? [], "metadata.addresses");
  if (metadata.createdBy) checkAddress(metadata.createdBy.address, "metadata.createdBy.address");
  const headerNames = readHeaders(body.headers).map(([own]) => own);
  const { eventSignatures: given = [] } = metadata;
  const eventSignatures = lowerCaseOnce(given.length > 0 ? given : [...signatures]);
  const webhook = {
    ...{ chainId, eventType, name, description, includeInternalTxs, includeLogs, addresses, eventSignatures },
    ...(url !== undefined && { url }),
    ...(body.maxPerSecond && { maxPerSecond: body.maxPerSecond }),
    ...(headerNames.length > 0 && { headerNames }),
    ...(options && { options }),
  };
  assertHistoryMode(body, webhook, chain);
  return webhook;
}

/** @returns where notifications are sent; undefined for a webhook that is only read by its feed */
function readUrl(
  { url, delivery }: Pick<WebhookCreate, "url" | "delivery">,
  policy: WebhookPolicy,
): string | undefined {
  if (delivery === "feed") {
    if (url !== undefined) throw badRequest("url must be absent with delivery feed.");
    return undefined;
  }
  if (url === undefined) throw badRequest("url is required unless delivery is feed.");
  assertTargetUrl(url, policy);
  return url;
}

function assertHistoryMode(
  { historyMode, fromBlock }: Pick<WebhookCreate, "historyMode" | "fromBlock">,
  webhook: NewWebhook,
  { chainId, blooms = true }: SupportedChain,
): void {
  if (historyMode === undefined) return;
  if (fromBlock === undefined) throw badRequest("historyMode must be left out where there is no fromBlock.");
  if (historyMode === "complete") return;
  if (!matchesByLogsOnly(webhook))
    throw badRequest(
      "historyMode must be complete unless the webhook has eventSignatures or abi, no createdBy and no internal transactions: the other modes find logs only.",
    );
  if (historyMode === "headers" && !blooms)
    throw badRequest(
      `historyMode must be complete or logs on chain ${chainId}, whose headers do not prove which logs a block has.`,
    );
}

type Webhook = components["schemas"]["Webhook"];

/** Checks a change of a webhook, whose chain may no longer be supported. @throws {HttpError} 400 */
export function assertChange(
  change: components["schemas"]["WebhookUpdate"],
  { chainId, url }: Pick<Webhook, "chainId" | "url">,
  policy: WebhookPolicy,
): void {
  const chain = policy.chains.find((supported) => supported.chainId === chainId);
  if (change.includeInternalTxs) assertTraces(chain);
  if (change.maxPerSecond && url === undefined)
    throw badRequest("maxPerSecond must be absent: the webhook has the delivery feed.");
  if (readHeaders(change.headers).length > 0 && url === undefined)
    throw badRequest("headers must be absent: the webhook has the delivery feed.");
  if (change.url === undefined) return;
  if (url === undefined) throw badRequest("url must be absent: the webhook has the delivery feed.");
  assertTargetUrl(change.url, policy);
}

/** Checks an operational webhook. @returns its settings @throws {HttpError} 400 */
export function readOperational(
  { url, format = "signed", headers }: components["schemas"]["OperationalWebhookInput"],
  policy: WebhookPolicy,
) {
  const own = readHeaders(headers);
  if (url !== undefined) assertTargetUrl(url, policy);
  else if (format !== "signed") throw badRequest("format must be signed or absent without url.");
  else if (own.length > 0) throw badRequest("headers must be absent without url.");
  const key = own.find(([name]) => name.toLowerCase() === routingKeyHeader)?.[1];
  if (format === "pagerduty" && key?.length !== 32)
    throw badRequest(
      "headers must have X-Routing-Key with the format pagerduty: the integration's key, 32 characters.",
    );
  return { url, format, headers: own };
}

/** The error for a test of an operational webhook without a url. */
export const operationalWithoutUrl = (): HttpError =>
  badRequest("url must be set for a test: the operational webhook is only read by its feed.");

/** @param what needs somewhere to send to @throws {HttpError} 400 for a webhook that is only read by its feed */
export function assertHasUrl<Given extends Pick<Webhook, "url">>(
  webhook: Given,
  what: string,
): asserts webhook is Given & { url: string } {
  if (webhook.url === undefined)
    throw badRequest(`${what} needs a webhook with a url; this one has the delivery feed.`);
}

/** The booleans may be in `metadata`, next to it, or in both places, where they must agree. */
function oneBoolean(body: WebhookCreate, field: "includeInternalTxs" | "includeLogs"): boolean {
  const inside = body.metadata[field];
  const outside = body[field];
  if (inside !== undefined && outside !== undefined && inside !== outside)
    throw badRequest(`${field} must be the same as metadata.${field} where both are given.`);
  return inside ?? outside ?? false;
}

function assertTraces(chain: SupportedChain | undefined): void {
  if (!chain?.traces) throw badRequest("includeInternalTxs must be false on a chain without traces.");
}

/** Whether a webhook with this finality waits for its chain's blocks to be final. */
export function waitsForFinality(finality: components["schemas"]["FinalityInput"] | undefined): boolean {
  return finality === "finalized" || finality === "both";
}

function assertFinality(finality: components["schemas"]["FinalityInput"] | undefined, chain: SupportedChain): void {
  if (chain.finality !== undefined || !waitsForFinality(finality)) return;
  throw badRequest(
    `finality must be instant or {"confirmations": n} on chain ${chain.chainId}, whose nodes do not say which blocks are final.`,
  );
}

/** Delivery also vets the addresses that the host resolves to. */
function assertTargetUrl(url: string, policy: WebhookPolicy): void {
  const refusal = targetRefusal(url, policy);
  if (refusal !== undefined) throw badRequest(`url ${refusal}${settingFor(url, policy)}.`);
}

function targetRefusal(url: string, policy: TargetPolicy): string | undefined {
  return refusalOf(url, policy) ?? unresolvable(new URL(url).hostname, policy);
}

/** The setting that allows the least of those that would allow this url, as the end of a sentence. */
function settingFor(url: string, { targetSettings, ...policy }: WebhookPolicy): string {
  const isAllowedBy = (more: Partial<TargetPolicy>) => targetRefusal(url, { ...policy, ...more }) === undefined;
  if (!targetSettings) return "";
  if (isAllowedBy({ allowHttpTargets: true })) return `; ${targetSettings.http}=true on the service allows http`;
  if (!isAllowedBy({ allowPrivateTargets: true })) return "";
  return `; for development, ${targetSettings.private}=true on the service allows it`;
}

/** What to look at. The hash is in lower case. */
export type PreviewedPlace = { txHash: string } | { blockNumber: string };

/** A preview asks for a webhook that is not created. */
type PreviewRequest = { webhook: NewWebhook; place: PreviewedPlace };

/** A preview sends nothing, so it needs neither. */
const unused = { eventType: "address_activity", url: "https://example.com/" } as const;

/** Reads a preview. What creation refuses, it refuses too. @throws {HttpError} 400 */
export async function readPreview(
  { txHash, blockNumber, ...webhook }: components["schemas"]["PreviewInput"],
  policy: WebhookPolicy,
): Promise<PreviewRequest> {
  const place = placeOf(txHash, blockNumber);
  const { url, ...others } = unused;
  const absent = webhook.delivery === "feed" ? others : { url, ...others };
  return { webhook: await readNewWebhook({ ...absent, ...webhook }, policy), place };
}

function placeOf(txHash: string | undefined, blockNumber: string | undefined): PreviewedPlace {
  if (txHash !== undefined && blockNumber !== undefined)
    throw badRequest("blockNumber must be left out where txHash is given.");
  if (txHash !== undefined) return { txHash: txHash.toLowerCase() };
  if (blockNumber === undefined) throw badRequest("txHash or blockNumber is required.");
  return { blockNumber };
}

/** The error for a transaction that the chain does not have. */
export const unknownTransaction = (chainId: string) =>
  badRequest(`txHash must be the hash of a transaction on chain ${chainId}.`);

/** The error for a block that the chain does not have. */
export const unknownBlock = (chainId: string) =>
  badRequest(`blockNumber must be the number of a block that chain ${chainId} has.`);

/** The error for a history that would begin at a block to come. */
export const aboveNewestBlock = (chainId: string, newest: number | string) =>
  badRequest(`fromBlock must be at most ${newest}, the newest block of chain ${chainId}.`);

/** The error for a history whose first block no node has any more, or not with its traces. The first that they have may be known only about. */
export function forgottenBlock(
  chainId: string,
  { firstBlock, isAbout = false }: { firstBlock: number; isAbout?: boolean },
  traces: boolean,
) {
  const have = `the nodes of chain ${chainId} still have${traces ? " with its traces" : ""}`;
  return badRequest(
    isAbout
      ? `fromBlock must be at least about ${firstBlock}: there was no time to find the first block that ${have}, and they have this one.`
      : `fromBlock must be at least ${firstBlock}, the first block that ${have}.`,
  );
}

/** The error for a transaction that cannot be previewed yet. */
export const pendingTransaction = () =>
  badRequest("txHash must be that of a transaction in a block; it is in none yet.");

// Made from openapi/openapi.yaml by `npm run generate`. Do not edit.

import { z } from "zod";
import type { components } from "./types.ts";

type Schemas = components["schemas"];

/** As JSON Schema counts characters: a pair of surrogates is one. */
const atMost = (most: number) => [
  (text: string) => text.length <= most || [...text].length <= most,
  `must have at most ${most} characters`,
] as const;

/** The characters of RFC 3986, each where it may be. */
const inUri =
  /^[a-z][a-z0-9+.-]*:\/\/(?:[\w.~!$&'()*+,;=:@[\]-]|%[0-9a-f]{2})*(?:\/(?:[\w.~!$&'()*+,;=:@/-]|%[0-9a-f]{2})*)?(?:[?](?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?$/i;
const isUri = (text: string) => inUri.test(text) && URL.canParse(text);

/** One of these today. Within `/v1` others may follow, and must pass. */
const open = <Value extends string>(..._values: readonly Value[]) => z.string() as unknown as z.ZodType<Value, Value>;

/** A UUID in lower case. */
export const Uuid = z.string().regex(new RegExp("^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$", "u"));

/** A UUID in any letter case. Answers use lower case. */
export const UuidInput = z.string().regex(new RegExp("^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$", "u"));

/** A 20-byte address, in lower case. */
export const Address = z.string().regex(new RegExp("^0x[0-9a-f]{40}$", "u"));

/** A 20-byte address in any letter case; a mixed-case one must have a right checksum (EIP-55). */
export const AddressInput = z.string().regex(new RegExp("^0x[0-9a-fA-F]{40}$", "u"));

/** 32 bytes in hex, in lower case. */
export const Hash = z.string().regex(new RegExp("^0x[0-9a-f]{64}$", "u"));

/** The 32-byte hash of a log event's signature, in any letter case. */
export const EventSignatureInput = z.string().regex(new RegExp("^0x[0-9a-fA-F]{64}$", "u"));

/** Bytes in hex; `0x` when empty. */
export const HexData = z.string().regex(new RegExp("^0x[0-9a-f]*$", "u"));

/** A whole number in decimal digits, as a string because it can be beyond 2^53. */
export const Decimal = z.string().regex(new RegExp("^(0|[1-9][0-9]*)$", "u"));

/** A block's number in decimal digits. */
export const BlockNumberInput = z.string().regex(new RegExp("^(0|[1-9][0-9]{0,18})$", "u"));

/** A chain's identifier (EIP-155) in decimal digits. */
export const ChainId = z.string().regex(new RegExp("^[1-9][0-9]{0,18}$", "u"));

/** Where notifications are sent: an `https` URL without user name or password, at a public address. Ports of other
 * protocols, those that browsers refuse, are refused here too, and so are names that can never resolve, such as `a..b`,
 * `*.example.com` and those in `.invalid`. Unless the operator allows them, so are `http`, private addresses and the
 * ports of databases, caches, container and search engines. A name is resolved at each delivery, and not called while any
 * of its addresses is private. */
export const WebhookUrl = z.string().refine(...atMost(2048)).regex(new RegExp("^[hH][tT][tT][pP][sS]?://[^\\s/?#@]+([/?#]\\S*)?$", "u")).refine(isUri, "must be a URI");

/** A human-readable name. */
export const WebhookName = z.string().refine(...atMost(200)).regex(new RegExp("^[^\\x00]*$", "u"));

/** A human-readable description. */
export const WebhookDescription = z.string().refine(...atMost(2000)).regex(new RegExp("^[^\\x00]*$", "u"));

/** The kind of event a webhook is notified of. */
export const EventType = open("address_activity");

/** An `inactive` webhook receives nothing. */
export const WebhookStatus = open("active", "inactive");

/** Why the webhook has its status: `created`; `requested` by an update; `endpoint_gone`, when the endpoint answered 410;
 * `endpoint_failing`, when every attempt for 5 days failed; or `address_quota_reached`, when its factory created more
 * contracts than it may watch. */
export const StatusReason = open("created", "requested", "endpoint_gone", "endpoint_failing", "address_quota_reached");

/** Since when the webhook has its status, in milliseconds since the epoch. */
export const StatusSince = z.int().min(0);

/** Since when every attempt to reach the endpoint has failed, in milliseconds since the epoch. Absent when the last one
 * succeeded. Meanwhile fewer notifications are in flight, in the end one at a time with pauses of up to five seconds. */
export const FailingSince = z.int().min(0);

/** When it was created, in milliseconds since the epoch. */
export const WebhookCreatedAt = z.int().min(0);

/** How many addresses the webhook watches. */
export const AddressCount = z.int().min(0);

/** The digest of a set of addresses. */
export const AddressDigest = z.string().regex(new RegExp("^0x[0-9a-f]{64}$", "u"));

/** Whether notifications carry internal transactions. Only on chains with `traces`. */
export const IncludeInternalTxs = z.boolean();

/** Whether notifications carry the transaction's logs. */
export const IncludeLogs = z.boolean();

/** Whether notifications carry the transaction's transfers of tokens and of the native coin, with the tokens' names and decimals. It
 * cannot be changed later. */
export const IncludeTransfers = z.boolean();

/** Whether to match whatever address takes part, in place of `addresses` and `createdBy`. It needs event signatures or conditions, none of
 * them of a direction, and is off unless the operator allows it. */
export const AnyAddress = z.boolean();

/** Whether each notification waits until the one before it was accepted. While one waits for its retry, all later ones wait. One that
 * failed at every attempt is passed over, and `passedOver` counts it. What is resent or replayed is sent besides, and holds up nothing. */
export const Ordered = z.boolean();

/** An argument of an event, or a member of a tuple. */
export const AbiParameterInput: z.ZodType<Schemas["AbiParameterInput"], Schemas["AbiParameterInput"]> = z.strictObject({
  name: z.string().refine(...atMost(200)).regex(new RegExp("^([a-zA-Z_$][a-zA-Z0-9_$]*)?$", "u")).exactOptional(),
  type: z.string().refine(...atMost(100)).regex(new RegExp("^[a-z0-9]+(\\[[0-9]*\\])*$", "u")),
  internalType: z.string().refine(...atMost(200)).regex(new RegExp("^[^\\x00]*$", "u")).exactOptional(),
  indexed: z.boolean().exactOptional(),
  get components() { return z.array(AbiParameterInput).max(20).exactOptional(); },
});

/** An event in JSON ABI form. */
export const AbiEventInput = z.strictObject({
  type: z.enum(["event"]),
  name: z.string().refine(...atMost(200)).regex(new RegExp("^[a-zA-Z_$][a-zA-Z0-9_$]*$", "u")),
  inputs: z.array(AbiParameterInput).max(20),
  anonymous: z.boolean().exactOptional(),
});

/** What a transaction must also fulfil: one of `all`, `any` and `not`, or a comparison of `field`, `op` and `value`. At most 50 comparisons,
 * 8 levels, and 8,000 characters as JSON.
 * 
 * Conditions on transfers or arguments hold if they hold for one log with its transfer, or for one native transfer. That log or transfer
 * must match by itself: a watched address takes part in it, and the log has one of the event signatures. In a log these are its emitter
 * and its indexed arguments, in a native transfer whom it is from and to. The zero address that stands for nobody, as in the transfer of
 * a `Deposit` or `Withdrawal`, takes part in nothing. A comparison of what it lacks does not hold. */
export const ConditionInput: z.ZodType<Schemas["ConditionInput"], Schemas["ConditionInput"]> = z.strictObject({
  get all() { return z.array(ConditionInput).min(1).max(50).exactOptional(); },
  get any() { return z.array(ConditionInput).min(1).max(50).exactOptional(); },
  get not() { return ConditionInput.exactOptional(); },
  field: z.string().refine(...atMost(250)).regex(new RegExp("^(transaction|transfer|args)\\.[a-zA-Z0-9_$.]+$", "u")).exactOptional(),
  op: z.enum(["eq", "ne", "gt", "gte", "lt", "lte", "in"]).exactOptional(),
  value: z.union([z.string().refine(...atMost(200)).regex(new RegExp("^[^\\x00]*$", "u")), z.array(z.string().refine(...atMost(200)).regex(new RegExp("^[^\\x00]*$", "u"))).min(1).max(100)]).exactOptional(),
});

/** Where the factory's log has the address of the created contract. */
export const CreatedByArgument = z.string().regex(new RegExp("^(topic[1-3]|data([0-9]|[1-9][0-9]))$", "u"));

/** Watches the contracts that a factory creates, each from the log after the one that names it. `argument` says where that log has the
 * address: in an indexed argument, `topic1` to `topic3`, or in a 32-byte word of its data, from `data0` on. They are added to the webhook's
 * addresses, and count towards the account's quota of them. If they do not fit, the webhook becomes inactive. What is no address, and the
 * zero address, is passed over. The factory itself is watched only if it is among `addresses`. */
export const CreatedByInput = z.strictObject({
  address: AddressInput,
  eventSignature: EventSignatureInput,
  argument: CreatedByArgument,
});

/** The most notifications of a POST. A POST has fewer if its body would be larger than 1 MiB. */
export const BatchMaxItems = z.int().min(1).max(100);

/** How long a notification that could be sent may wait for others, in milliseconds. 0 if absent in a request: each POST has what is there. */
export const BatchMaxWaitMs = z.int().min(0).max(60000);

/** Sends several notifications in one POST, an array in the order of their sequence (`addressActivityBatch`), also if there is only one. */
export const BatchInput = z.strictObject({
  maxItems: BatchMaxItems,
  maxWaitMs: BatchMaxWaitMs.exactOptional(),
});

/** How many blocks are on top of the one with the activity. */
export const Confirmations = z.int().min(1).max(10000);

/** When activity is notified: `instant`, as soon as its block is seen; after that many `confirmations`, blocks on top of it; when it is
 * `finalized`; or `both`, immediately and again when final. It cannot be changed later. `finalized` and `both` need a chain with
 * `finality`. */
export const FinalityInput = z.union([z.string().regex(new RegExp("^(instant|finalized|both)$", "u")), z.strictObject({
  confirmations: Confirmations,
})]);

/** Whose form notifications have: `glacier`, as AvaCloud's SDK parses and verifies them (`glacierActivity`). It cannot be changed later.
 * It implies `metadata.includeTransfers`, and excludes `metadata.batch`. Logs are not `decoded`. Absent for the usual form. */
export const CompatibilityInput = z.string().regex(new RegExp("^glacier$", "u"));

/** How notifications are delivered. `url`, the default: they are sent to `url`, which is required. `feed`: nothing is ever sent, and
 * they are read by `readFeed`. `url`, `maxPerSecond`, `headers`, `metadata.batch`, `metadata.ordered` and `compatibility` must then be
 * absent. It cannot be changed later. */
export const DeliveryInput = z.string().regex(new RegExp("^(url|feed)$", "u"));

/** How many requests are begun in a second at most: notifications, retries and resends; a batch counts once, and a test does not count.
 * What is more waits for its turn. The default, 0, sets no limit of the webhook's own. */
export const MaxPerSecondInput = z.int().min(0).max(1000);

/** Headers of each request to `url`, by name, besides those that the service sends itself. Their values are never shown again; the record
 * has their names. No two names differ in case only. Names and values have at most 4,096 characters together. Names that the service or
 * HTTP needs are refused: those that begin with `webhook-`, `content-` or `proxy-`, and `accept-encoding`, `baggage`, `connection`,
 * `date`, `expect`, `host`, `http2-settings`, `keep-alive`, `te`, `traceparent`, `tracestate`, `trailer`, `transfer-encoding`, `upgrade`,
 * `user-agent`, `x-signature` and `x-signature-previous`. An update replaces all headers; null or an empty object removes them. */
export const HeadersInput = z.record(z.string().regex(new RegExp("^[!#-'*+.0-9A-Z^-z|~-]{1,64}$", "u")), z.string().refine(...atMost(1024)).regex(new RegExp("^[!-~]([ -~]*[!-~])?$", "u"))).refine((all) => Object.keys(all).length <= 10, "must have at most 10 fields").nullable();

/** What to watch. `addresses` is required unless `anyAddress` is true or `createdBy` is given. */
export const WebhookMetadataInput = z.strictObject({
  addresses: z.array(AddressInput).min(1).max(10000).exactOptional(),
  eventSignatures: z.array(EventSignatureInput).max(100).exactOptional(),
  includeInternalTxs: IncludeInternalTxs.exactOptional(),
  includeLogs: IncludeLogs.exactOptional(),
  includeTransfers: IncludeTransfers.exactOptional(),
  abi: z.array(AbiEventInput).min(1).max(100).exactOptional(),
  conditions: ConditionInput.exactOptional(),
  anyAddress: AnyAddress.exactOptional(),
  createdBy: CreatedByInput.exactOptional(),
  batch: BatchInput.exactOptional(),
  ordered: Ordered.exactOptional(),
});

/** The first block whose activity is notified, at most the chain's `followedBlock`. Absent for the next block. The chain's nodes must
 * still have it, with its traces where the webhook includes internal transactions. An error names the first one that they have. */
export const FromBlock = z.string().regex(new RegExp("^(0|[1-9][0-9]{0,18})$", "u"));

/** How the blocks of the past are read; only with `fromBlock`. `complete`, the default: every block whole. `headers`: only the header of
 * a block whose bloom proves that it has no log that matches. Nothing is missing, and where few blocks match it is many times as fast.
 * On a chain whose headers prove no bloom it is a 400. `logs`: only the blocks of which nodes return such logs, by `eth_getLogs`; nothing is
 * invented, but what nodes leave out is missing. Both need `metadata.eventSignatures` or `metadata.abi`, and exclude
 * `metadata.createdBy` and internal transactions. */
export const HistoryModeInput = z.string().regex(new RegExp("^(complete|headers|logs)$", "u"));

/** A webhook to create. `url` is required unless `delivery` is `feed`. */
export const WebhookCreate = z.strictObject({
  url: WebhookUrl.exactOptional(),
  chainId: ChainId,
  eventType: z.enum(["address_activity"]),
  metadata: WebhookMetadataInput,
  name: WebhookName.exactOptional(),
  description: WebhookDescription.exactOptional(),
  includeInternalTxs: IncludeInternalTxs.exactOptional(),
  includeLogs: IncludeLogs.exactOptional(),
  finality: FinalityInput.exactOptional(),
  compatibility: CompatibilityInput.exactOptional(),
  fromBlock: FromBlock.exactOptional(),
  historyMode: HistoryModeInput.exactOptional(),
  delivery: DeliveryInput.exactOptional(),
  maxPerSecond: MaxPerSecondInput.exactOptional(),
  headers: HeadersInput.exactOptional(),
});

/** The fields of a webhook to change. */
export const WebhookUpdate = z.strictObject({
  name: WebhookName.exactOptional(),
  description: WebhookDescription.exactOptional(),
  url: WebhookUrl.exactOptional(),
  status: z.enum(["active", "inactive"]).exactOptional(),
  includeInternalTxs: IncludeInternalTxs.exactOptional(),
  includeLogs: IncludeLogs.exactOptional(),
  maxPerSecond: MaxPerSecondInput.exactOptional(),
  headers: HeadersInput.exactOptional(),
});

/** The factory whose contracts are watched. */
export const CreatedBy = z.looseObject({
  address: Address,
  eventSignature: Hash,
  argument: CreatedByArgument,
});

/** How many notifications are sent in one POST. */
export const Batch = z.looseObject({
  maxItems: BatchMaxItems,
  maxWaitMs: BatchMaxWaitMs,
});

/** What the webhook watches. */
export const WebhookMetadata = z.looseObject({
  eventSignatures: z.array(Hash),
  addresses: z.array(Address).max(1000),
  includeTransfers: IncludeTransfers.exactOptional(),
  abi: z.array(z.record(z.string(), z.unknown())).exactOptional(),
  conditions: z.record(z.string(), z.unknown()).exactOptional(),
  anyAddress: AnyAddress.exactOptional(),
  createdBy: CreatedBy.exactOptional(),
  batch: Batch.exactOptional(),
  ordered: Ordered.exactOptional(),
});

/** When activity is notified. Absent for `instant`. */
export const Finality = z.union([z.string().regex(new RegExp("^(instant|finalized|both)$", "u")), z.looseObject({
  confirmations: Confirmations,
})]);

/** Whose form notifications have. Absent for the usual one. */
export const Compatibility = open("glacier");

/** How notifications are delivered where the webhook has no `url`. Absent where it has one. */
export const Delivery = open("feed");

/** How many requests are begun in a second at most. Absent where the webhook has no limit of its own. */
export const MaxPerSecond = z.int().min(1).max(1000);

/** The names of the webhook's headers, as they were given. Absent where it has none. */
export const HeaderNames = z.array(z.string()).min(1).max(10);

/** How many of its notifications wait for their block to be deep enough; 1000 means at least as many. They are not numbered yet, and
 * are not listed among its notifications. Absent where the webhook has no `finality`. */
export const HeldCount = z.int().min(0).max(1000);

/** What an ordered webhook has given up: notifications that failed at every attempt, so that the ones after them could be sent. Absent
 * while there are none. A later resend changes nothing here. */
export const PassedOver = z.looseObject({
  count: z.int().min(1),
  lastSequence: z.int().min(1),
  at: z.int().min(0),
});

/** Why the webhook is behind its chain, and how far. Absent unless it is. Nothing is lost: it is notified in order, and comes back to the
 * others by itself. */
export const CatchUp = z.looseObject({
  reason: open("costly"),
  nextBlock: Decimal,
});

/** How far a webhook that started in the past is. Absent otherwise, and once it has caught up with the chain. Addresses that are added
 * meanwhile are watched from a block to come, and from `fromBlock` on if one is given with them. */
export const History = z.looseObject({
  nextBlock: Decimal,
  untilBlock: Decimal,
  blocksPerSecond: z.int().min(0).exactOptional(),
  finishesAt: z.int().min(0).exactOptional(),
  stoppedReason: z.string().exactOptional(),
  mode: open("complete", "headers", "logs"),
  nodesAgreed: z.int().min(1).exactOptional(),
});

/** A webhook. */
export const Webhook = z.looseObject({
  id: Uuid,
  url: WebhookUrl.exactOptional(),
  chainId: ChainId,
  status: WebhookStatus,
  statusReason: StatusReason,
  statusSince: StatusSince,
  failingSince: FailingSince.exactOptional(),
  createdAt: WebhookCreatedAt,
  name: WebhookName,
  description: WebhookDescription,
  eventType: EventType,
  metadata: WebhookMetadata,
  addressCount: AddressCount,
  addressDigest: AddressDigest,
  includeInternalTxs: IncludeInternalTxs,
  includeLogs: IncludeLogs,
  effectiveFromBlock: Decimal,
  finality: Finality.exactOptional(),
  compatibility: Compatibility.exactOptional(),
  delivery: Delivery.exactOptional(),
  maxPerSecond: MaxPerSecond.exactOptional(),
  headerNames: HeaderNames.exactOptional(),
  heldCount: HeldCount.exactOptional(),
  passedOver: PassedOver.exactOptional(),
  catchUp: CatchUp.exactOptional(),
  history: History.exactOptional(),
});

/** The `pageToken` of the next page. Absent or empty at the end. */
export const NextPageToken = z.string();

/** A page of webhooks. */
export const WebhookPage = z.looseObject({
  webhooks: z.array(Webhook),
  nextPageToken: NextPageToken.exactOptional(),
});

/** Addresses to remove. */
export const AddressListInput = z.strictObject({
  addresses: z.array(AddressInput).min(1).max(10000),
});

/** Addresses to add. */
export const AddressAdditionInput = z.strictObject({
  addresses: z.array(AddressInput).min(1).max(10000),
  fromBlock: BlockNumberInput.exactOptional(),
});

/** The webhook after a change of its addresses: its record, with what the change did. Only `effectiveFromBlock` differs from the
 * record that other operations return. */
export const AddressChange = z.looseObject({
  id: Uuid,
  url: WebhookUrl.exactOptional(),
  chainId: ChainId,
  status: WebhookStatus,
  statusReason: StatusReason,
  statusSince: StatusSince,
  failingSince: FailingSince.exactOptional(),
  createdAt: WebhookCreatedAt,
  name: WebhookName,
  description: WebhookDescription,
  eventType: EventType,
  metadata: WebhookMetadata,
  addressCount: AddressCount,
  addressDigest: AddressDigest,
  includeInternalTxs: IncludeInternalTxs,
  includeLogs: IncludeLogs,
  effectiveFromBlock: Decimal,
  finality: Finality.exactOptional(),
  compatibility: Compatibility.exactOptional(),
  delivery: Delivery.exactOptional(),
  maxPerSecond: MaxPerSecond.exactOptional(),
  headerNames: HeaderNames.exactOptional(),
  heldCount: HeldCount.exactOptional(),
  passedOver: PassedOver.exactOptional(),
  catchUp: CatchUp.exactOptional(),
  history: History.exactOptional(),
  changed: z.int().min(0),
  totalAddresses: AddressCount,
  replayId: Uuid.exactOptional(),
});

/** The digest of a set of addresses, as `listWebhookAddressDigests` says. */
export const AddressDigestInput = z.string().regex(new RegExp("^0x[0-9a-fA-F]{64}$", "u"));

/** A part of a change of addresses, or its commit, or both. */
export const AddressChangeInput = z.strictObject({
  add: z.array(AddressInput).max(10000).exactOptional(),
  remove: z.array(AddressInput).max(10000).exactOptional(),
  commit: z.boolean().exactOptional(),
  addressDigest: AddressDigestInput.exactOptional(),
});

/** A change of addresses. */
export const AddressChangeState = z.looseObject({
  changeId: Uuid,
  committed: z.boolean(),
  toAdd: z.int().min(0),
  toRemove: z.int().min(0),
  added: z.int().min(0).exactOptional(),
  removed: z.int().min(0).exactOptional(),
  addressCount: AddressCount.exactOptional(),
  addressDigest: AddressDigest.exactOptional(),
  effectiveFromBlock: Decimal.exactOptional(),
});

/** A page of a webhook's addresses. */
export const AddressPage = z.looseObject({
  addresses: z.array(Address),
  totalAddresses: AddressCount,
  nextPageToken: NextPageToken.exactOptional(),
});

/** The digest of the addresses with a prefix. */
export const PrefixDigest = z.looseObject({
  prefix: z.string().regex(new RegExp("^0x[0-9a-f]{2,40}$", "u")),
  count: z.int().min(1),
  digest: AddressDigest,
});

/** Digests of a webhook's addresses by prefix. */
export const AddressDigestList = z.looseObject({
  digests: z.array(PrefixDigest).max(256),
});

/** A webhook's signing secret. */
export const WebhookSecret = z.looseObject({
  secret: z.string().regex(new RegExp("^whsec_[A-Za-z0-9+/]+={0,2}$", "u")),
  previousSecretExpiresAt: z.int().min(0).exactOptional(),
});

/** The shared secret of an account. */
export const SharedSecret = z.looseObject({
  secret: z.string().regex(new RegExp("^[0-9a-f]{64}$", "u")),
  previousSecretExpiresAt: z.int().min(0).exactOptional(),
});

/** When it was sent, in milliseconds since the epoch. */
export const SentAt = z.int().min(0);

/** How long the exchange took, in milliseconds. */
export const DurationMs = z.int().min(0);

/** The status that the endpoint answered with. Absent when it did not answer. */
export const ResponseStatus = z.int().min(100).max(999);

/** The first 1,024 bytes of the endpoint's answer, as UTF-8. Absent when there were none. */
export const ResponseBody = z.string();

/** What went wrong; absent when nothing did. A 2xx counts once its status line has arrived, whatever follows. `bad_status` is an
 * answer that is not a 2xx. `invalid_response` is an answer that is not HTTP. `tls_error` is a certificate that is not valid for the
 * host, a failed handshake, a client certificate that the endpoint wants, or a port of which only one side speaks TLS.
 * `blocked_address` is an address that the service does not call. `timeout` means that no status line arrived within
 * 10 seconds, or that an answer that is not a 2xx did not end within them. */
export const ErrorClass = open("dns_error", "connection_refused", "connection_reset", "tls_error", "timeout", "blocked_address", "bad_status", "invalid_response");

/** The outcome of a test. */
export const TestResult = z.looseObject({
  messageId: Uuid,
  delivered: z.boolean(),
  sentAt: SentAt,
  durationMs: DurationMs,
  responseStatus: ResponseStatus.exactOptional(),
  responseBody: ResponseBody.exactOptional(),
  errorClass: ErrorClass.exactOptional(),
});

/** What made the attempt: the `schedule`, which is the first attempt and those that follow when it fails; a `resend` that
 * was asked for; or a `replay` of the block. */
export const AttemptTrigger = open("schedule", "resend", "replay");

/** One attempt to send a notification. */
export const Attempt = z.looseObject({
  number: z.int().min(1),
  trigger: AttemptTrigger,
  sentAt: SentAt,
  durationMs: DurationMs,
  responseStatus: ResponseStatus.exactOptional(),
  responseBody: ResponseBody.exactOptional(),
  errorClass: ErrorClass.exactOptional(),
});

/** `delivered` when an attempt succeeded, and for good; `failed` when every attempt has been made and failed; otherwise
 * `pending`. Without a `url`, each is `delivered` by being in the feed. */
export const NotificationStatus = open("pending", "delivered", "failed");

/** A notification, and its outcome so far. */
export const NotificationRecord = z.looseObject({
  messageId: Uuid,
  sequence: z.int().min(1),
  blockNumber: Decimal,
  blockHash: Hash,
  txHash: Hash,
  removed: z.boolean(),
  finalized: z.boolean().exactOptional(),
  recordedAt: z.int().min(0),
  status: NotificationStatus,
  attemptCount: z.int().min(0),
  nextAttemptAt: z.int().min(0).exactOptional(),
  lastAttempt: Attempt.exactOptional(),
});

/** A call frame below the top one. */
export const InternalTransaction = z.looseObject({
  from: Address,
  to: Address,
  internalTxType: z.string().regex(new RegExp("^[A-Z0-9_]+$", "u")),
  value: Decimal,
  gasUsed: Decimal,
  gasLimit: Decimal,
  transactionHash: Hash,
});

/** What a token's contract says of itself; null if it says nothing. */
export const TokenText = z.string().nullable();

/** The contract of a token, and what it says of itself. The contract was asked once, at a block; what it did not answer is null. Anybody
 * can choose any name: tell tokens apart by their address. */
export const TransferredToken = z.looseObject({
  address: Address,
  name: TokenText,
  symbol: TokenText,
  decimals: z.int().min(0).max(255).nullable(),
  valueWithDecimals: z.string().regex(new RegExp("^(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$", "u")).nullable(),
});

/** A transfer of an ERC-20 token, as a log says. */
export const Erc20Transfer = z.looseObject({
  transactionHash: Hash,
  type: open("ERC20"),
  from: Address,
  to: Address,
  value: Decimal,
  blockTimestamp: z.int().min(0),
  logIndex: z.int().min(0),
  erc20Token: TransferredToken,
});

/** A transfer of an ERC-721 token, as a log says. */
export const Erc721Transfer = z.looseObject({
  transactionHash: Hash,
  type: open("ERC721"),
  from: Address,
  to: Address,
  value: Decimal,
  tokenId: Decimal,
  blockTimestamp: z.int().min(0),
  logIndex: z.int().min(0),
  erc721Token: TransferredToken,
});

/** A transfer of one id of an ERC-1155 contract, as a log says. */
export const Erc1155Transfer = z.looseObject({
  transactionHash: Hash,
  type: open("ERC1155"),
  from: Address,
  to: Address,
  value: Decimal,
  tokenId: Decimal,
  blockTimestamp: z.int().min(0),
  logIndex: z.int().min(0),
  erc1155Token: TransferredToken,
});

/** A transfer of the chain's native coin. */
export const NativeTransfer = z.looseObject({
  transactionHash: Hash,
  type: open("NATIVE"),
  from: Address,
  to: Address,
  value: Decimal,
  blockTimestamp: z.int().min(0),
});

/** A transaction and its receipt. */
export const Transaction = z.looseObject({
  blockHash: Hash,
  blockNumber: Decimal,
  from: Address,
  to: Address,
  gas: Decimal,
  gasPrice: Decimal,
  maxFeePerGas: Decimal,
  maxPriorityFeePerGas: Decimal,
  txHash: Hash,
  txStatus: open("0", "1").exactOptional(),
  input: HexData,
  nonce: Decimal,
  transactionIndex: z.int().min(0),
  value: Decimal,
  type: z.int().min(0),
  chainId: ChainId,
  receiptCumulativeGasUsed: Decimal,
  receiptGasUsed: Decimal,
  receiptEffectiveGasPrice: Decimal,
  receiptRoot: Hash,
  contractAddress: Address,
  blockTimestamp: z.int().min(0),
  internalTransactions: z.array(InternalTransaction).exactOptional(),
  erc20Transfers: z.array(Erc20Transfer).exactOptional(),
  erc721Transfers: z.array(Erc721Transfer).exactOptional(),
  erc1155Transfers: z.array(Erc1155Transfer).exactOptional(),
  nativeTransfers: z.array(NativeTransfer).exactOptional(),
});

/** A topic of a log; null where the log has none at this place. */
export const Topic = z.string().regex(new RegExp("^0x[0-9a-f]{64}$", "u")).nullable();

/** A log, decoded by an event in JSON ABI form. */
export const DecodedLog = z.looseObject({
  name: z.string(),
  signature: z.string(),
  args: z.record(z.string(), z.unknown()),
});

/** A log entry. */
export const Log = z.looseObject({
  address: Address,
  topic0: Topic,
  topic1: Topic,
  topic2: Topic,
  topic3: Topic,
  data: HexData,
  transactionIndex: z.int().min(0),
  logIndex: z.int().min(0),
  removed: z.boolean(),
  decoded: DecodedLog.exactOptional(),
  undecoded: open("too_large").exactOptional(),
});

/** What happened. */
export const AddressActivityEvent = z.looseObject({
  finalized: z.boolean().exactOptional(),
  confirmations: z.int().min(0).exactOptional(),
  transaction: Transaction,
  logs: z.array(Log).exactOptional(),
  removed: z.boolean().exactOptional(),
});

/** A transaction in which a watched address took part. */
export const AddressActivityNotification = z.looseObject({
  webhookId: Uuid,
  eventType: EventType,
  messageId: Uuid,
  event: AddressActivityEvent,
});

/** The contract of a token, and what it says of itself, without nulls. */
export const GlacierToken = z.looseObject({
  address: Address,
  name: z.string(),
  symbol: z.string(),
  decimals: z.int().min(0).max(255),
  valueWithDecimals: z.string().regex(new RegExp("^(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?$", "u")),
});

/** A transfer of an ERC-20 token, in Glacier's form. */
export const GlacierErc20Transfer = z.looseObject({
  transactionHash: Hash,
  type: open("ERC20"),
  from: Address,
  to: Address,
  value: Decimal,
  blockTimestamp: z.int().min(0),
  logIndex: z.int().min(0),
  erc20Token: GlacierToken,
});

/** A transfer of an ERC-721 token, in Glacier's form. */
export const GlacierErc721Transfer = z.looseObject({
  transactionHash: Hash,
  type: open("ERC721"),
  from: Address,
  to: Address,
  value: Decimal,
  tokenId: Decimal,
  blockTimestamp: z.int().min(0),
  logIndex: z.int().min(0),
  erc721Token: GlacierToken,
});

/** A transfer of one id of an ERC-1155 contract, in Glacier's form. */
export const GlacierErc1155Transfer = z.looseObject({
  transactionHash: Hash,
  type: open("ERC1155"),
  from: Address,
  to: Address,
  value: Decimal,
  tokenId: Decimal,
  blockTimestamp: z.int().min(0),
  logIndex: z.int().min(0),
  erc1155Token: GlacierToken,
});

/** A transaction and its receipt, in Glacier's form. */
export const GlacierTransaction = z.looseObject({
  blockHash: Hash,
  blockNumber: Decimal,
  from: Address,
  to: Address,
  gas: Decimal,
  gasPrice: Decimal,
  maxFeePerGas: Decimal,
  maxPriorityFeePerGas: Decimal,
  txHash: Hash,
  txStatus: open("0", "1"),
  input: HexData,
  nonce: Decimal,
  transactionIndex: z.int().min(0),
  value: Decimal,
  type: z.int().min(0),
  chainId: ChainId,
  receiptCumulativeGasUsed: Decimal,
  receiptGasUsed: Decimal,
  receiptEffectiveGasPrice: Decimal,
  receiptRoot: Hash,
  contractAddress: Address,
  blockTimestamp: z.int().min(0),
  internalTransactions: z.array(InternalTransaction).exactOptional(),
  erc20Transfers: z.array(GlacierErc20Transfer),
  erc721Transfers: z.array(GlacierErc721Transfer),
  erc1155Transfers: z.array(GlacierErc1155Transfer),
  nativeTransfers: z.array(NativeTransfer),
});

/** A topic of a log. Absent where the log has none at this place. */
export const GlacierTopic = z.string().regex(new RegExp("^0x[0-9a-f]{64}$", "u"));

/** A log entry, in Glacier's form. */
export const GlacierLog = z.looseObject({
  address: Address,
  topic0: z.string().regex(new RegExp("^(0x[0-9a-f]{64})?$", "u")),
  topic1: GlacierTopic.exactOptional(),
  topic2: GlacierTopic.exactOptional(),
  topic3: GlacierTopic.exactOptional(),
  data: HexData,
  transactionIndex: z.int().min(0),
  logIndex: z.int().min(0),
  removed: z.boolean(),
});

/** What happened, in Glacier's form. */
export const GlacierEvent = z.looseObject({
  finalized: z.boolean().exactOptional(),
  confirmations: z.int().min(0).exactOptional(),
  transaction: GlacierTransaction,
  logs: z.array(GlacierLog).exactOptional(),
  removed: z.boolean().exactOptional(),
});

/** A transaction in which a watched address took part, in Glacier's form. */
export const GlacierNotification = z.looseObject({
  webhookId: Uuid,
  eventType: EventType,
  messageId: Uuid,
  event: GlacierEvent,
});

/** A notification with its payload and every attempt. */
export const NotificationDetail = z.looseObject({
  messageId: Uuid,
  sequence: z.int().min(1),
  blockNumber: Decimal,
  blockHash: Hash,
  txHash: Hash,
  removed: z.boolean(),
  finalized: z.boolean().exactOptional(),
  recordedAt: z.int().min(0),
  status: NotificationStatus,
  attemptCount: z.int().min(0),
  nextAttemptAt: z.int().min(0).exactOptional(),
  lastAttempt: Attempt.exactOptional(),
  payload: AddressActivityNotification,
  glacierPayload: GlacierNotification.exactOptional(),
  attempts: z.array(Attempt),
});

/** A page of a webhook's notifications. */
export const NotificationPage = z.looseObject({
  notifications: z.array(NotificationRecord),
  nextPageToken: NextPageToken.exactOptional(),
});

/** A notification, as it is sent. */
export const FeedNotification = z.looseObject({
  sequence: z.int().min(1),
  payload: AddressActivityNotification,
  glacierPayload: GlacierNotification.exactOptional(),
});

/** Notifications of a webhook, as they are sent. */
export const Feed = z.looseObject({
  notifications: z.array(FeedNotification),
  lastSequence: z.int().min(0),
});

/** The form of the body, `signed` by default: that is `OperationalEvent`, and the others are those of Slack's and Discord's incoming webhooks, of PagerDuty's
 * Events API v2 and of a Teams workflow. With `pagerduty`, `headers` must have `X-Routing-Key`: the integration's key of 32 characters, which
 * PagerDuty takes in the body. */
export const OperationalFormat = open("signed", "slack", "discord", "pagerduty", "teams");

/** Where operational events are sent, and how. What is absent is as for a new one, whatever it was before. Without a `url` they are only
 * read by the feed, and another `format` than `signed` and `headers` are refused. */
export const OperationalWebhookInput = z.strictObject({
  url: WebhookUrl.exactOptional(),
  format: z.enum(["signed", "slack", "discord", "pagerduty", "teams"]).exactOptional(),
  headers: HeadersInput.exactOptional(),
});

/** An account's operational webhook. */
export const OperationalWebhook = z.looseObject({
  url: WebhookUrl.exactOptional(),
  format: OperationalFormat,
  headerNames: HeaderNames.exactOptional(),
  status: WebhookStatus,
  statusReason: StatusReason,
  statusSince: StatusSince,
  failingSince: FailingSince.exactOptional(),
  createdAt: WebhookCreatedAt,
});

/** What an operational event says, by its `type`. */
export const OperationalEventData = z.looseObject({
  webhookId: Uuid.exactOptional(),
  chainId: ChainId.exactOptional(),
  replayId: Uuid.exactOptional(),
  percent: z.int().min(1).max(100).exactOptional(),
  failingSince: z.int().min(0).exactOptional(),
  deactivatesAt: z.int().min(0).exactOptional(),
  reason: z.string().exactOptional(),
  count: z.int().min(1).exactOptional(),
  lastSequence: z.int().min(1).exactOptional(),
  since: z.int().min(0).exactOptional(),
  quota: open("webhooks", "addresses", "historyBlocks", "anyAddress", "comparisons", "abiBytes").exactOptional(),
  used: z.int().min(0).exactOptional(),
  limit: z.int().min(0).exactOptional(),
});

/** Something that happened to an account's webhooks. `data` has the fields of its `type`:
 * 
 * | type | what happened | data |
 * |---|---|---|
 * | `webhook.failing` | Every attempt has failed for 50, 75 or 90 % of the time after which the webhook becomes inactive. | `webhookId`, `percent`, `failingSince`, `deactivatesAt` |
 * | `webhook.deactivated` | The service, or somebody while it was failing, made it inactive. | `webhookId`, `reason` |
 * | `webhook.recovered` | It no longer fails: an attempt succeeded, or it was activated or deleted. | `webhookId`, `reason` |
 * | `webhook.notifications_failed` | Notifications used up their attempts. | `webhookId`, `count` since the last such event, `lastSequence` |
 * | `webhook.passed_over` | The same of a webhook with `ordered`, which went on with the next ones. | `webhookId`, `count` since the last such event, `lastSequence` |
 * | `chain.stopped` | A chain stands still on which the account has active webhooks. | `chainId`, `reason`, `since` |
 * | `chain.resumed` | It is followed again, or no active webhook of the account waits for it any more. | `chainId` |
 * | `replay.done`, `replay.failed` | A replay ended. | `replayId`, `webhookId`, and of a failure `reason` |
 * | `history.done`, `history.failed` | The history of a webhook with `fromBlock` reached the present, or stands still. | `webhookId`, `chainId`, and of a failure `reason` |
 * | `quota.reached` | The account uses 80 or 100 % of a quota. | `quota`, `percent`, `used`, `limit` |
 * | `account.set_apart` | The account's webhooks cost so much that they are matched apart from others, and may be later. | `chainId`, `reason` |
 * | `test` | Somebody asked for a test. | | */
export const OperationalEvent = z.looseObject({
  messageId: Uuid,
  type: open("webhook.failing", "webhook.deactivated", "webhook.recovered", "webhook.notifications_failed", "webhook.passed_over", "chain.stopped", "chain.resumed", "replay.done", "replay.failed", "history.done", "history.failed", "quota.reached", "account.set_apart", "test"),
  createdAt: z.int().min(0),
  subject: z.string(),
  message: z.string(),
  data: OperationalEventData,
});

/** An operational event with its place in the feed. */
export const OperationalFeedNotification = z.looseObject({
  sequence: z.int().min(1),
  payload: OperationalEvent,
});

/** Operational events of an account. */
export const OperationalFeed = z.looseObject({
  notifications: z.array(OperationalFeedNotification),
  lastSequence: z.int().min(0),
});

/** A transaction's hash, in any letter case. */
export const TxHashInput = z.string().regex(new RegExp("^0x[0-9a-fA-F]{64}$", "u"));

/** A webhook as for its creation, and what to look at: a transaction or a block, one of the two. */
export const PreviewInput = z.strictObject({
  url: WebhookUrl.exactOptional(),
  chainId: ChainId,
  eventType: z.enum(["address_activity"]).exactOptional(),
  metadata: WebhookMetadataInput,
  name: WebhookName.exactOptional(),
  description: WebhookDescription.exactOptional(),
  includeInternalTxs: IncludeInternalTxs.exactOptional(),
  includeLogs: IncludeLogs.exactOptional(),
  finality: FinalityInput.exactOptional(),
  compatibility: CompatibilityInput.exactOptional(),
  fromBlock: FromBlock.exactOptional(),
  historyMode: HistoryModeInput.exactOptional(),
  delivery: DeliveryInput.exactOptional(),
  maxPerSecond: MaxPerSecondInput.exactOptional(),
  headers: HeadersInput.exactOptional(),
  txHash: TxHashInput.exactOptional(),
  blockNumber: BlockNumberInput.exactOptional(),
});

/** Whether the transaction matches what the webhook watches. */
export const Matches = z.boolean();

/** Why a transaction matches or not:
 * 
 * - `matches`: it would be notified
 * - `not_watched`: no watched address takes part in it
 * - `other_event`: one does, but in no log with one of the event signatures
 * - `condition_failed`: it fails the conditions; `decidedBy` says which, and is empty where no log or transfer matches by itself
 * - `not_yet_effective`: it is before the log by which the factory (`createdBy`) names the contract */
export const PreviewReason = open("matches", "not_watched", "other_event", "condition_failed", "not_yet_effective");

/** The reason in sentences. */
export const ReasonMessage = z.string();

/** How an address takes part: as the transaction's `from` or `to`, the `created_contract`, the `emitter` of a log, an indexed
 * argument in its `topic1`, `topic2` or `topic3`, or `call_from` or `call_to` of a call frame. */
export const PartRole = open("from", "to", "created_contract", "emitter", "topic1", "topic2", "topic3", "call_from", "call_to");

/** The log of the factory (`createdBy`) that names the address, which is watched from the next log on. Absent where that is before the
 * transaction's block. */
export const FactoryLog = z.looseObject({
  blockNumber: Decimal,
  txHash: Hash.exactOptional(),
  logIndex: z.int().min(0).exactOptional(),
});

/** A watched address, and one way in which it takes part in a transaction. */
export const Part = z.looseObject({
  address: Address,
  role: PartRole,
  logIndex: z.int().min(0).exactOptional(),
  topic0: Hash.exactOptional(),
  internalIndex: z.int().min(0).exactOptional(),
  matches: z.boolean(),
  fromBlock: Decimal.exactOptional(),
  namedBy: FactoryLog.exactOptional(),
});

/** How watched addresses take part in the transaction, at most 20: first the parts by which it matches, then the others, each in
 * the order of the chain. With `anyAddress`, its logs, each with its `emitter`. */
export const Parts = z.array(Part).max(20);

/** How many parts watched addresses have in the transaction. */
export const PartCount = z.int().min(0);

/** A comparison that decided. */
export const ConditionFinding = z.looseObject({
  path: z.string().refine(...atMost(100)).regex(new RegExp("^((all|any)\\.[0-9]{1,2}|not)?(\\.((all|any)\\.[0-9]{1,2}|not))*$", "u")),
  field: z.string().refine(...atMost(250)).regex(new RegExp("^(transaction|transfer|args)\\.[a-zA-Z0-9_$.]+$", "u")),
  op: open("eq", "ne", "gt", "gte", "lt", "lte", "in"),
  value: z.string().refine(...atMost(10000)),
  actual: z.string().refine(...atMost(201)).exactOptional(),
  holds: z.boolean(),
});

/** The comparisons of `metadata.conditions` that decided, and no more of them than it takes: one that fails in `all`, one that holds in
 * `any`, otherwise each. Empty where no log or transfer matches by itself, so that there is nothing to compare. Absent where conditions
 * decided nothing. */
export const ConditionFindings = z.array(ConditionFinding).max(50);

/** The log and the transfer for which the conditions were decided: of several, one for which they hold, or the one that comes closest.
 * Absent where the conditions are of the transaction alone, and where no log or transfer matches by itself. */
export const ConditionSubject = z.looseObject({
  logIndex: z.int().min(0).exactOptional(),
  standard: open("native", "erc20", "erc721", "erc1155").exactOptional(),
  contract: Address.exactOptional(),
  from: Address.exactOptional(),
  to: Address.exactOptional(),
  value: Decimal.exactOptional(),
  tokenId: Decimal.exactOptional(),
});

/** A transaction, whether it matches, and why. */
export const PreviewedTransaction = z.looseObject({
  txHash: Hash,
  transactionIndex: z.int().min(0),
  matches: Matches,
  reason: PreviewReason,
  message: ReasonMessage,
  parts: Parts,
  partCount: PartCount,
  decidedBy: ConditionFindings.exactOptional(),
  decidedOn: ConditionSubject.exactOptional(),
  payload: AddressActivityNotification.exactOptional(),
  glacierPayload: GlacierNotification.exactOptional(),
});

/** What a webhook would be notified of. */
export const Preview = z.looseObject({
  chainId: ChainId,
  blockNumber: Decimal,
  blockHash: Hash,
  transactionCount: z.int().min(0),
  matchCount: z.int().min(0),
  transactions: z.array(PreviewedTransaction).max(20),
});

/** Why a webhook was or was not notified of a transaction:
 * 
 * - `notified`: it was
 * - `retracted`: it was, but the block left the chain, and a retraction followed
 * - `not_watched`: no watched address takes part in it
 * - `other_event`: one does, but in no log with one of the event signatures
 * - `condition_failed`: it fails the webhook's conditions; `decidedBy` says which, and is empty where no log or transfer matches by itself
 * - `not_yet_effective`: it is before the first block that the webhook, or the address, is notified of, or before the log by which a
 *   factory (`createdBy`) names the contract
 * - `webhook_inactive`: the webhook was inactive at its block
 * - `pending`: it is in no block yet
 * - `not_followed_yet`: its block is not recorded yet, or the replay of an added address's past has not come to it; the notification follows
 * - `waiting_for_finality`: its block is recorded, and not yet as deep as the webhook's `finality` asks; the notification follows
 * - `not_kept`: notifications of that time are no longer kept
 * - `unexplained`: it matches now, but nothing was recorded, such as when the webhook changed after the block
 * 
 * With `not_yet_effective`, `webhook_inactive`, `not_kept` and `unexplained`, a replay of the block notifies of it if it matches,
 * unless a factory named the contract later. */
export const ExplanationReason = open("notified", "retracted", "not_watched", "other_event", "condition_failed", "not_yet_effective", "webhook_inactive", "pending", "not_followed_yet", "waiting_for_finality", "not_kept", "unexplained");

/** Why a webhook was or was not notified of a transaction. */
export const Explanation = z.looseObject({
  webhookId: Uuid,
  txHash: Hash,
  notified: z.boolean(),
  reason: ExplanationReason,
  message: ReasonMessage,
  blockNumber: Decimal.exactOptional(),
  blockHash: Hash.exactOptional(),
  matches: Matches.exactOptional(),
  parts: Parts,
  partCount: PartCount,
  decidedBy: ConditionFindings.exactOptional(),
  decidedOn: ConditionSubject.exactOptional(),
  fromBlock: Decimal.exactOptional(),
  missingBlocks: z.int().min(0).exactOptional(),
  followedBlock: Decimal.exactOptional(),
  stoppedSince: z.int().min(0).exactOptional(),
  notifications: z.array(NotificationRecord).max(20),
});

/** The blocks to replay, both included. */
export const ReplayCreate = z.strictObject({
  fromBlock: BlockNumberInput,
  toBlock: BlockNumberInput,
  includeEarlier: z.boolean().exactOptional(),
});

/** `queued` before its first block, then `running`; `done` after its last block; `failed` when no node gave the next
 * block for a day; `cancelled` when that was asked for. One that is `done` runs again if a reorganisation replaces some of its
 * blocks: it adds what the new ones have, and sends nothing again. */
export const ReplayStatus = open("queued", "running", "done", "failed", "cancelled");

/** A replay of a range of blocks for one webhook. */
export const Replay = z.looseObject({
  id: Uuid,
  webhookId: Uuid,
  status: ReplayStatus,
  statusReason: z.string().exactOptional(),
  fromBlock: Decimal,
  toBlock: Decimal,
  currentBlock: Decimal.exactOptional(),
  resentCount: z.int().min(0),
  addedCount: z.int().min(0),
  createdAt: z.int().min(0),
  blocksPerSecond: z.int().min(0).exactOptional(),
  finishesAt: z.int().min(0).exactOptional(),
  finishedAt: z.int().min(0).exactOptional(),
});

/** Which of its blocks are final: with `latest` each as soon as it is the newest; with `finalized` what its nodes call so; with
 * `confirmations` what has that many blocks on top. Absent while its nodes do not say; then no webhook on it can have the finality
 * `finalized` or `both`. */
export const ChainFinality = z.union([z.string().regex(new RegExp("^(latest|finalized)$", "u")), z.looseObject({
  confirmations: Confirmations,
})]);

/** How far a chain is followed for the webhooks with `includeInternalTxs`, or for those without. */
export const ChainLane = z.looseObject({
  traces: z.boolean(),
  headBlock: Decimal.exactOptional(),
  followedBlock: Decimal.exactOptional(),
  lagBlocks: z.int().min(0).exactOptional(),
  lagSeconds: z.int().min(0).exactOptional(),
  blocksFrom: open("stream", "nodes").exactOptional(),
  stoppedSince: z.int().min(0).exactOptional(),
  stoppedReason: z.string().exactOptional(),
});

/** A chain that the service follows. `headBlock`, `followedBlock`, `lagBlocks`, `blocksFrom`, `stoppedSince` and `stoppedReason`
 * are those of its lane without traces; `lanes` has those of each. */
export const Chain = z.looseObject({
  chainId: ChainId,
  name: z.string(),
  traces: z.boolean(),
  finality: ChainFinality.exactOptional(),
  finalBlock: Decimal.exactOptional(),
  headBlock: Decimal.exactOptional(),
  followedBlock: Decimal.exactOptional(),
  lagBlocks: z.int().min(0).exactOptional(),
  blocksFrom: open("stream", "nodes").exactOptional(),
  stoppedSince: z.int().min(0).exactOptional(),
  stoppedReason: z.string().exactOptional(),
  lanes: z.array(ChainLane).exactOptional(),
});

/** The supported chains. */
export const ChainList = z.looseObject({
  chains: z.array(Chain),
});

/** When an attempt was made, in seconds since the epoch. */
export const NotificationTimestamp = z.string().regex(new RegExp("^[0-9]+$", "u"));

/** One signature, or several with a space between, each `v1,` and base64. */
export const NotificationSignature = z.string().regex(new RegExp("^v1,[A-Za-z0-9+/]+={0,2}( v1,[A-Za-z0-9+/]+={0,2})*$", "u"));

/** A notification's number among those of its webhook, from 1; `0` for a test. */
export const NotificationSequence = z.string().regex(new RegExp("^(0|[1-9][0-9]*)$", "u"));

/** Several notifications of one webhook, in the order of their sequence. */
export const AddressActivityBatch = z.array(AddressActivityNotification).min(1).max(100);

/** The HMAC-SHA256 of a body, in base64. */
export const GlacierSignature = z.string().regex(new RegExp("^[A-Za-z0-9+/]{43}=$", "u"));

/** The shape of every error. */
export const ApiError = z.looseObject({
  message: z.string(),
  statusCode: z.int(),
  error: z.string(),
});

/** The headers of a notification, by their names in lower case. */
export const AddressActivityHeaders = z.looseObject({
  "webhook-id": Uuid,
  "webhook-timestamp": NotificationTimestamp,
  "webhook-signature": NotificationSignature,
  "webhook-sequence": NotificationSequence,
});

/** The headers of a notification, by their names in lower case. */
export const AddressActivityBatchHeaders = z.looseObject({
  "webhook-id": Uuid,
  "webhook-timestamp": NotificationTimestamp,
  "webhook-signature": NotificationSignature,
  "webhook-sequence": NotificationSequence,
});

/** The headers of a notification, by their names in lower case. */
export const GlacierActivityHeaders = z.looseObject({
  "webhook-id": Uuid,
  "webhook-timestamp": NotificationTimestamp,
  "webhook-signature": NotificationSignature,
  "webhook-sequence": NotificationSequence,
  "x-signature": GlacierSignature,
  "x-signature-previous": GlacierSignature.exactOptional(),
});

/** The headers of a notification, by their names in lower case. */
export const OperationalEventHeaders = z.looseObject({
  "webhook-id": Uuid,
  "webhook-timestamp": NotificationTimestamp,
  "webhook-signature": NotificationSignature,
  "webhook-sequence": NotificationSequence,
});

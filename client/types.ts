/**
 * The client's types, all worked out from the generated ones: an operation added to the contract appears here, and so
 * in the client, without a line of code.
 */
import type { operationTable } from "../generated/operations.ts";
import type { components, operations } from "../generated/types.ts";

/** The contract's shape of every error: `message`, `statusCode` and `error` (the reason phrase). */
export type ApiError = components["schemas"]["ApiError"];

type Responses = { [Name in OperationName]: operations[Name]["responses"] }[OperationName];
type StatusOf<Response> = Response extends unknown ? keyof Response : never;

/** The statuses that the contract has for errors. */
export type ErrorStatus = Exclude<StatusOf<Responses>, 200 | 201 | 202>;

/** The operationIds of the contract, which are the names of the client's methods. */
export type OperationName = keyof typeof operationTable & keyof operations;

/** `query`, `path` and `headers`, each where the operation has it, and required where one of its members is. */
type ParameterParts<Parameters> = {
  [Part in keyof Parameters as [NonNullable<Parameters[Part]>] extends [never]
    ? never
    : Part extends "header"
      ? "headers"
      : Part]: Parameters[Part];
};

type BodyPart<Operation> = {
  [Part in keyof Operation as Part extends "requestBody"
    ? [NonNullable<Operation[Part]>] extends [never]
      ? never
      : "body"
    : never]: JsonContent<NonNullable<Operation[Part]>>;
};

type JsonContent<Message> = Message extends { content: { "application/json": infer Json } } ? Json : never;

type Flat<T> = { [Key in keyof T]: T[Key] };

/**
 * What a method of the client takes: `path`, `query`, `headers` and `body` as the contract has them, and a `signal`
 * that ends the call, back-off included.
 * @example const call: OperationCall<"listWebhooks"> = { query: { status: "active" } };
 */
export type OperationCall<Name extends OperationName> = Flat<
  ParameterParts<operations[Name]["parameters"]> & BodyPart<operations[Name]> & { signal?: AbortSignal | undefined }
>;

/** The arguments of a method: one call, which can be left out where the contract requires nothing. */
export type OperationArguments<Name extends OperationName> =
  Partial<OperationCall<Name>> extends OperationCall<Name> ? [call?: OperationCall<Name>] : [call: OperationCall<Name>];

type SuccessOf<Responses> = {
  [Status in keyof Responses]: `${Status & (string | number)}` extends `2${string}`
    ? JsonContent<Responses[Status]>
    : never;
}[keyof Responses];

/**
 * What a method of the client resolves with: the JSON body of the operation's 2xx answer.
 * @example type Webhook = OperationResult<"getWebhook">;
 */
export type OperationResult<Name extends OperationName> = SuccessOf<operations[Name]["responses"]>;

type QueryOf<Name extends OperationName> = NonNullable<operations[Name]["parameters"]["query"]>;

/** The operations that answer in pages: those that take a `pageToken` and answer with a `nextPageToken`. */
export type PagedOperation = {
  [Name in OperationName]: [QueryOf<Name>] extends [never]
    ? never
    : "pageToken" extends keyof QueryOf<Name>
      ? "nextPageToken" extends keyof OperationResult<Name>
        ? Name
        : never
      : never;
}[OperationName];

/** Where to begin following a feed, and what ends it. */
export type FollowFeedOptions = {
  /** The sequence of the last notification that you have handled. Without it, the feed begins with the first that is kept. */
  after?: number;
  /** Ends the loop with a `WebhooksError` of the code `aborted`. */
  signal?: AbortSignal;
  /** Called with each answer before its notifications: how many it has, and the newest sequence of the webhook. Shows how far you are behind. */
  onPage?: (page: { count: number; lastSequence: number }) => void;
  /** Called with each failure after which it goes on by itself, a `WebhooksError`. */
  onRetry?: (error: Error) => void;
};

/** What `syncAddresses` may do, and what ends it. */
export type SyncAddressesOptions = {
  /** Whether an empty list is meant: the webhook then watches none. Otherwise it is refused. */
  allowEmpty?: boolean;
  /** Ends it with a `WebhooksError` of the code `aborted`. What the service has not committed changes nothing. */
  signal?: AbortSignal;
};

type AddressChange = OperationResult<"changeWebhookAddresses">;

/**
 * What `syncAddresses` did: how many addresses were `added` and `removed`, `effectiveFromBlock`, the first block for which all of it holds, which is
 * absent where nothing had to change, and the webhook's `addressDigest` after it.
 */
export type SyncReport = Required<Pick<AddressChange, "added" | "removed" | "addressDigest">> &
  Pick<AddressChange, "effectiveFromBlock"> & {
    /** How many addresses both had. */
    unchanged: number;
    /** How many requests it made, without those that were tried again. */
    requests: number;
  };

/** A notification of a feed: its `sequence`, and the `payload` that is sent. */
export type FeedNotification = OperationResult<"readFeed">["notifications"][number];

/** One method for each operation of the contract, `pages`, `followFeed` and `syncAddresses`. */
export type WebhooksClient = {
  readonly [Name in OperationName]: (...args: OperationArguments<Name>) => Promise<OperationResult<Name>>;
} & {
  /**
   * The pages of a list, one request each, made when the page is asked for.
   * @param name an operation that answers in pages.
   * @param args what the operation itself takes; a `pageToken` in its query says where to start.
   * @throws WebhooksError as the operation does, and with the code `invalid_response` when a token comes a second time.
   * @example for await (const page of client.pages("listWebhooks")) console.log(page.webhooks);
   */
  readonly pages: <Name extends PagedOperation>(
    name: Name,
    ...args: OperationArguments<Name>
  ) => AsyncGenerator<OperationResult<Name>, void, undefined>;
  /**
   * The notifications of a webhook, in the order of their sequence and without a gap: those that are recorded, then each new one. It has no
   * end. It goes on by itself after an overload, a time-out, or a failure of the network.
   * @param id the webhook's.
   * @param options `after`: the last sequence that you have handled; `signal`: ends the loop.
   * @throws WebhooksError as `readFeed` does, with the code `gone` when a notification after `after` is no longer kept.
   * @example for await (const { sequence, payload } of client.followFeed(id, { after: 41 })) console.log(sequence, payload.messageId);
   */
  readonly followFeed: (id: string, options?: FollowFeedOptions) => AsyncGenerator<FeedNotification, void, undefined>;
  /**
   * Makes the addresses that a webhook was given equal to a list, all from one block on. It compares digests and sends the difference only: for
   * a million addresses of which a hundred differ, three requests of 49 KB together. Contracts that a factory created stay. Repeat it after
   * a failure: it goes on where it was. If somebody else changes the addresses meanwhile, it compares again.
   * @param id the webhook's.
   * @param addresses in any order and letter case; repeated ones count once.
   * @param options `allowEmpty`: accept an empty list; `signal`: ends it.
   * @returns what it did, and from which block on.
   * @throws TypeError that names what is no address, or for an empty list, before anything is changed. WebhooksError as the operations do.
   * @example const { added, removed, effectiveFromBlock } = await client.syncAddresses(id, await allCustomers());
   */
  readonly syncAddresses: (
    id: string,
    addresses: Iterable<string> | AsyncIterable<string>,
    options?: SyncAddressesOptions,
  ) => Promise<SyncReport>;
};

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

/** One method for each operation of the contract, and `pages`. */
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
};

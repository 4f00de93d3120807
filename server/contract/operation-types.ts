/** The types of a handler, derived from the contract: what it is given, and what it may answer with. */
import type { operationTable } from "../../generated/operations.ts";
import type { operations } from "../../generated/types.ts";
import type { Scoped } from "./caller.ts";

/** Every operation of the contract's paths. */
export type OperationId = keyof typeof operationTable;

type Parameters<K extends OperationId> = operations[K]["parameters"];
type Given<T> = [T] extends [never] | [undefined] ? Record<never, never> : NonNullable<T>;

// The validator writes the contract's defaults into the query.
type WithDefaults<Query> = Query & (Query extends { pageSize?: infer Size } ? { pageSize: Size & number } : unknown);
type InLowerCase<Headers> = { [Name in keyof Headers as Lowercase<Name & string>]: Headers[Name] };
type Body<K extends OperationId> = operations[K] extends { requestBody: { content: { "application/json": infer B } } }
  ? B
  : undefined;

/** A request that the validator has passed. */
export type Input<K extends OperationId, Caller = Scoped> = {
  /** Who calls; only /v1/webhooks and below ask for a key. */
  caller: (typeof operationTable)[K]["path"] extends `/v1/webhooks${string}` ? Caller : undefined;
  path: Given<Parameters<K>["path"]>;
  query: WithDefaults<Given<Parameters<K>["query"]>>;
  headers: InLowerCase<Given<Parameters<K>["header"]>>;
  body: Body<K>;
};

type Success = 200 | 201 | 202;
type Responses<K extends OperationId> = operations[K]["responses"];
type Declared<Headers> = { [Name in keyof Headers as string extends Name ? never : Name]: Headers[Name] };
type Answer<Status, Response> = Response extends { headers: infer H; content: { "application/json": infer B } }
  ? { status: Status; body: B } & (keyof Declared<H> extends never ? unknown : { headers: Declared<H> })
  : never;

/** What a handler answers with: one of the operation's successes. Failures are thrown. */
export type Output<K extends OperationId> = {
  [Status in keyof Responses<K> & Success]: Answer<Status, Responses<K>[Status]>;
}[keyof Responses<K> & Success];

/** One handler for each operation of the contract, no more and no less. */
export type Handlers<Caller = Scoped> = {
  [K in OperationId]: (input: Input<K, Caller>) => Promise<Output<K>> | Output<K>;
};

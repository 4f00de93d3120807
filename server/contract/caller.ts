/** Who makes a request: found out by authenticate.ts, asked for by whoever comes after. */
import type { Request } from "express";

/** What whoever calls may do: the contract's security requirements name these scopes. */
export type Scoped = { scopes: readonly ("read" | "write")[] };

const callers = new WeakMap<Request, Scoped>();

/**
 * Who makes a request, as `authenticate` found out; undefined where no key is asked for, or before it was looked up.
 * The type is the caller's word: it is what `authenticate` returns.
 */
export function callerOf<Caller extends Scoped = Scoped>(request: Request): Caller | undefined {
  return callers.get(request) as Caller | undefined;
}

/** Remembers who makes a request. */
export function setCaller(request: Request, caller: Scoped): void {
  callers.set(request, caller);
}

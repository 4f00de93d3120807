/**
 * The package's main entry: what callers of the service and receivers of its notifications import, and the contract's types.
 * For one half only, import `chain-webhooks/client` or `chain-webhooks/receiver`.
 */
export type * from "../generated/types.ts";
export * from "./index.ts";
export * from "./receiver/index.ts";

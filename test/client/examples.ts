/** The contract's own examples, as the bodies of requests, answers and notifications in tests. */
import { readFileSync } from "node:fs";
import type { OperationCall, OperationResult } from "../../client/index.ts";
import type { AddressActivityNotification } from "../../client/receiver/index.ts";

function example<T>(name: string): T {
  const file = new URL(`../../openapi/examples/${name}.json`, import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { value: T }).value;
}

export const id = "6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a";
export const createBody = example<OperationCall<"createWebhook">["body"]>("create-webhook.wallet");
export const webhook = example<OperationResult<"getWebhook">>("webhook.wallet");
export const notification = example<AddressActivityNotification>("notification.non-fungible-transfer");

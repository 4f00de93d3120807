// Made from openapi/openapi.yaml by `npm run generate`. Do not edit.

/** The request header that carries the API key. */
export const apiKeyHeader = "x-service-api-key";

/** Method and path of each operation, by its operationId, and whether it takes an `Idempotency-Key`. */
export const operationTable = {
  createWebhook: { method: "post", path: "/v1/webhooks", idempotencyKey: true },
  listWebhooks: { method: "get", path: "/v1/webhooks" },
  previewWebhook: { method: "post", path: "/v1/webhooks/preview" },
  getWebhook: { method: "get", path: "/v1/webhooks/{id}" },
  updateWebhook: { method: "patch", path: "/v1/webhooks/{id}" },
  deleteWebhook: { method: "delete", path: "/v1/webhooks/{id}" },
  listWebhookAddresses: { method: "get", path: "/v1/webhooks/{id}/addresses" },
  addWebhookAddresses: { method: "patch", path: "/v1/webhooks/{id}/addresses" },
  removeWebhookAddresses: { method: "delete", path: "/v1/webhooks/{id}/addresses" },
  listWebhookAddressDigests: { method: "get", path: "/v1/webhooks/{id}/addresses/digests" },
  changeWebhookAddresses: { method: "patch", path: "/v1/webhooks/{id}/addresses/changes/{changeId}" },
  getWebhookSecret: { method: "get", path: "/v1/webhooks/{id}/secret" },
  rotateWebhookSecret: { method: "post", path: "/v1/webhooks/{id}/secret/rotate" },
  getSharedSecret: { method: "get", path: "/v1/shared-secret" },
  rotateSharedSecret: { method: "post", path: "/v1/shared-secret/rotate" },
  testWebhook: { method: "post", path: "/v1/webhooks/{id}/test" },
  listNotifications: { method: "get", path: "/v1/webhooks/{id}/notifications" },
  getNotification: { method: "get", path: "/v1/webhooks/{id}/notifications/{messageId}" },
  resendNotification: { method: "post", path: "/v1/webhooks/{id}/notifications/{messageId}/resend" },
  readFeed: { method: "get", path: "/v1/webhooks/{id}/feed" },
  createReplay: { method: "post", path: "/v1/webhooks/{id}/replays" },
  getReplay: { method: "get", path: "/v1/webhooks/{id}/replays/{replayId}" },
  cancelReplay: { method: "delete", path: "/v1/webhooks/{id}/replays/{replayId}" },
  explainWebhook: { method: "get", path: "/v1/webhooks/{id}/explain" },
  putOperationalWebhook: { method: "put", path: "/v1/operational-webhook" },
  getOperationalWebhook: { method: "get", path: "/v1/operational-webhook" },
  deleteOperationalWebhook: { method: "delete", path: "/v1/operational-webhook" },
  getOperationalSecret: { method: "get", path: "/v1/operational-webhook/secret" },
  rotateOperationalSecret: { method: "post", path: "/v1/operational-webhook/secret/rotate" },
  testOperationalWebhook: { method: "post", path: "/v1/operational-webhook/test" },
  readOperationalFeed: { method: "get", path: "/v1/operational-webhook/feed" },
  listChains: { method: "get", path: "/v1/chains" },
} as const;

/** The operationIds of the contract. */
export type OperationId = keyof typeof operationTable;

/** The operations that need an API key, each with the scopes that the key must have. */
export const requiredScopes = {
  createWebhook: ["write"],
  listWebhooks: ["read"],
  previewWebhook: ["read"],
  getWebhook: ["read"],
  updateWebhook: ["write"],
  deleteWebhook: ["write"],
  listWebhookAddresses: ["read"],
  addWebhookAddresses: ["write"],
  removeWebhookAddresses: ["write"],
  listWebhookAddressDigests: ["read"],
  changeWebhookAddresses: ["write"],
  getWebhookSecret: ["write"],
  rotateWebhookSecret: ["write"],
  getSharedSecret: ["write"],
  rotateSharedSecret: ["write"],
  testWebhook: ["write"],
  listNotifications: ["read"],
  getNotification: ["read"],
  resendNotification: ["write"],
  readFeed: ["read"],
  createReplay: ["write"],
  getReplay: ["read"],
  cancelReplay: ["write"],
  explainWebhook: ["read"],
  putOperationalWebhook: ["write"],
  getOperationalWebhook: ["read"],
  deleteOperationalWebhook: ["write"],
  getOperationalSecret: ["write"],
  rotateOperationalSecret: ["write"],
  testOperationalWebhook: ["write"],
  readOperationalFeed: ["read"],
} as const;

// Made from openapi/openapi.yaml by `npm run generate`. Do not edit.

/** The names of a notification's headers. */
export const notificationHeader = {
  id: "webhook-id",
  timestamp: "webhook-timestamp",
  signature: "webhook-signature",
  sequence: "webhook-sequence",
} as const;

/** The names of the further headers of those in Glacier's form. */
export const glacierHeader = {
  signature: "x-signature",
  signaturePrevious: "x-signature-previous",
} as const;

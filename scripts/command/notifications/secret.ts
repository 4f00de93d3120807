/** The secret that mock and trigger sign with. It is no secret: the contract's example of getWebhookSecret shows it. */

/** What the mock's `getWebhookSecret` answers for every webhook. */
export const exampleSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

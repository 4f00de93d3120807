// Made from openapi/openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description The webhooks of the key's account, newest first.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description The webhook starts `active`. It is notified of activity from exactly the block `effectiveFromBlock` on. The two booleans
         *     can be in `metadata` or at the top level; in both places, they must agree.
         *
         *     With the `delivery` `feed` a webhook has no `url`, and nothing is ever sent. Its notifications are read by `readFeed`.
         *
         *     With `fromBlock`, the webhook starts in the past. It is notified of its history first, in the order of the chain. Then it goes on
         *     with new blocks: `sequence` has no gap there, and nothing is missing or repeated.
         *
         *     With an `Idempotency-Key`, a repeated request with the same body within 24 hours returns the first answer and creates
         *     nothing. After the webhook is deleted, it returns a 409. An account can use 10,000 keys in 24 hours.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a webhook
         * @description Says what a webhook would be notified of, and why, without creating it or sending anything. The body is that of `createWebhook`,
         *     and a `txHash` or a `blockNumber`. `url` and `eventType` may be left out. `delivery`, `fromBlock` and `historyMode` change
         *     nothing.
         *
         *     With a `txHash`, the answer has that transaction, whether it matches or not. With a `blockNumber`, it has the first 20 that
         *     match, and fewer where their payloads are long; `matchCount` says how many there are. The payloads are exact, but for
         *     `webhookId` and `messageId`, which are all zero. Of what a factory (`createdBy`) creates, only the contracts that it names in the
         *     block are watched. With `anyAddress`, an account that may not create one more such webhook gets a 403.
         *
         *     The service reads the block from the chain's nodes, as it is on the chain now, with every check. An account's previews and
         *     explanations take turns with those of others. A 502 means that no node returned the block in time; a 503, that no process
         *     follows the chain, or that the account has too many of them in flight.
         */
        post: operations["previewWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description The record of one webhook of the key's account.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Returns the last record, with the status `inactive`. Afterwards the webhook and its pending notifications are gone.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description Changes the given fields and returns the whole record. An empty object changes nothing.
         *
         *     Set `status` to `inactive` to pause. Recorded notifications wait; later activity is not notified unless you replay it. Set
         *     it to `active` to resume. `effectiveFromBlock` is then the first block that is notified again.
         *
         *     A webhook with the `delivery` `feed` stays without `url`, `maxPerSecond` and `headers`: to give it one of them is a 400.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/addresses": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        /**
         * List a webhook's addresses
         * @description All addresses that the webhook watches, in ascending order.
         */
        get: operations["listWebhookAddresses"];
        put?: never;
        post?: never;
        /**
         * Remove addresses from a webhook
         * @description Removes up to 10,000 addresses and ignores those that it does not watch. From the block `effectiveFromBlock` on, the removed
         *     ones are no longer watched.
         */
        delete: operations["removeWebhookAddresses"];
        options?: never;
        head?: never;
        /**
         * Add addresses to a webhook
         * @description Adds up to 10,000 addresses. Those that it already watches stay as they are. The webhook watches the new ones from exactly
         *     the block `effectiveFromBlock` on.
         *
         *     With `fromBlock`, a replay (`replayId`) brings the past of the new addresses, from that block to the one before
         *     `effectiveFromBlock`. New activity does not wait for it. It adds what the webhook was not notified of, and sends nothing
         *     again whose notification is still kept. It passes over addresses that are removed meanwhile, and over those that are then
         *     added again. Where no address is new, there is no other replay: a repeated request gets the `replayId` of the first one.
         */
        patch: operations["addWebhookAddresses"];
        trace?: never;
    };
    "/v1/webhooks/{id}/addresses/digests": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        /**
         * Compare a webhook's addresses with a list
         * @description Digests of the addresses that the webhook was given, by prefix: those that begin with `0x00`, with `0x01`, and so on. Compare each with
         *     the digest of your own addresses with that prefix. Where they differ, ask for that prefix.
         *
         *     The digest of an address has 32 bytes: the 20 of the address, then the first 12 of the SHA-256 of these 20 bytes. The digest of a set
         *     is the XOR of the digests of its addresses, in any order, and zero for no address. So `addressDigest` in the webhook's record
         *     is the XOR of all digests here. Where two sets differ in one address, the XOR of their digests is the digest of that address, and
         *     begins with it. Digests find lists that drifted apart. They do not stop somebody who makes up addresses to have a certain digest.
         *
         *     What a factory created (`createdBy`) has no part in digests and their counts, unless it was also added by hand.
         */
        get: operations["listWebhookAddressDigests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/addresses/changes/{changeId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
                /**
                 * @description The change's identifier, which the client makes up.
                 * @example 3c6c2a4e-7d0b-4f0a-9a64-0d3f5a1b8e21
                 */
                changeId: components["schemas"]["UuidInput"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Add and remove many addresses together
         * @description A change of any size that holds from one block on. Each request adds a part to it, of up to 10,000 addresses to add and as many to
         *     remove. Nothing else changes until a request with `commit`. That one applies all parts in one step, first what
         *     they remove. A small change is one request, with its addresses and `commit`.
         *
         *     A part that is sent again counts once, and so does a commit: it returns the result of the first. A change ends a day after its
         *     first part, or when the account moves to another cell, with what was not committed. A commit without any part is a 404. Parts of an
         *     account that are not committed have at most 2,000,000 addresses together, and are at most 1,000. With `createdBy`, a change has at most
         *     10,000 addresses. While the webhook is behind the chain (`catchUp`, `history`), what is removed is no longer watched from its next
         *     block on.
         */
        patch: operations["changeWebhookAddresses"];
        trace?: never;
    };
    "/v1/webhooks/{id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        /**
         * Get a webhook's signing secret
         * @description The secret that verifies the webhook's notifications. It needs a key with the scope `write`.
         */
        get: operations["getWebhookSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a webhook's signing secret
         * @description Creates a new secret. For 24 hours notifications carry two signatures, one by the new and one by the previous secret, so
         *     that a receiver can switch without refusing any.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shared-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the account's shared secret
         * @description The secret that all webhooks of the account with `compatibility` are signed with, besides their own. An account has one from the
         *     first time that it is needed. It needs a key with the scope `write`. `GET /v1/webhooks:getSharedSecret` is the same operation, as
         *     AvaCloud's SDK calls it.
         */
        get: operations["getSharedSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shared-secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the account's shared secret
         * @description Creates a new shared secret. For 24 hours notifications also carry `x-signature-previous`, by the one before.
         *     `POST /v1/webhooks:generateOrRotateSharedSecret` is the same operation, as AvaCloud's SDK calls it.
         */
        post: operations["rotateSharedSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test
         * @description Sends an example notification now and returns the outcome. The example has the webhook's chain and settings, a valid
         *     signature, its own `messageId`, and the `webhook-sequence` `0`, which no other notification has. A webhook with `metadata.batch` gets
         *     it as an array of one.
         *
         *     A test is not listed and not retried. It does not change the webhook, whatever the endpoint answers. It also works for an
         *     `inactive` webhook. A webhook without a `url` gets a 400.
         *
         *     A 503 means that no delivery process took the test within two seconds; nothing was sent.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        /**
         * List a webhook's notifications
         * @description The notifications of the last 30 days, in ascending order of their sequence. With a `status`, a page examines a limited
         *     number of notifications, so it can have fewer than `pageSize`, or none, and still a `nextPageToken`. Only a missing or empty
         *     `nextPageToken` is the end.
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/notifications/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
                /**
                 * @description The notification's identifier.
                 * @example 0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10
                 */
                messageId: components["parameters"]["MessageId"];
            };
            cookie?: never;
        };
        /**
         * Get a notification
         * @description One notification with its payload and every attempt. Notifications are kept for 30 days.
         */
        get: operations["getNotification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/notifications/{messageId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
                /**
                 * @description The notification's identifier.
                 * @example 0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10
                 */
                messageId: components["parameters"]["MessageId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a notification again
         * @description Makes one more attempt as soon as possible, with the same `messageId`, even if the notification was delivered. If it
         *     succeeds, the notification is delivered. If it fails, nothing changes: a delivered or failed notification stays so, and a
         *     pending one keeps its schedule.
         *
         *     A repeated request before the attempt is made adds no second attempt. A notification that waits for its first attempt gets
         *     only that one. While the webhook is `inactive`, the attempt waits. Of a webhook without a `url` nothing can be sent, which is a 400.
         */
        post: operations["resendNotification"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/feed": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        /**
         * Read a webhook's notifications in order
         * @description The notifications after the sequence `after`, as they are sent, in ascending order of their sequence and without a gap, also of a webhook
         *     that is `inactive`, or has no `url`. An answer has about 1 MiB at most, unless a single notification is longer, so it can have fewer than `limit`. Go on
         *     with the sequence of its last notification as `after`.
         *
         *     Where there is none yet, the answer comes as soon as there is one, or after `wait` seconds without any.
         *
         *     With `Accept: text/event-stream`, the answer is a stream of server-sent events that goes on with each new notification, whatever `limit`
         *     and `wait` are. An event's `id` is the sequence, and its `data` is the body that is sent for this notification alone. A comment comes every
         *     15 seconds, a reader that takes less than 16 KiB in ten seconds of what waits for it is cut off, and after an end the next stream goes on by
         *     the `Last-Event-ID`.
         *
         *     An account has at most half of the readers that a process has room for, and fewer while others have many; one more gets a 503.
         */
        get: operations["readFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/replays": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a range of blocks
         * @description Reads the blocks from `fromBlock` to `toBlock` as they are on the chain now, however many, and notifies this webhook.
         *
         *     - A notification on record is sent once more, with the same `messageId` and sequence. Without a `url` it is left as it is.
         *     - A missed one is added with the next sequence. It may have been missed while the webhook was `inactive`, or before its
         *       `effectiveFromBlock`. Addresses and settings are those that the webhook has when the block is replayed.
         *
         *     Following the chain comes first, and accounts take turns. A replay survives restarts and retries nodes that fail. While the
         *     webhook is `inactive`, what a replay sends waits. A webhook can have ten unfinished replays; deleting it ends them. The
         *     operator may limit how many blocks the replays of an account go through within 24 hours. Beyond that the answer is a 403, and
         *     its message says how many are left, and when enough are free again.
         */
        post: operations["createReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/replays/{replayId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
                /**
                 * @description The replay's identifier.
                 * @example 0b8f6c1e-3c55-4f0e-9f57-3a1d9f4b7e21
                 */
                replayId: components["schemas"]["UuidInput"];
            };
            cookie?: never;
        };
        /**
         * Get a replay
         * @description How far a replay has come. It is kept for 30 days after its end.
         */
        get: operations["getReplay"];
        put?: never;
        post?: never;
        /**
         * Cancel a replay
         * @description Ends a replay. After the answer it records nothing more; what it has recorded stays, and is sent. It counts no longer for the
         *     ten of its webhook. One that has ended already is returned as it is.
         */
        delete: operations["cancelReplay"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        /**
         * Explain whether a transaction was notified
         * @description Says whether the webhook was notified of a transaction, and by which address, log or condition; or why it was not. It applies the
         *     matching rule to the transaction as it is on the chain now, and looks up what the service recorded.
         *
         *     The transaction is read from the chain's nodes; a 502 or 503 means the same as in `previewWebhook`. What was recorded is
         *     explained without them. A transaction that no node knows, and of which nothing was recorded, is a 400.
         */
        get: operations["explainWebhook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operational-webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the operational webhook
         * @description Where operational events are sent, and whether that fails.
         */
        get: operations["getOperationalWebhook"];
        /**
         * Register for operational events
         * @description Registers the account's one operational webhook, or replaces its settings. From then on the service reports to the account what happens to
         *     its webhooks: an endpoint that fails, a chain that is stopped, a quota that is nearly used up. It begins with what is so at that
         *     moment, and says nothing of before. An `inactive` one becomes `active` again.
         *
         *     It is signed, retried and becomes `inactive` like other webhooks, and reports nothing about itself. It counts for no quota.
         */
        put: operations["putOperationalWebhook"];
        post?: never;
        /**
         * Delete the operational webhook
         * @description Its pending events are dropped. The answer is its last state, `inactive`.
         */
        delete: operations["deleteOperationalWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operational-webhook/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the operational webhook's signing secret
         * @description It needs a key with the scope `write`.
         */
        get: operations["getOperationalSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operational-webhook/secret/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the operational webhook's signing secret
         * @description For 24 hours operational events carry two signatures, one by the new and one by the previous secret.
         */
        post: operations["rotateOperationalSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operational-webhook/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test of operational events
         * @description Sends an event of the type `test` now, in the operational webhook's format, and returns the outcome, as `testWebhook` does. An operational
         *     webhook without a `url` gets a 400.
         */
        post: operations["testOperationalWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operational-webhook/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read operational events in order
         * @description The operational events after the sequence `after`, with the parameters and answers of `readFeed`. They have the signed form, whatever the
         *     operational webhook's `format` is.
         */
        get: operations["readOperationalFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/chains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the supported chains
         * @description The chains on which a webhook can be created, and how far the service has followed each. No key is needed.
         *
         *     A chain has up to two lanes: one without traces, and one with traces while a webhook has `includeInternalTxs`. A node that
         *     returns no traces stops only the lane that needs them.
         */
        get: operations["listChains"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    addressActivity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activity of a watched address
         * @description Sent to the webhook's `url` for each transaction that matches, and signed after
         *     [Standard Webhooks](https://www.standardwebhooks.com). The signature is an HMAC-SHA256 over
         *     `{webhook-id}.{webhook-timestamp}.{body}`, with the body's bytes as received. Its key is the base64-decoded part of the
         *     secret after `whsec_`.
         *
         *     Refuse a notification whose signature does not verify, or whose timestamp is more than five minutes off. The same
         *     notification can arrive more than once, with the same `webhook-id`.
         */
        post: operations["addressActivity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    addressActivityBatch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activity of watched addresses, several notifications together
         * @description Sent in place of `addressActivity` to a webhook with `metadata.batch`: always an array, also for one notification. The notifications
         *     are consecutive: the first has the `webhook-sequence`, and each further one the next. A POST waits at most `maxWaitMs` for more. It has
         *     at most `maxItems` notifications, and ends before its body would be larger than 1 MiB, unless a single notification is.
         *
         *     The body is signed once, like a single notification. All are accepted, or all are sent again, in one POST as far as they are due
         *     together. Each keeps its `messageId`, so a receiver recognises one that it has seen.
         */
        post: operations["addressActivityBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    glacierActivity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activity of a watched address, in Glacier's form
         * @description Sent in place of `addressActivity` to a webhook with the `compatibility` `glacier`. Besides the signature of other notifications it
         *     has AvaCloud's, by the account's shared secret. The body is canonical JSON (RFC 8785), so both are over its bytes.
         */
        post: operations["glacierActivity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    operationalEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Something happened to the account's webhooks
         * @description Sent to the `url` of the account's operational webhook, and signed like a notification. With another `format` than `signed`, the body
         *     is that service's own, and the headers are the same. Ignore a `type` that you do not know.
         */
        post: operations["operationalEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description A UUID in lower case.
         * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
         */
        Uuid: string;
        /**
         * @description A UUID in any letter case. Answers use lower case.
         * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
         */
        UuidInput: string;
        /**
         * @description A 20-byte address, in lower case.
         * @example 0x5425890298aed601595a70ab815c96711a31bc65
         */
        Address: string;
        /**
         * @description A 20-byte address in any letter case; a mixed-case one must have a right checksum (EIP-55).
         * @example 0x5425890298aed601595a70AB815c96711a31Bc65
         */
        AddressInput: string;
        /**
         * @description 32 bytes in hex, in lower case.
         * @example 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef
         */
        Hash: string;
        /**
         * @description The 32-byte hash of a log event's signature, in any letter case.
         * @example 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef
         */
        EventSignatureInput: string;
        /**
         * @description Bytes in hex; `0x` when empty.
         * @example 0x
         */
        HexData: string;
        /**
         * @description A whole number in decimal digits, as a string because it can be beyond 2^53.
         * @example 21000
         */
        Decimal: string;
        /**
         * @description A block's number in decimal digits.
         * @example 62318001
         */
        BlockNumberInput: string;
        /**
         * @description A chain's identifier (EIP-155) in decimal digits.
         * @example 43114
         */
        ChainId: string;
        /**
         * Format: uri
         * @description Where notifications are sent: an `https` URL without user name or password, at a public address. Ports of other
         *     protocols, those that browsers refuse, are refused here too, and so are names that can never resolve, such as `a..b`,
         *     `*.example.com` and those in `.invalid`. Unless the operator allows them, so are `http`, private addresses and the
         *     ports of databases, caches, container and search engines. A name is resolved at each delivery, and not called while any
         *     of its addresses is private.
         * @example https://example.com/hooks/transfers
         */
        WebhookUrl: string;
        /**
         * @description A human-readable name.
         * @example NFT transfers
         */
        WebhookName: string;
        /**
         * @description A human-readable description.
         * @example Transfers of our collection
         */
        WebhookDescription: string;
        /**
         * @description The kind of event a webhook is notified of.
         * @example address_activity
         * @enum {string}
         */
        EventType: "address_activity";
        /**
         * @description An `inactive` webhook receives nothing.
         * @example active
         * @enum {string}
         */
        WebhookStatus: "active" | "inactive";
        /**
         * @description Why the webhook has its status: `created`; `requested` by an update; `endpoint_gone`, when the endpoint answered 410;
         *     `endpoint_failing`, when every attempt for 5 days failed; or `address_quota_reached`, when its factory created more
         *     contracts than it may watch.
         * @example created
         * @enum {string}
         */
        StatusReason: "created" | "requested" | "endpoint_gone" | "endpoint_failing" | "address_quota_reached";
        /**
         * Format: int64
         * @description Since when the webhook has its status, in milliseconds since the epoch.
         * @example 1767225600000
         */
        StatusSince: number;
        /**
         * Format: int64
         * @description Since when every attempt to reach the endpoint has failed, in milliseconds since the epoch. Absent when the last one
         *     succeeded. Meanwhile fewer notifications are in flight, in the end one at a time with pauses of up to five seconds.
         * @example 1767225700000
         */
        FailingSince: number;
        /**
         * Format: int64
         * @description When it was created, in milliseconds since the epoch.
         * @example 1767225600000
         */
        WebhookCreatedAt: number;
        /**
         * @description How many addresses the webhook watches.
         * @example 3
         */
        AddressCount: number;
        /**
         * @description The digest of a set of addresses.
         * @example 0xdb0e6a8a7a3be288dbba1855ff424f3891df36a57970b1cca21cbe182151812d
         */
        AddressDigest: string;
        /**
         * @description Whether notifications carry internal transactions. Only on chains with `traces`.
         * @example false
         */
        IncludeInternalTxs: boolean;
        /**
         * @description Whether notifications carry the transaction's logs.
         * @example true
         */
        IncludeLogs: boolean;
        /**
         * @description Whether notifications carry the transaction's transfers of tokens and of the native coin, with the tokens' names and decimals. It
         *     cannot be changed later.
         * @example true
         */
        IncludeTransfers: boolean;
        /**
         * @description Whether to match whatever address takes part, in place of `addresses` and `createdBy`. It needs event signatures or conditions, none of
         *     them of a direction, and is off unless the operator allows it.
         * @example false
         */
        AnyAddress: boolean;
        /**
         * @description Whether each notification waits until the one before it was accepted. While one waits for its retry, all later ones wait. One that
         *     failed at every attempt is passed over, and `passedOver` counts it. What is resent or replayed is sent besides, and holds up nothing.
         * @example false
         */
        Ordered: boolean;
        /** @description An event in JSON ABI form. */
        AbiEventInput: {
            /**
             * @description Only events.
             * @enum {string}
             */
            type: "event";
            /**
             * @description The event's name.
             * @example Transfer
             */
            name: string;
            /** @description Its arguments. */
            inputs: components["schemas"]["AbiParameterInput"][];
            /** @description Must be false or absent. An anonymous event has no signature by which to find it. */
            anonymous?: boolean;
        };
        /** @description An argument of an event, or a member of a tuple. */
        AbiParameterInput: {
            /**
             * @description Its name; empty or absent where it has none.
             * @example from
             */
            name?: string;
            /**
             * @description Its Solidity type.
             * @example address
             */
            type: string;
            /** @description The compiler's name of the type; not used. */
            internalType?: string;
            /** @description Whether it is a topic. */
            indexed?: boolean;
            /** @description The members of a tuple. */
            components?: components["schemas"]["AbiParameterInput"][];
        };
        /**
         * @description What a transaction must also fulfil: one of `all`, `any` and `not`, or a comparison of `field`, `op` and `value`. At most 50 comparisons,
         *     8 levels, and 8,000 characters as JSON.
         *
         *     Conditions on transfers or arguments hold if they hold for one log with its transfer, or for one native transfer. That log or transfer
         *     must match by itself: a watched address takes part in it, and the log has one of the event signatures. In a log these are its emitter
         *     and its indexed arguments, in a native transfer whom it is from and to. The zero address that stands for nobody, as in the transfer of
         *     a `Deposit` or `Withdrawal`, takes part in nothing. A comparison of what it lacks does not hold.
         */
        ConditionInput: {
            /** @description Holds if each of these does. */
            all?: components["schemas"]["ConditionInput"][];
            /** @description Holds if at least one of these does. */
            any?: components["schemas"]["ConditionInput"][];
            not?: components["schemas"]["ConditionInput"];
            /**
             * @description What is compared. Of the transaction: `transaction.value`, `transaction.status` (`0` or `1`), `transaction.from`, `transaction.to` and
             *     `transaction.method`, the first four bytes of its input. Of a transfer: `transfer.standard` (`native`, `erc20`, `erc721` or
             *     `erc1155`), `transfer.contract`, `transfer.value`, `transfer.tokenId`, `transfer.from`, `transfer.to` and `transfer.direction` (`in` to
             *     a watched address, or `out` of one). Of an event in `abi`: `args.` and an argument's name, or a member's after its tuple's, as
             *     `args.order.amount`.
             * @example transfer.value
             */
            field?: string;
            /**
             * @description How it is compared. Only numbers have an order.
             * @example gte
             * @enum {string}
             */
            op?: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in";
            /**
             * @description What it is compared with; a list with `in`. Numbers in decimal digits or as 0x and hex digits, compared as integers of 256 bits;
             *     addresses and bytes as 0x and hex digits in any case; `true` or `false`. An indexed text, array or tuple is compared by its hash.
             * @example 1000000
             */
            value?: string | string[];
        };
        /**
         * @description Watches the contracts that a factory creates, each from the log after the one that names it. `argument` says where that log has the
         *     address: in an indexed argument, `topic1` to `topic3`, or in a 32-byte word of its data, from `data0` on. They are added to the webhook's
         *     addresses, and count towards the account's quota of them. If they do not fit, the webhook becomes inactive. What is no address, and the
         *     zero address, is passed over. The factory itself is watched only if it is among `addresses`.
         */
        CreatedByInput: {
            address: components["schemas"]["AddressInput"];
            eventSignature: components["schemas"]["EventSignatureInput"];
            argument: components["schemas"]["CreatedByArgument"];
        };
        /**
         * @description Where the factory's log has the address of the created contract.
         * @example data0
         */
        CreatedByArgument: string;
        /** @description Sends several notifications in one POST, an array in the order of their sequence (`addressActivityBatch`), also if there is only one. */
        BatchInput: {
            maxItems: components["schemas"]["BatchMaxItems"];
            maxWaitMs?: components["schemas"]["BatchMaxWaitMs"];
        };
        /**
         * @description The most notifications of a POST. A POST has fewer if its body would be larger than 1 MiB.
         * @example 50
         */
        BatchMaxItems: number;
        /**
         * @description How long a notification that could be sent may wait for others, in milliseconds. 0 if absent in a request: each POST has what is there.
         * @example 1000
         */
        BatchMaxWaitMs: number;
        /**
         * @description When activity is notified: `instant`, as soon as its block is seen; after that many `confirmations`, blocks on top of it; when it is
         *     `finalized`; or `both`, immediately and again when final. It cannot be changed later. `finalized` and `both` need a chain with
         *     `finality`.
         * @example finalized
         */
        FinalityInput: string | {
            confirmations: components["schemas"]["Confirmations"];
        };
        /**
         * @description Whose form notifications have: `glacier`, as AvaCloud's SDK parses and verifies them (`glacierActivity`). It cannot be changed later.
         *     It implies `metadata.includeTransfers`, and excludes `metadata.batch`. Logs are not `decoded`. Absent for the usual form.
         * @example glacier
         */
        CompatibilityInput: string;
        /**
         * @description How notifications are delivered. `url`, the default: they are sent to `url`, which is required. `feed`: nothing is ever sent, and
         *     they are read by `readFeed`. `url`, `maxPerSecond`, `headers`, `metadata.batch`, `metadata.ordered` and `compatibility` must then be
         *     absent. It cannot be changed later.
         * @example feed
         */
        DeliveryInput: string;
        /**
         * @description How many requests are begun in a second at most: notifications, retries and resends; a batch counts once, and a test does not count.
         *     What is more waits for its turn. The default, 0, sets no limit of the webhook's own.
         * @example 20
         */
        MaxPerSecondInput: number;
        /**
         * @description Headers of each request to `url`, by name, besides those that the service sends itself. Their values are never shown again; the record
         *     has their names. No two names differ in case only. Names and values have at most 4,096 characters together. Names that the service or
         *     HTTP needs are refused: those that begin with `webhook-`, `content-` or `proxy-`, and `accept-encoding`, `baggage`, `connection`,
         *     `date`, `expect`, `host`, `http2-settings`, `keep-alive`, `te`, `traceparent`, `tracestate`, `trailer`, `transfer-encoding`, `upgrade`,
         *     `user-agent`, `x-signature` and `x-signature-previous`. An update replaces all headers; null or an empty object removes them.
         * @example {
         *       "Authorization": "Bearer 5f0c1f9a2b7d4e83",
         *       "X-Route": "deposits"
         *     }
         */
        HeadersInput: {
            [key: string]: string;
        } | null;
        /**
         * @description How many blocks are on top of the one with the activity.
         * @example 12
         */
        Confirmations: number;
        /** @description A webhook to create. `url` is required unless `delivery` is `feed`. */
        WebhookCreate: {
            url?: components["schemas"]["WebhookUrl"];
            chainId: components["schemas"]["ChainId"];
            eventType: components["schemas"]["EventType"];
            metadata: components["schemas"]["WebhookMetadataInput"];
            name?: components["schemas"]["WebhookName"];
            description?: components["schemas"]["WebhookDescription"];
            includeInternalTxs?: components["schemas"]["IncludeInternalTxs"];
            includeLogs?: components["schemas"]["IncludeLogs"];
            finality?: components["schemas"]["FinalityInput"];
            compatibility?: components["schemas"]["CompatibilityInput"];
            fromBlock?: components["schemas"]["FromBlock"];
            historyMode?: components["schemas"]["HistoryModeInput"];
            delivery?: components["schemas"]["DeliveryInput"];
            maxPerSecond?: components["schemas"]["MaxPerSecondInput"];
            headers?: components["schemas"]["HeadersInput"];
        };
        /**
         * @description The first block whose activity is notified, at most the chain's `followedBlock`. Absent for the next block. The chain's nodes must
         *     still have it, with its traces where the webhook includes internal transactions. An error names the first one that they have.
         * @example 11970506
         */
        FromBlock: string;
        /**
         * @description How the blocks of the past are read; only with `fromBlock`. `complete`, the default: every block whole. `headers`: only the header of
         *     a block whose bloom proves that it has no log that matches. Nothing is missing, and where few blocks match it is many times as fast.
         *     On a chain whose headers prove no bloom it is a 400. `logs`: only the blocks of which nodes return such logs, by `eth_getLogs`; nothing is
         *     invented, but what nodes leave out is missing. Both need `metadata.eventSignatures` or `metadata.abi`, and exclude
         *     `metadata.createdBy` and internal transactions.
         * @example headers
         */
        HistoryModeInput: string;
        /** @description What to watch. `addresses` is required unless `anyAddress` is true or `createdBy` is given. */
        WebhookMetadataInput: {
            /** @description The addresses to watch. Repeated ones count once. */
            addresses?: components["schemas"]["AddressInput"][];
            /** @description Where given and not empty, only logs of these events match. */
            eventSignatures?: components["schemas"]["EventSignatureInput"][];
            includeInternalTxs?: components["schemas"]["IncludeInternalTxs"];
            includeLogs?: components["schemas"]["IncludeLogs"];
            includeTransfers?: components["schemas"]["IncludeTransfers"];
            /**
             * @description Events in JSON ABI form, as compilers write it. With `includeLogs`, logs that one of them fits are `decoded`. If `eventSignatures`
             *     is absent or empty, it follows from them. Without each `internalType`, they have at most 32 KiB as JSON. Events of one signature
             *     differ in at most eight ways in what is indexed.
             */
            abi?: components["schemas"]["AbiEventInput"][];
            conditions?: components["schemas"]["ConditionInput"];
            anyAddress?: components["schemas"]["AnyAddress"];
            createdBy?: components["schemas"]["CreatedByInput"];
            batch?: components["schemas"]["BatchInput"];
            ordered?: components["schemas"]["Ordered"];
        };
        /** @description The fields of a webhook to change. */
        WebhookUpdate: {
            name?: components["schemas"]["WebhookName"];
            description?: components["schemas"]["WebhookDescription"];
            url?: components["schemas"]["WebhookUrl"];
            status?: components["schemas"]["WebhookStatus"];
            includeInternalTxs?: components["schemas"]["IncludeInternalTxs"];
            includeLogs?: components["schemas"]["IncludeLogs"];
            maxPerSecond?: components["schemas"]["MaxPerSecondInput"];
            headers?: components["schemas"]["HeadersInput"];
        };
        /** @description A webhook. */
        Webhook: {
            id: components["schemas"]["Uuid"];
            url?: components["schemas"]["WebhookUrl"];
            chainId: components["schemas"]["ChainId"];
            status: components["schemas"]["WebhookStatus"];
            statusReason: components["schemas"]["StatusReason"];
            statusSince: components["schemas"]["StatusSince"];
            failingSince?: components["schemas"]["FailingSince"];
            createdAt: components["schemas"]["WebhookCreatedAt"];
            name: components["schemas"]["WebhookName"];
            description: components["schemas"]["WebhookDescription"];
            eventType: components["schemas"]["EventType"];
            metadata: components["schemas"]["WebhookMetadata"];
            addressCount: components["schemas"]["AddressCount"];
            /** @description The digest of the addresses that the webhook was given, as `listWebhookAddressDigests` says. */
            addressDigest: components["schemas"]["AddressDigest"];
            includeInternalTxs: components["schemas"]["IncludeInternalTxs"];
            includeLogs: components["schemas"]["IncludeLogs"];
            /** @description The first block whose activity is notified, since it was created or last became active. */
            effectiveFromBlock: components["schemas"]["Decimal"];
            finality?: components["schemas"]["Finality"];
            compatibility?: components["schemas"]["Compatibility"];
            delivery?: components["schemas"]["Delivery"];
            maxPerSecond?: components["schemas"]["MaxPerSecond"];
            headerNames?: components["schemas"]["HeaderNames"];
            heldCount?: components["schemas"]["HeldCount"];
            passedOver?: components["schemas"]["PassedOver"];
            catchUp?: components["schemas"]["CatchUp"];
            history?: components["schemas"]["History"];
        };
        /** @description What the webhook watches. */
        WebhookMetadata: {
            /** @description Where not empty, only logs of these events match. */
            eventSignatures: components["schemas"]["Hash"][];
            /** @description The first 1,000 addresses in ascending order; `addressCount` is the number of all. In a page of more than ten webhooks each shows its share of 10,000: the first 100 where `pageSize` is 100. */
            addresses: components["schemas"]["Address"][];
            includeTransfers?: components["schemas"]["IncludeTransfers"];
            /** @description The events to decode, as they were given. Each `internalType` may be left out. Absent without them. */
            abi?: {
                [key: string]: unknown;
            }[];
            /** @description The conditions, as they were given. Absent without them. */
            conditions?: {
                [key: string]: unknown;
            };
            anyAddress?: components["schemas"]["AnyAddress"];
            createdBy?: components["schemas"]["CreatedBy"];
            batch?: components["schemas"]["Batch"];
            ordered?: components["schemas"]["Ordered"];
        };
        /** @description The factory whose contracts are watched. */
        CreatedBy: {
            address: components["schemas"]["Address"];
            eventSignature: components["schemas"]["Hash"];
            argument: components["schemas"]["CreatedByArgument"];
        };
        /** @description How many notifications are sent in one POST. */
        Batch: {
            maxItems: components["schemas"]["BatchMaxItems"];
            maxWaitMs: components["schemas"]["BatchMaxWaitMs"];
        };
        /**
         * @description How many of its notifications wait for their block to be deep enough; 1000 means at least as many. They are not numbered yet, and
         *     are not listed among its notifications. Absent where the webhook has no `finality`.
         * @example 3
         */
        HeldCount: number;
        /**
         * @description Why the webhook is behind its chain, and how far. Absent unless it is. Nothing is lost: it is notified in order, and comes back to the
         *     others by itself.
         */
        CatchUp: {
            /**
             * @description `costly`: the account's webhooks took too much of a block, with more than 2,000 notifications, with addresses that too many
             *     of them watch, with conditions compared too often, or with too long options. They are matched apart from others, some at a time, until 64 blocks in a row cost little.
             * @enum {string}
             */
            reason: "costly";
            /** @description The next block whose activity is notified; of the one before, a part may be missing. */
            nextBlock: components["schemas"]["Decimal"];
        };
        /**
         * @description How far a webhook that started in the past is. Absent otherwise, and once it has caught up with the chain. Addresses that are added
         *     meanwhile are watched from a block to come, and from `fromBlock` on if one is given with them.
         */
        History: {
            /** @description The next block whose activity is notified. */
            nextBlock: components["schemas"]["Decimal"];
            /** @description The newest block that the chain's other webhooks were notified of. It grows with the chain. */
            untilBlock: components["schemas"]["Decimal"];
            /**
             * @description How many blocks it takes a second, on average. Absent until that is known.
             * @example 120
             */
            blocksPerSecond?: number;
            /**
             * Format: int64
             * @description When it will have caught up at this rate, in milliseconds since the epoch. Absent until that is known.
             * @example 1767226200000
             */
            finishesAt?: number;
            /**
             * @description Why it does not get on, in a sentence. Absent while it does.
             * @example None of the chain's nodes returns what its next blocks need; the log says what is wrong with each.
             */
            stoppedReason?: string;
            /**
             * @description How its blocks are read now. `complete`: every block whole, with every check that new blocks have. `headers`: of blocks that cannot match only the header; `logs`: only the blocks of which nodes return logs that can match. A webhook with such a `historyMode` is in `complete` while that mode does not pay, or cannot be: too many blocks may match, too many addresses are watched, blocks are not final yet, or nodes do not agree on their logs. Accept values that are not listed here: later versions may add some.
             * @example complete
             * @enum {string}
             */
            mode: "complete" | "headers" | "logs";
            /**
             * @description Only with the mode `logs`: how many nodes returned the same logs of each range so far, at least, which does not prove that none is missing.
             * @example 2
             */
            nodesAgreed?: number;
        };
        /**
         * @description What an ordered webhook has given up: notifications that failed at every attempt, so that the ones after them could be sent. Absent
         *     while there are none. A later resend changes nothing here.
         */
        PassedOver: {
            /**
             * Format: int64
             * @description How many, since the webhook was created.
             * @example 1
             */
            count: number;
            /**
             * Format: int64
             * @description The `sequence` of the last one.
             * @example 42
             */
            lastSequence: number;
            /**
             * Format: int64
             * @description When the last one was given up, in milliseconds since the epoch.
             * @example 1767225600000
             */
            at: number;
        };
        /**
         * @description When activity is notified. Absent for `instant`.
         * @example finalized
         */
        Finality: string | {
            confirmations: components["schemas"]["Confirmations"];
        };
        /**
         * @description Whose form notifications have. Absent for the usual one.
         * @example glacier
         * @enum {string}
         */
        Compatibility: "glacier";
        /**
         * @description How notifications are delivered where the webhook has no `url`. Absent where it has one.
         * @example feed
         * @enum {string}
         */
        Delivery: "feed";
        /**
         * @description How many requests are begun in a second at most. Absent where the webhook has no limit of its own.
         * @example 20
         */
        MaxPerSecond: number;
        /**
         * @description The names of the webhook's headers, as they were given. Absent where it has none.
         * @example [
         *       "Authorization",
         *       "X-Route"
         *     ]
         */
        HeaderNames: string[];
        /** @description A page of webhooks. */
        WebhookPage: {
            /** @description The webhooks, newest first. */
            webhooks: components["schemas"]["Webhook"][];
            nextPageToken?: components["schemas"]["NextPageToken"];
        };
        /**
         * @description The `pageToken` of the next page. Absent or empty at the end.
         * @example MTc2NzIyNTYwMDAwMA
         */
        NextPageToken: string;
        /** @description Addresses to remove. */
        AddressListInput: {
            /** @description The addresses. Repeated ones count once. */
            addresses: components["schemas"]["AddressInput"][];
        };
        /** @description Addresses to add. */
        AddressAdditionInput: {
            /** @description The addresses. Repeated ones count once. */
            addresses: components["schemas"]["AddressInput"][];
            /**
             * @description The first block whose activity of the new addresses is notified, at most the chain's `followedBlock`. Absent for
             *     `effectiveFromBlock`. The chain's nodes must still have it, as with the `fromBlock` of a new webhook.
             */
            fromBlock?: components["schemas"]["BlockNumberInput"];
        };
        /**
         * @description The webhook after a change of its addresses: its record, with what the change did. Only `effectiveFromBlock` differs from the
         *     record that other operations return.
         */
        AddressChange: {
            id: components["schemas"]["Uuid"];
            url?: components["schemas"]["WebhookUrl"];
            chainId: components["schemas"]["ChainId"];
            status: components["schemas"]["WebhookStatus"];
            statusReason: components["schemas"]["StatusReason"];
            statusSince: components["schemas"]["StatusSince"];
            failingSince?: components["schemas"]["FailingSince"];
            createdAt: components["schemas"]["WebhookCreatedAt"];
            name: components["schemas"]["WebhookName"];
            description: components["schemas"]["WebhookDescription"];
            eventType: components["schemas"]["EventType"];
            metadata: components["schemas"]["WebhookMetadata"];
            addressCount: components["schemas"]["AddressCount"];
            /** @description The digest of the addresses that the webhook was given, as `listWebhookAddressDigests` says. */
            addressDigest: components["schemas"]["AddressDigest"];
            includeInternalTxs: components["schemas"]["IncludeInternalTxs"];
            includeLogs: components["schemas"]["IncludeLogs"];
            /** @description The first block for which the change holds. The record of other operations has the webhook's own. */
            effectiveFromBlock: components["schemas"]["Decimal"];
            finality?: components["schemas"]["Finality"];
            compatibility?: components["schemas"]["Compatibility"];
            delivery?: components["schemas"]["Delivery"];
            maxPerSecond?: components["schemas"]["MaxPerSecond"];
            headerNames?: components["schemas"]["HeaderNames"];
            heldCount?: components["schemas"]["HeldCount"];
            passedOver?: components["schemas"]["PassedOver"];
            catchUp?: components["schemas"]["CatchUp"];
            history?: components["schemas"]["History"];
            /**
             * @description How many addresses were added or removed.
             * @example 2
             */
            changed: number;
            /** @description The same number as `addressCount`, by the name that a page of addresses has for it. */
            totalAddresses: components["schemas"]["AddressCount"];
            /** @description The replay that brings the past of added addresses. Absent without `fromBlock`. */
            replayId?: components["schemas"]["Uuid"];
        };
        /** @description A part of a change of addresses, or its commit, or both. */
        AddressChangeInput: {
            /** @description Addresses to add. Those that the webhook watches stay as they are. */
            add?: components["schemas"]["AddressInput"][];
            /** @description Addresses to remove. Those that the webhook does not watch are ignored. */
            remove?: components["schemas"]["AddressInput"][];
            /**
             * @description Whether to apply all parts. Absent for false.
             * @example true
             */
            commit?: boolean;
            /**
             * @description What the webhook's `addressDigest` must be after the commit. Otherwise nothing changes, and the answer is a 409: somebody else has changed
             *     the addresses, or a part is missing.
             */
            addressDigest?: components["schemas"]["AddressDigestInput"];
        };
        /**
         * @description The digest of a set of addresses, as `listWebhookAddressDigests` says.
         * @example 0xdb0e6a8a7a3be288dbba1855ff424f3891df36a57970b1cca21cbe182151812d
         */
        AddressDigestInput: string;
        /** @description A change of addresses. */
        AddressChangeState: {
            changeId: components["schemas"]["Uuid"];
            /**
             * @description Whether it was applied.
             * @example true
             */
            committed: boolean;
            /**
             * @description How many addresses its parts add. One in several parts counts several times.
             * @example 2
             */
            toAdd: number;
            /**
             * @description How many addresses its parts remove.
             * @example 1
             */
            toRemove: number;
            /**
             * @description How many addresses were new. Absent until it is committed, like all that follow.
             * @example 2
             */
            added?: number;
            /**
             * @description How many addresses were watched, and are no more.
             * @example 1
             */
            removed?: number;
            /** @description How many addresses the webhook watched then. */
            addressCount?: components["schemas"]["AddressCount"];
            /** @description The digest of those that the webhook was given. */
            addressDigest?: components["schemas"]["AddressDigest"];
            /** @description The first block for which the change holds. */
            effectiveFromBlock?: components["schemas"]["Decimal"];
        };
        /** @description A page of a webhook's addresses. */
        AddressPage: {
            /** @description The addresses in ascending order. */
            addresses: components["schemas"]["Address"][];
            totalAddresses: components["schemas"]["AddressCount"];
            nextPageToken?: components["schemas"]["NextPageToken"];
        };
        /** @description Digests of a webhook's addresses by prefix. */
        AddressDigestList: {
            /** @description Those of prefixes that have addresses, in ascending order. */
            digests: components["schemas"]["PrefixDigest"][];
        };
        /** @description The digest of the addresses with a prefix. */
        PrefixDigest: {
            /**
             * @description The digits with which the addresses begin. Of an address by itself, all of them.
             * @example 0x54
             */
            prefix: string;
            /**
             * @description How many addresses it has.
             * @example 1
             */
            count: number;
            digest: components["schemas"]["AddressDigest"];
        };
        /** @description A webhook's signing secret. */
        WebhookSecret: {
            /**
             * @description `whsec_` and the base64 of the key (Standard Webhooks).
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            secret: string;
            /**
             * Format: int64
             * @description Until when notifications are signed with the secret before this one too, in milliseconds since the epoch. Absent
             *     when they are not.
             * @example 1767312000000
             */
            previousSecretExpiresAt?: number;
        };
        /** @description The shared secret of an account. */
        SharedSecret: {
            /**
             * @description The key in hex, as AvaCloud has it.
             * @example 6b1f0c9a4e2d87356b1f0c9a4e2d87356b1f0c9a4e2d87356b1f0c9a4e2d8735
             */
            secret: string;
            /**
             * Format: int64
             * @description Until when notifications are signed with the secret before this one too, in milliseconds since the epoch. Absent
             *     when they are not.
             * @example 1767312000000
             */
            previousSecretExpiresAt?: number;
        };
        /** @description The outcome of a test. */
        TestResult: {
            /** @description The test's own; the endpoint got it as `webhook-id`. */
            messageId: components["schemas"]["Uuid"];
            /**
             * @description Whether the endpoint accepted it.
             * @example true
             */
            delivered: boolean;
            sentAt: components["schemas"]["SentAt"];
            durationMs: components["schemas"]["DurationMs"];
            responseStatus?: components["schemas"]["ResponseStatus"];
            responseBody?: components["schemas"]["ResponseBody"];
            errorClass?: components["schemas"]["ErrorClass"];
        };
        /** @description One attempt to send a notification. */
        Attempt: {
            /**
             * @description The attempt's number among those of the notification, without gaps, from 1.
             * @example 1
             */
            number: number;
            trigger: components["schemas"]["AttemptTrigger"];
            sentAt: components["schemas"]["SentAt"];
            durationMs: components["schemas"]["DurationMs"];
            responseStatus?: components["schemas"]["ResponseStatus"];
            responseBody?: components["schemas"]["ResponseBody"];
            errorClass?: components["schemas"]["ErrorClass"];
        };
        /**
         * @description What made the attempt: the `schedule`, which is the first attempt and those that follow when it fails; a `resend` that
         *     was asked for; or a `replay` of the block.
         * @example schedule
         * @enum {string}
         */
        AttemptTrigger: "schedule" | "resend" | "replay";
        /**
         * Format: int64
         * @description When it was sent, in milliseconds since the epoch.
         * @example 1767225601250
         */
        SentAt: number;
        /**
         * @description How long the exchange took, in milliseconds.
         * @example 84
         */
        DurationMs: number;
        /**
         * @description The status that the endpoint answered with. Absent when it did not answer.
         * @example 204
         */
        ResponseStatus: number;
        /**
         * @description The first 1,024 bytes of the endpoint's answer, as UTF-8. Absent when there were none.
         * @example busy
         */
        ResponseBody: string;
        /**
         * @description What went wrong; absent when nothing did. A 2xx counts once its status line has arrived, whatever follows. `bad_status` is an
         *     answer that is not a 2xx. `invalid_response` is an answer that is not HTTP. `tls_error` is a certificate that is not valid for the
         *     host, a failed handshake, a client certificate that the endpoint wants, or a port of which only one side speaks TLS.
         *     `blocked_address` is an address that the service does not call. `timeout` means that no status line arrived within
         *     10 seconds, or that an answer that is not a 2xx did not end within them.
         * @example bad_status
         * @enum {string}
         */
        ErrorClass: "dns_error" | "connection_refused" | "connection_reset" | "tls_error" | "timeout" | "blocked_address" | "bad_status" | "invalid_response";
        /**
         * @description `delivered` when an attempt succeeded, and for good; `failed` when every attempt has been made and failed; otherwise
         *     `pending`. Without a `url`, each is `delivered` by being in the feed.
         * @example delivered
         * @enum {string}
         */
        NotificationStatus: "pending" | "delivered" | "failed";
        /** @description A notification, and its outcome so far. */
        NotificationRecord: {
            messageId: components["schemas"]["Uuid"];
            /**
             * Format: int64
             * @description The notification's number among those of its webhook, without gaps, from 1.
             * @example 42
             */
            sequence: number;
            blockNumber: components["schemas"]["Decimal"];
            blockHash: components["schemas"]["Hash"];
            txHash: components["schemas"]["Hash"];
            /**
             * @description Whether it is a retraction.
             * @example false
             */
            removed: boolean;
            /**
             * @description True where its event says `finalized`. Absent otherwise.
             * @example true
             */
            finalized?: boolean;
            /**
             * Format: int64
             * @description When it was recorded, in milliseconds since the epoch.
             * @example 1767225601000
             */
            recordedAt: number;
            status: components["schemas"]["NotificationStatus"];
            /**
             * @description How many attempts were made.
             * @example 1
             */
            attemptCount: number;
            /**
             * Format: int64
             * @description When it is sent again, in milliseconds since the epoch. Absent when that is not planned, and before the first
             *     attempt, which is made as soon as the endpoint can take it.
             * @example 1767225611000
             */
            nextAttemptAt?: number;
            /** @description The last attempt. Absent before the first. */
            lastAttempt?: components["schemas"]["Attempt"];
        };
        /** @description A notification with its payload and every attempt. */
        NotificationDetail: {
            messageId: components["schemas"]["Uuid"];
            /**
             * Format: int64
             * @description The notification's number among those of its webhook, without gaps, from 1.
             * @example 42
             */
            sequence: number;
            blockNumber: components["schemas"]["Decimal"];
            blockHash: components["schemas"]["Hash"];
            txHash: components["schemas"]["Hash"];
            /**
             * @description Whether it is a retraction.
             * @example false
             */
            removed: boolean;
            /**
             * @description True where its event says `finalized`. Absent otherwise.
             * @example true
             */
            finalized?: boolean;
            /**
             * Format: int64
             * @description When it was recorded, in milliseconds since the epoch.
             * @example 1767225601000
             */
            recordedAt: number;
            status: components["schemas"]["NotificationStatus"];
            /**
             * @description How many attempts were made.
             * @example 1
             */
            attemptCount: number;
            /**
             * Format: int64
             * @description When it is sent again, in milliseconds since the epoch. Absent when that is not planned, and before the first
             *     attempt, which is made as soon as the endpoint can take it.
             * @example 1767225611000
             */
            nextAttemptAt?: number;
            /** @description The last attempt. Absent before the first. */
            lastAttempt?: components["schemas"]["Attempt"];
            /** @description What is sent. Written as JSON without spaces, it is the body byte for byte. With `compatibility`, `glacierPayload` is that. */
            payload: components["schemas"]["AddressActivityNotification"];
            /** @description What is sent to a webhook with the `compatibility` `glacier`. Absent for others. */
            glacierPayload?: components["schemas"]["GlacierNotification"];
            /** @description Every attempt, the first one first. */
            attempts: components["schemas"]["Attempt"][];
        };
        /** @description A page of a webhook's notifications. */
        NotificationPage: {
            /** @description The notifications in ascending order of their sequence. */
            notifications: components["schemas"]["NotificationRecord"][];
            nextPageToken?: components["schemas"]["NextPageToken"];
        };
        /** @description Notifications of a webhook, as they are sent. */
        Feed: {
            /** @description The notifications in ascending order of their sequence, without a gap. */
            notifications: components["schemas"]["FeedNotification"][];
            /**
             * Format: int64
             * @description The sequence of the webhook's newest notification; 0 before the first.
             * @example 42
             */
            lastSequence: number;
        };
        /** @description A notification, as it is sent. */
        FeedNotification: {
            /**
             * Format: int64
             * @description The notification's number among those of its webhook, without gaps, from 1.
             * @example 42
             */
            sequence: number;
            /** @description What is sent. Written as JSON without spaces, it is the body byte for byte. With `compatibility`, `glacierPayload` is that. */
            payload: components["schemas"]["AddressActivityNotification"];
            /** @description What is sent to a webhook with the `compatibility` `glacier`. Absent for others. */
            glacierPayload?: components["schemas"]["GlacierNotification"];
        };
        /**
         * @description The form of the body, `signed` by default: that is `OperationalEvent`, and the others are those of Slack's and Discord's incoming webhooks, of PagerDuty's
         *     Events API v2 and of a Teams workflow. With `pagerduty`, `headers` must have `X-Routing-Key`: the integration's key of 32 characters, which
         *     PagerDuty takes in the body.
         * @example signed
         * @enum {string}
         */
        OperationalFormat: "signed" | "slack" | "discord" | "pagerduty" | "teams";
        /**
         * @description Where operational events are sent, and how. What is absent is as for a new one, whatever it was before. Without a `url` they are only
         *     read by the feed, and another `format` than `signed` and `headers` are refused.
         */
        OperationalWebhookInput: {
            url?: components["schemas"]["WebhookUrl"];
            format?: components["schemas"]["OperationalFormat"];
            headers?: components["schemas"]["HeadersInput"];
        };
        /** @description An account's operational webhook. */
        OperationalWebhook: {
            url?: components["schemas"]["WebhookUrl"];
            format: components["schemas"]["OperationalFormat"];
            headerNames?: components["schemas"]["HeaderNames"];
            status: components["schemas"]["WebhookStatus"];
            statusReason: components["schemas"]["StatusReason"];
            statusSince: components["schemas"]["StatusSince"];
            failingSince?: components["schemas"]["FailingSince"];
            createdAt: components["schemas"]["WebhookCreatedAt"];
        };
        /**
         * @description Something that happened to an account's webhooks. `data` has the fields of its `type`:
         *
         *     | type | what happened | data |
         *     |---|---|---|
         *     | `webhook.failing` | Every attempt has failed for 50, 75 or 90 % of the time after which the webhook becomes inactive. | `webhookId`, `percent`, `failingSince`, `deactivatesAt` |
         *     | `webhook.deactivated` | The service, or somebody while it was failing, made it inactive. | `webhookId`, `reason` |
         *     | `webhook.recovered` | It no longer fails: an attempt succeeded, or it was activated or deleted. | `webhookId`, `reason` |
         *     | `webhook.notifications_failed` | Notifications used up their attempts. | `webhookId`, `count` since the last such event, `lastSequence` |
         *     | `webhook.passed_over` | The same of a webhook with `ordered`, which went on with the next ones. | `webhookId`, `count` since the last such event, `lastSequence` |
         *     | `chain.stopped` | A chain stands still on which the account has active webhooks. | `chainId`, `reason`, `since` |
         *     | `chain.resumed` | It is followed again, or no active webhook of the account waits for it any more. | `chainId` |
         *     | `replay.done`, `replay.failed` | A replay ended. | `replayId`, `webhookId`, and of a failure `reason` |
         *     | `history.done`, `history.failed` | The history of a webhook with `fromBlock` reached the present, or stands still. | `webhookId`, `chainId`, and of a failure `reason` |
         *     | `quota.reached` | The account uses 80 or 100 % of a quota. | `quota`, `percent`, `used`, `limit` |
         *     | `account.set_apart` | The account's webhooks cost so much that they are matched apart from others, and may be later. | `chainId`, `reason` |
         *     | `test` | Somebody asked for a test. | |
         */
        OperationalEvent: {
            /** @description The same at every attempt. */
            messageId: components["schemas"]["Uuid"];
            /**
             * @description What happened.
             * @example webhook.failing
             * @enum {string}
             */
            type: "webhook.failing" | "webhook.deactivated" | "webhook.recovered" | "webhook.notifications_failed" | "webhook.passed_over" | "chain.stopped" | "chain.resumed" | "replay.done" | "replay.failed" | "history.done" | "history.failed" | "quota.reached" | "account.set_apart" | "test";
            /**
             * Format: int64
             * @description When the service noticed it, in milliseconds since the epoch.
             * @example 1767225900000
             */
            createdAt: number;
            /**
             * @description What it is about, such as `webhook:` and its id. An event that ends a state, such as `chain.resumed`, has the subject of the one that
             *     began it.
             * @example webhook:6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
             */
            subject: string;
            /**
             * @description One sentence for people.
             * @example Every attempt to reach the endpoint of webhook 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a has failed for 50 % of the time after which it becomes inactive.
             */
            message: string;
            data: components["schemas"]["OperationalEventData"];
        };
        /** @description What an operational event says, by its `type`. */
        OperationalEventData: {
            /** @description The webhook that it is about. */
            webhookId?: components["schemas"]["Uuid"];
            /** @description The chain that it is about. */
            chainId?: components["schemas"]["ChainId"];
            /** @description The replay that it is about. */
            replayId?: components["schemas"]["Uuid"];
            /**
             * @description How much of the time has passed, 50, 75 or 90, or of the quota is used, 80 or 100.
             * @example 50
             */
            percent?: number;
            /**
             * Format: int64
             * @description Since when every attempt has failed, in milliseconds since the epoch.
             * @example 1767225700000
             */
            failingSince?: number;
            /**
             * Format: int64
             * @description When the webhook becomes inactive if no attempt succeeds, in milliseconds since the epoch.
             * @example 1767657700000
             */
            deactivatesAt?: number;
            /**
             * @description Why. Of `webhook.deactivated`, the webhook's `statusReason`; of `webhook.recovered`, `delivered`, `activated` or `deleted`; of
             *     `account.set_apart`, `costly`; of others, a sentence.
             * @example endpoint_failing
             */
            reason?: string;
            /**
             * Format: int64
             * @description How many notifications.
             * @example 3
             */
            count?: number;
            /**
             * Format: int64
             * @description The greatest sequence among them.
             * @example 42
             */
            lastSequence?: number;
            /**
             * Format: int64
             * @description Since when, in milliseconds since the epoch.
             * @example 1767225600000
             */
            since?: number;
            /**
             * @description Which quota.
             * @example addresses
             * @enum {string}
             */
            quota?: "webhooks" | "addresses" | "historyBlocks" | "anyAddress" | "comparisons" | "abiBytes";
            /**
             * Format: int64
             * @description How much of it is used.
             * @example 80000
             */
            used?: number;
            /**
             * Format: int64
             * @description How much may be used.
             * @example 100000
             */
            limit?: number;
        };
        /** @description Operational events of an account. */
        OperationalFeed: {
            /** @description The events in ascending order of their sequence, without a gap. */
            notifications: components["schemas"]["OperationalFeedNotification"][];
            /**
             * Format: int64
             * @description The sequence of the newest event; 0 before the first.
             * @example 42
             */
            lastSequence: number;
        };
        /** @description An operational event with its place in the feed. */
        OperationalFeedNotification: {
            /**
             * Format: int64
             * @description The event's number among the account's operational events, without gaps, from 1.
             * @example 42
             */
            sequence: number;
            payload: components["schemas"]["OperationalEvent"];
        };
        /**
         * @description A transaction's hash, in any letter case.
         * @example 0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0
         */
        TxHashInput: string;
        /** @description A webhook as for its creation, and what to look at: a transaction or a block, one of the two. */
        PreviewInput: {
            url?: components["schemas"]["WebhookUrl"];
            chainId: components["schemas"]["ChainId"];
            eventType?: components["schemas"]["EventType"];
            metadata: components["schemas"]["WebhookMetadataInput"];
            name?: components["schemas"]["WebhookName"];
            description?: components["schemas"]["WebhookDescription"];
            includeInternalTxs?: components["schemas"]["IncludeInternalTxs"];
            includeLogs?: components["schemas"]["IncludeLogs"];
            finality?: components["schemas"]["FinalityInput"];
            compatibility?: components["schemas"]["CompatibilityInput"];
            fromBlock?: components["schemas"]["FromBlock"];
            historyMode?: components["schemas"]["HistoryModeInput"];
            delivery?: components["schemas"]["DeliveryInput"];
            maxPerSecond?: components["schemas"]["MaxPerSecondInput"];
            headers?: components["schemas"]["HeadersInput"];
            txHash?: components["schemas"]["TxHashInput"];
            blockNumber?: components["schemas"]["BlockNumberInput"];
        };
        /** @description What a webhook would be notified of. */
        Preview: {
            chainId: components["schemas"]["ChainId"];
            blockNumber: components["schemas"]["Decimal"];
            blockHash: components["schemas"]["Hash"];
            /**
             * @description How many transactions were looked at: one with a `txHash`, otherwise all of the block.
             * @example 185
             */
            transactionCount: number;
            /**
             * @description How many of them match.
             * @example 3
             */
            matchCount: number;
            /** @description With a `txHash`, that transaction. Otherwise the first that match, in the order of the chain. */
            transactions: components["schemas"]["PreviewedTransaction"][];
        };
        /** @description A transaction, whether it matches, and why. */
        PreviewedTransaction: {
            txHash: components["schemas"]["Hash"];
            /**
             * @description The position in the block, from 0.
             * @example 33
             */
            transactionIndex: number;
            matches: components["schemas"]["Matches"];
            reason: components["schemas"]["PreviewReason"];
            message: components["schemas"]["ReasonMessage"];
            parts: components["schemas"]["Parts"];
            partCount: components["schemas"]["PartCount"];
            decidedBy?: components["schemas"]["ConditionFindings"];
            decidedOn?: components["schemas"]["ConditionSubject"];
            /**
             * @description What would be sent, with `webhookId` and `messageId` all zero; with `batch`, together with others in an array, and with the
             *     finality `both`, the first of two. `confirmations` is what it is at the earliest, or with `finalized` by now. Absent where the
             *     transaction does not match.
             */
            payload?: components["schemas"]["AddressActivityNotification"];
            /** @description The same in the form in which it would be sent to a webhook with the `compatibility` `glacier`. Absent for others. */
            glacierPayload?: components["schemas"]["GlacierNotification"];
        };
        /**
         * @description Why a transaction matches or not:
         *
         *     - `matches`: it would be notified
         *     - `not_watched`: no watched address takes part in it
         *     - `other_event`: one does, but in no log with one of the event signatures
         *     - `condition_failed`: it fails the conditions; `decidedBy` says which, and is empty where no log or transfer matches by itself
         *     - `not_yet_effective`: it is before the log by which the factory (`createdBy`) names the contract
         * @example matches
         * @enum {string}
         */
        PreviewReason: "matches" | "not_watched" | "other_event" | "condition_failed" | "not_yet_effective";
        /**
         * @description The reason in sentences.
         * @example It matches: 0xbd3531da5cf5857e7cfaa92426877b022e612cf8 is the emitter of log 2.
         */
        ReasonMessage: string;
        /**
         * @description Whether the transaction matches what the webhook watches.
         * @example true
         */
        Matches: boolean;
        /**
         * @description How watched addresses take part in the transaction, at most 20: first the parts by which it matches, then the others, each in
         *     the order of the chain. With `anyAddress`, its logs, each with its `emitter`.
         */
        Parts: components["schemas"]["Part"][];
        /**
         * @description How many parts watched addresses have in the transaction.
         * @example 1
         */
        PartCount: number;
        /** @description A watched address, and one way in which it takes part in a transaction. */
        Part: {
            address: components["schemas"]["Address"];
            role: components["schemas"]["PartRole"];
            /**
             * @description The position of the log within the transaction, from 0. Absent outside of logs.
             * @example 2
             */
            logIndex?: number;
            /** @description The log's first topic, which an event signature must be. Absent outside of logs, and for a log without topics. */
            topic0?: components["schemas"]["Hash"];
            /**
             * @description The position of the call frame in `internalTransactions`, from 0. Absent outside of call frames.
             * @example 4
             */
            internalIndex?: number;
            /**
             * @description Whether the transaction matches by this part alone.
             * @example true
             */
            matches: boolean;
            /** @description The first block for which the webhook watches the address. Absent where that is not after the transaction. */
            fromBlock?: components["schemas"]["Decimal"];
            namedBy?: components["schemas"]["FactoryLog"];
        };
        /**
         * @description How an address takes part: as the transaction's `from` or `to`, the `created_contract`, the `emitter` of a log, an indexed
         *     argument in its `topic1`, `topic2` or `topic3`, or `call_from` or `call_to` of a call frame.
         * @example emitter
         * @enum {string}
         */
        PartRole: "from" | "to" | "created_contract" | "emitter" | "topic1" | "topic2" | "topic3" | "call_from" | "call_to";
        /**
         * @description The log of the factory (`createdBy`) that names the address, which is watched from the next log on. Absent where that is before the
         *     transaction's block.
         */
        FactoryLog: {
            blockNumber: components["schemas"]["Decimal"];
            /** @description Absent where it is in a later block than the transaction. */
            txHash?: components["schemas"]["Hash"];
            /**
             * @description The position within its transaction, from 0. Absent where it is in a later block.
             * @example 0
             */
            logIndex?: number;
        };
        /**
         * @description The comparisons of `metadata.conditions` that decided, and no more of them than it takes: one that fails in `all`, one that holds in
         *     `any`, otherwise each. Empty where no log or transfer matches by itself, so that there is nothing to compare. Absent where conditions
         *     decided nothing.
         */
        ConditionFindings: components["schemas"]["ConditionFinding"][];
        /** @description A comparison that decided. */
        ConditionFinding: {
            /**
             * @description Where it is in `metadata.conditions`, such as `all.1.not`; empty for the whole.
             * @example all.1
             */
            path: string;
            /**
             * @description What is compared.
             * @example transfer.value
             */
            field: string;
            /**
             * @description How it is compared.
             * @example gte
             * @enum {string}
             */
            op: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in";
            /**
             * @description What it is compared with; with `in`, each value, with a comma and a space between them.
             * @example 1000000
             */
            value: string;
            /**
             * @description What the transaction, transfer or log has, cut after 200 characters. Absent where it has none. Texts of logs are whatever their
             *     contract wrote.
             * @example 7096
             */
            actual?: string;
            /**
             * @description Whether it holds.
             * @example false
             */
            holds: boolean;
        };
        /**
         * @description The log and the transfer for which the conditions were decided: of several, one for which they hold, or the one that comes closest.
         *     Absent where the conditions are of the transaction alone, and where no log or transfer matches by itself.
         */
        ConditionSubject: {
            /**
             * @description The position of the log within the transaction, from 0. Absent for a native transfer.
             * @example 2
             */
            logIndex?: number;
            /**
             * @description That of the transfer. Absent, as are its other fields, for a log that is none.
             * @example erc721
             * @enum {string}
             */
            standard?: "native" | "erc20" | "erc721" | "erc1155";
            /** @description The token's. Absent for a native transfer. */
            contract?: components["schemas"]["Address"];
            /** @description Whom it is from. */
            from?: components["schemas"]["Address"];
            /** @description Whom it is to. */
            to?: components["schemas"]["Address"];
            /** @description How much moved, in the smallest unit; 1 for an ERC-721 token. */
            value?: components["schemas"]["Decimal"];
            /** @description Which token of an ERC-721 or ERC-1155 contract. */
            tokenId?: components["schemas"]["Decimal"];
        };
        /** @description Why a webhook was or was not notified of a transaction. */
        Explanation: {
            webhookId: components["schemas"]["Uuid"];
            txHash: components["schemas"]["Hash"];
            /**
             * @description Whether a notification of it is recorded that was not retracted. Its `status` says whether it was delivered.
             * @example true
             */
            notified: boolean;
            reason: components["schemas"]["ExplanationReason"];
            message: components["schemas"]["ReasonMessage"];
            /** @description The block that the transaction is in now. Absent where that is not known. */
            blockNumber?: components["schemas"]["Decimal"];
            /** @description That block's hash. */
            blockHash?: components["schemas"]["Hash"];
            /** @description Whether it matches what the webhook watches now. Absent where the block could not be read. */
            matches?: components["schemas"]["Matches"];
            parts: components["schemas"]["Parts"];
            partCount: components["schemas"]["PartCount"];
            decidedBy?: components["schemas"]["ConditionFindings"];
            decidedOn?: components["schemas"]["ConditionSubject"];
            /**
             * @description With `not_yet_effective` and `webhook_inactive`, the first block after the transaction from which on the webhook is notified.
             *     Absent while it is inactive.
             */
            fromBlock?: components["schemas"]["Decimal"];
            /**
             * @description How many more blocks must be recorded, or with the finality `finalized` or `both` become final, until the notification that is
             *     held is recorded. Absent without one, and where the chain's nodes have not said yet which blocks are final.
             * @example 9
             */
            missingBlocks?: number;
            /** @description The newest block that the service has recorded for the webhook. Absent until the first. */
            followedBlock?: components["schemas"]["Decimal"];
            /**
             * Format: int64
             * @description With `not_followed_yet`, since when following the chain has stopped, in milliseconds since the epoch. Absent while it is
             *     followed.
             * @example 1767225600000
             */
            stoppedSince?: number;
            /** @description The notifications of the transaction, retractions included, in the order of their sequence; the newest 20. */
            notifications: components["schemas"]["NotificationRecord"][];
        };
        /**
         * @description Why a webhook was or was not notified of a transaction:
         *
         *     - `notified`: it was
         *     - `retracted`: it was, but the block left the chain, and a retraction followed
         *     - `not_watched`: no watched address takes part in it
         *     - `other_event`: one does, but in no log with one of the event signatures
         *     - `condition_failed`: it fails the webhook's conditions; `decidedBy` says which, and is empty where no log or transfer matches by itself
         *     - `not_yet_effective`: it is before the first block that the webhook, or the address, is notified of, or before the log by which a
         *       factory (`createdBy`) names the contract
         *     - `webhook_inactive`: the webhook was inactive at its block
         *     - `pending`: it is in no block yet
         *     - `not_followed_yet`: its block is not recorded yet, or the replay of an added address's past has not come to it; the notification follows
         *     - `waiting_for_finality`: its block is recorded, and not yet as deep as the webhook's `finality` asks; the notification follows
         *     - `not_kept`: notifications of that time are no longer kept
         *     - `unexplained`: it matches now, but nothing was recorded, such as when the webhook changed after the block
         *
         *     With `not_yet_effective`, `webhook_inactive`, `not_kept` and `unexplained`, a replay of the block notifies of it if it matches,
         *     unless a factory named the contract later.
         * @example notified
         * @enum {string}
         */
        ExplanationReason: "notified" | "retracted" | "not_watched" | "other_event" | "condition_failed" | "not_yet_effective" | "webhook_inactive" | "pending" | "not_followed_yet" | "waiting_for_finality" | "not_kept" | "unexplained";
        /** @description The blocks to replay, both included. */
        ReplayCreate: {
            fromBlock: components["schemas"]["BlockNumberInput"];
            /** @description The last block, at most the newest that is recorded for the webhook. That is the chain's `followedBlock`, unless it catches up. */
            toBlock: components["schemas"]["BlockNumberInput"];
            /**
             * @description Whether `fromBlock` may be before the webhook's `effectiveFromBlock`, so that it is notified of what happened before it was
             *     created or resumed. Without it such a `fromBlock` is a 400.
             * @example true
             */
            includeEarlier?: boolean;
        };
        /** @description A replay of a range of blocks for one webhook. */
        Replay: {
            id: components["schemas"]["Uuid"];
            webhookId: components["schemas"]["Uuid"];
            status: components["schemas"]["ReplayStatus"];
            /**
             * @description Why it failed, in a sentence. Absent otherwise.
             * @example Block 62318001 was not returned by any node of the chain for a day.
             */
            statusReason?: string;
            fromBlock: components["schemas"]["Decimal"];
            toBlock: components["schemas"]["Decimal"];
            /** @description The newest block that was replayed. Absent before the first. */
            currentBlock?: components["schemas"]["Decimal"];
            /**
             * @description How many notifications recorded before it has sent again.
             * @example 12
             */
            resentCount: number;
            /**
             * @description How many notifications it has added.
             * @example 3
             */
            addedCount: number;
            /**
             * Format: int64
             * @description When it was created, in milliseconds since the epoch.
             * @example 1767225600000
             */
            createdAt: number;
            /**
             * @description How many blocks it goes through in a second, rounded, over the last seconds. Present while it is `running`, once that is known.
             * @example 41
             */
            blocksPerSecond?: number;
            /**
             * Format: int64
             * @description When it will be done at that pace, in milliseconds since the epoch. Present while it is `running`, once that is known.
             * @example 1767225640000
             */
            finishesAt?: number;
            /**
             * Format: int64
             * @description When it was done, failed or cancelled, in milliseconds since the epoch. Absent before.
             * @example 1767225660000
             */
            finishedAt?: number;
        };
        /**
         * @description `queued` before its first block, then `running`; `done` after its last block; `failed` when no node gave the next
         *     block for a day; `cancelled` when that was asked for. One that is `done` runs again if a reorganisation replaces some of its
         *     blocks: it adds what the new ones have, and sends nothing again.
         * @example running
         * @enum {string}
         */
        ReplayStatus: "queued" | "running" | "done" | "failed" | "cancelled";
        /** @description The supported chains. */
        ChainList: {
            /** @description The chains in ascending order of their identifier. */
            chains: components["schemas"]["Chain"][];
        };
        /**
         * @description A chain that the service follows. `headBlock`, `followedBlock`, `lagBlocks`, `blocksFrom`, `stoppedSince` and `stoppedReason`
         *     are those of its lane without traces; `lanes` has those of each.
         */
        Chain: {
            chainId: components["schemas"]["ChainId"];
            /**
             * @description A human-readable name.
             * @example Avalanche C-Chain
             */
            name: string;
            /**
             * @description Whether webhooks on it can have `includeInternalTxs`.
             * @example true
             */
            traces: boolean;
            finality?: components["schemas"]["ChainFinality"];
            /** @description The newest block on record that is final. Absent until one is known, and without `finality`. */
            finalBlock?: components["schemas"]["Decimal"];
            /** @description The newest block that its nodes reported. Absent until they first did. */
            headBlock?: components["schemas"]["Decimal"];
            /** @description The newest block whose activity has been recorded. Absent until the first has been. */
            followedBlock?: components["schemas"]["Decimal"];
            /**
             * @description How many blocks there are between the two.
             * @example 0
             */
            lagBlocks?: number;
            /**
             * @description Where the newest recorded block came from: the stream of blocks that a reader publishes, or the chain's nodes. Absent
             *     until the first is recorded.
             * @example nodes
             * @enum {string}
             */
            blocksFrom?: "stream" | "nodes";
            /**
             * Format: int64
             * @description Since when following the chain has stopped, in milliseconds since the epoch; absent while it is followed. Activity in
             *     the meantime is notified once following resumes.
             * @example 1767225600000
             */
            stoppedSince?: number;
            /**
             * @description Why following stopped, in a sentence; absent while it is followed.
             * @example None of the chain's nodes returns what its next blocks need; the log says what is wrong with each.
             */
            stoppedReason?: string;
            /** @description The lanes in which the chain is followed, the one without traces first. */
            lanes?: components["schemas"]["ChainLane"][];
        };
        /**
         * @description Which of its blocks are final: with `latest` each as soon as it is the newest; with `finalized` what its nodes call so; with
         *     `confirmations` what has that many blocks on top. Absent while its nodes do not say; then no webhook on it can have the finality
         *     `finalized` or `both`.
         * @example finalized
         */
        ChainFinality: string | {
            confirmations: components["schemas"]["Confirmations"];
        };
        /** @description How far a chain is followed for the webhooks with `includeInternalTxs`, or for those without. */
        ChainLane: {
            /**
             * @description Whether it is the one for webhooks with `includeInternalTxs`. It exists while there are any.
             * @example true
             */
            traces: boolean;
            /** @description The newest block that its nodes reported. Absent until they first did. */
            headBlock?: components["schemas"]["Decimal"];
            /** @description The newest block whose activity has been recorded. Absent until the first has been. */
            followedBlock?: components["schemas"]["Decimal"];
            /**
             * @description How many blocks there are between the two.
             * @example 0
             */
            lagBlocks?: number;
            /**
             * @description For how many seconds it has not been followed up to its head; 0 while it is. Absent until it first was.
             * @example 0
             */
            lagSeconds?: number;
            /**
             * @description Where the newest recorded block came from: the stream of blocks that a reader publishes, or the chain's nodes. Absent
             *     until the first is recorded.
             * @example nodes
             * @enum {string}
             */
            blocksFrom?: "stream" | "nodes";
            /**
             * Format: int64
             * @description Since when following has stopped, in milliseconds since the epoch; absent while it is followed.
             * @example 1767225600000
             */
            stoppedSince?: number;
            /**
             * @description Why following stopped, in a sentence; absent while it is followed. If the traces are missing, it says so: set
             *     `includeInternalTxs` to false to be notified without waiting for them.
             * @example None of the chain's nodes returns the traces of its next blocks. Only webhooks with includeInternalTxs wait for them.
             */
            stoppedReason?: string;
        };
        /** @description When an attempt was made, in seconds since the epoch. */
        NotificationTimestamp: string;
        /** @description One signature, or several with a space between, each `v1,` and base64. */
        NotificationSignature: string;
        /** @description A notification's number among those of its webhook, from 1; `0` for a test. */
        NotificationSequence: string;
        /** @description Several notifications of one webhook, in the order of their sequence. */
        AddressActivityBatch: components["schemas"]["AddressActivityNotification"][];
        /** @description A transaction in which a watched address took part. */
        AddressActivityNotification: {
            webhookId: components["schemas"]["Uuid"];
            eventType: components["schemas"]["EventType"];
            messageId: components["schemas"]["Uuid"];
            event: components["schemas"]["AddressActivityEvent"];
        };
        /** @description What happened. */
        AddressActivityEvent: {
            /**
             * @description True where the block was final when this was recorded, for webhooks with the finality `finalized` or `both`. Absent
             *     otherwise.
             * @example true
             */
            finalized?: boolean;
            /**
             * @description How many blocks were on top of the block when this was recorded. Present where the webhook has a `finality`, but not in
             *     retractions.
             * @example 12
             */
            confirmations?: number;
            transaction: components["schemas"]["Transaction"];
            /** @description All logs of the transaction. Present where the webhook has `includeLogs`. */
            logs?: components["schemas"]["Log"][];
            /**
             * @description True in a retraction, when the block left the chain. Absent otherwise.
             * @example true
             */
            removed?: boolean;
        };
        /** @description A transaction and its receipt. */
        Transaction: {
            blockHash: components["schemas"]["Hash"];
            blockNumber: components["schemas"]["Decimal"];
            from: components["schemas"]["Address"];
            /** @description The receiver; all zero when the transaction creates a contract. */
            to: components["schemas"]["Address"];
            /** @description The gas limit. */
            gas: components["schemas"]["Decimal"];
            /** @description In wei; `0` where the transaction's type has none. */
            gasPrice: components["schemas"]["Decimal"];
            /** @description In wei; `0` where the transaction's type has none. */
            maxFeePerGas: components["schemas"]["Decimal"];
            /** @description In wei; `0` where the transaction's type has none. */
            maxPriorityFeePerGas: components["schemas"]["Decimal"];
            txHash: components["schemas"]["Hash"];
            /**
             * @description `1` for success, `0` for failure. Absent for receipts that have none (before Byzantium).
             * @example 1
             * @enum {string}
             */
            txStatus?: "0" | "1";
            /** @description The whole call data. */
            input: components["schemas"]["HexData"];
            nonce: components["schemas"]["Decimal"];
            /**
             * @description The position in the block, from 0.
             * @example 0
             */
            transactionIndex: number;
            /** @description In wei. */
            value: components["schemas"]["Decimal"];
            /**
             * @description The transaction's type (EIP-2718).
             * @example 2
             */
            type: number;
            chainId: components["schemas"]["ChainId"];
            receiptCumulativeGasUsed: components["schemas"]["Decimal"];
            receiptGasUsed: components["schemas"]["Decimal"];
            /** @description In wei. */
            receiptEffectiveGasPrice: components["schemas"]["Decimal"];
            /** @description The receipt's own state root where it has one (before Byzantium), otherwise the block's receipts root. */
            receiptRoot: components["schemas"]["Hash"];
            /** @description The contract created; all zero when none was. */
            contractAddress: components["schemas"]["Address"];
            /**
             * Format: int64
             * @description In seconds since the epoch.
             * @example 1767225600
             */
            blockTimestamp: number;
            /**
             * @description The call frames below the top one, in the order of their start, without those that reverted. Present where the
             *     webhook has `includeInternalTxs`.
             */
            internalTransactions?: components["schemas"]["InternalTransaction"][];
            /**
             * @description The transfers of ERC-20 tokens, in the order of their logs. `Deposit` and `Withdrawal` of a wrapped native coin are among them,
             *     from and to the zero address, which does not take part in them. Present where the webhook has `includeTransfers`.
             */
            erc20Transfers?: components["schemas"]["Erc20Transfer"][];
            /** @description The transfers of ERC-721 tokens, in the order of their logs. Present where the webhook has `includeTransfers`. */
            erc721Transfers?: components["schemas"]["Erc721Transfer"][];
            /**
             * @description The transfers of ERC-1155 tokens, in the order of their logs; a batch is one for each id. Present where the webhook has
             *     `includeTransfers`.
             */
            erc1155Transfers?: components["schemas"]["Erc1155Transfer"][];
            /**
             * @description The transfers of the native coin: the transaction's own value, and where the webhook has `includeInternalTxs` also those of
             *     call frames that did not revert, in the order of their start. None of value 0. Present where the webhook has `includeTransfers`.
             */
            nativeTransfers?: components["schemas"]["NativeTransfer"][];
        };
        /** @description A transfer of an ERC-20 token, as a log says. */
        Erc20Transfer: {
            transactionHash: components["schemas"]["Hash"];
            /**
             * @description The token's standard.
             * @example ERC20
             * @enum {string}
             */
            type: "ERC20";
            /** @description The sender; all zero when tokens were minted. */
            from: components["schemas"]["Address"];
            /** @description The receiver; all zero when tokens were burned. */
            to: components["schemas"]["Address"];
            /** @description The amount in the token's smallest unit. */
            value: components["schemas"]["Decimal"];
            /**
             * Format: int64
             * @description In seconds since the epoch.
             * @example 1767225600
             */
            blockTimestamp: number;
            /**
             * @description The position of the log within the transaction, from 0.
             * @example 0
             */
            logIndex: number;
            erc20Token: components["schemas"]["TransferredToken"];
        };
        /** @description A transfer of an ERC-721 token, as a log says. */
        Erc721Transfer: {
            transactionHash: components["schemas"]["Hash"];
            /**
             * @description The token's standard.
             * @example ERC721
             * @enum {string}
             */
            type: "ERC721";
            /** @description The sender; all zero when the token was minted. */
            from: components["schemas"]["Address"];
            /** @description The receiver; all zero when the token was burned. */
            to: components["schemas"]["Address"];
            /** @description Always `1`. */
            value: components["schemas"]["Decimal"];
            /** @description Which of the contract's tokens. */
            tokenId: components["schemas"]["Decimal"];
            /**
             * Format: int64
             * @description In seconds since the epoch.
             * @example 1767225600
             */
            blockTimestamp: number;
            /**
             * @description The position of the log within the transaction, from 0.
             * @example 0
             */
            logIndex: number;
            erc721Token: components["schemas"]["TransferredToken"];
        };
        /** @description A transfer of one id of an ERC-1155 contract, as a log says. */
        Erc1155Transfer: {
            transactionHash: components["schemas"]["Hash"];
            /**
             * @description The token's standard.
             * @example ERC1155
             * @enum {string}
             */
            type: "ERC1155";
            /** @description The sender; all zero when tokens were minted. */
            from: components["schemas"]["Address"];
            /** @description The receiver; all zero when tokens were burned. */
            to: components["schemas"]["Address"];
            /** @description How many of this id. */
            value: components["schemas"]["Decimal"];
            /** @description Which of the contract's tokens. */
            tokenId: components["schemas"]["Decimal"];
            /**
             * Format: int64
             * @description In seconds since the epoch.
             * @example 1767225600
             */
            blockTimestamp: number;
            /**
             * @description The position of the log within the transaction, from 0. The transfers of a batch share it.
             * @example 0
             */
            logIndex: number;
            erc1155Token: components["schemas"]["TransferredToken"];
        };
        /** @description A transfer of the chain's native coin. */
        NativeTransfer: {
            transactionHash: components["schemas"]["Hash"];
            /**
             * @description Always `NATIVE`.
             * @example NATIVE
             * @enum {string}
             */
            type: "NATIVE";
            from: components["schemas"]["Address"];
            /** @description The receiver; the contract, when it was created with this value. */
            to: components["schemas"]["Address"];
            /** @description In wei. */
            value: components["schemas"]["Decimal"];
            /**
             * Format: int64
             * @description In seconds since the epoch.
             * @example 1767225600
             */
            blockTimestamp: number;
        };
        /**
         * @description The contract of a token, and what it says of itself. The contract was asked once, at a block; what it did not answer is null. Anybody
         *     can choose any name: tell tokens apart by their address.
         */
        TransferredToken: {
            address: components["schemas"]["Address"];
            /** @description Its name, at most 100 characters, without control characters and marks of direction; null if it has none. */
            name: components["schemas"]["TokenText"];
            /** @description Its symbol, at most 100 characters, without control characters and marks of direction; null if it has none. */
            symbol: components["schemas"]["TokenText"];
            /**
             * @description How many digits of a value are behind the point; null if it does not say so, and for ERC-721 and ERC-1155.
             * @example 6
             */
            decimals: number | null;
            /**
             * @description The value in whole tokens, exactly, without trailing zeros; null where `decimals` is.
             * @example 19545.916917
             */
            valueWithDecimals: string | null;
        };
        /**
         * @description What a token's contract says of itself; null if it says nothing.
         * @example USD Coin
         */
        TokenText: string | null;
        /** @description A call frame below the top one. */
        InternalTransaction: {
            from: components["schemas"]["Address"];
            to: components["schemas"]["Address"];
            /**
             * @description The kind of frame, such as `CALL`, `CREATE` or `DELEGATECALL`.
             * @example CALL
             */
            internalTxType: string;
            /** @description The wei that moved; `0` for a delegatecall. */
            value: components["schemas"]["Decimal"];
            gasUsed: components["schemas"]["Decimal"];
            gasLimit: components["schemas"]["Decimal"];
            transactionHash: components["schemas"]["Hash"];
        };
        /** @description A log entry. */
        Log: {
            /** @description The contract that emitted it. */
            address: components["schemas"]["Address"];
            /** @description The hash of the event's signature; null for a log without topics. */
            topic0: components["schemas"]["Topic"];
            topic1: components["schemas"]["Topic"];
            topic2: components["schemas"]["Topic"];
            topic3: components["schemas"]["Topic"];
            data: components["schemas"]["HexData"];
            /**
             * @description The transaction's position in the block, from 0.
             * @example 0
             */
            transactionIndex: number;
            /**
             * @description The position of the log within the transaction, from 0.
             * @example 0
             */
            logIndex: number;
            /**
             * @description True in a retraction.
             * @example false
             */
            removed: boolean;
            /** @description What the log says, if an event of the webhook's `abi` fits it. Absent otherwise. */
            decoded?: components["schemas"]["DecodedLog"];
            /**
             * @description Why a log with the signature of an event of the webhook's `abi` is not decoded: `too_large` if its data has more than 32 KiB or its
             *     `decoded` would have more than 256 KiB as JSON, or if those of the logs before it in the notification have 1 MiB of either.
             * @enum {string}
             */
            undecoded?: "too_large";
        };
        /** @description A log, decoded by an event in JSON ABI form. */
        DecodedLog: {
            /**
             * @description The event's name.
             * @example Transfer
             */
            name: string;
            /**
             * @description The event's name and the types of its arguments.
             * @example Transfer(address,address,uint256)
             */
            signature: string;
            /**
             * @description Each argument by its name, or by its position from 0 where it has none: a number as a decimal string; bytes and addresses in hex,
             *     in lower case; a boolean; a text; a list; a tuple as an object. Of an indexed text, bytes, list or tuple only the hash is on the
             *     chain: `{"hash": "0x…", "hashed": true}`.
             * @example {
             *       "from": "0x0000000000000000000000000000000000000000",
             *       "to": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
             *       "value": "1000000"
             *     }
             */
            args: {
                [key: string]: unknown;
            };
        };
        /**
         * @description A topic of a log; null where the log has none at this place.
         * @example 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef
         */
        Topic: string | null;
        /** @description The HMAC-SHA256 of a body, in base64. */
        GlacierSignature: string;
        /** @description A transaction in which a watched address took part, in Glacier's form. */
        GlacierNotification: {
            webhookId: components["schemas"]["Uuid"];
            eventType: components["schemas"]["EventType"];
            messageId: components["schemas"]["Uuid"];
            event: components["schemas"]["GlacierEvent"];
        };
        /** @description What happened, in Glacier's form. */
        GlacierEvent: {
            /**
             * @description True where the block was final when this was recorded, for webhooks with the finality `finalized` or `both`. Absent
             *     otherwise.
             * @example true
             */
            finalized?: boolean;
            /**
             * @description How many blocks were on top of the block when this was recorded. Present where the webhook has a `finality`, but not in
             *     retractions.
             * @example 12
             */
            confirmations?: number;
            transaction: components["schemas"]["GlacierTransaction"];
            /** @description All logs of the transaction. Present where the webhook has `includeLogs`. */
            logs?: components["schemas"]["GlacierLog"][];
            /**
             * @description True in a retraction, when the block left the chain. Absent otherwise.
             * @example true
             */
            removed?: boolean;
        };
        /** @description A transaction and its receipt, in Glacier's form. */
        GlacierTransaction: {
            blockHash: components["schemas"]["Hash"];
            blockNumber: components["schemas"]["Decimal"];
            from: components["schemas"]["Address"];
            /** @description The receiver; all zero when the transaction creates a contract. */
            to: components["schemas"]["Address"];
            /** @description The gas limit. */
            gas: components["schemas"]["Decimal"];
            /** @description In wei; `0` where the transaction's type has none. */
            gasPrice: components["schemas"]["Decimal"];
            /** @description In wei; `0` where the transaction's type has none. */
            maxFeePerGas: components["schemas"]["Decimal"];
            /** @description In wei; `0` where the transaction's type has none. */
            maxPriorityFeePerGas: components["schemas"]["Decimal"];
            txHash: components["schemas"]["Hash"];
            /**
             * @description `1` for success, `0` for failure. `1` also for receipts that have none (before Byzantium).
             * @example 1
             * @enum {string}
             */
            txStatus: "0" | "1";
            /** @description The whole call data. */
            input: components["schemas"]["HexData"];
            nonce: components["schemas"]["Decimal"];
            /**
             * @description The position in the block, from 0.
             * @example 0
             */
            transactionIndex: number;
            /** @description In wei. */
            value: components["schemas"]["Decimal"];
            /**
             * @description The transaction's type (EIP-2718).
             * @example 2
             */
            type: number;
            chainId: components["schemas"]["ChainId"];
            receiptCumulativeGasUsed: components["schemas"]["Decimal"];
            receiptGasUsed: components["schemas"]["Decimal"];
            /** @description In wei. */
            receiptEffectiveGasPrice: components["schemas"]["Decimal"];
            /** @description The receipt's own state root where it has one (before Byzantium), otherwise the block's receipts root. */
            receiptRoot: components["schemas"]["Hash"];
            /** @description The contract created; all zero when none was. */
            contractAddress: components["schemas"]["Address"];
            /**
             * Format: int64
             * @description In seconds since the epoch.
             * @example 1767225600
             */
            blockTimestamp: number;
            /**
             * @description The call frames below the top one, in the order of their start, without those that reverted. Present where the
             *     webhook has `includeInternalTxs`.
             */
            internalTransactions?: components["schemas"]["InternalTransaction"][];
            /** @description The transfers of ERC-20 tokens, in the order of their logs. */
            erc20Transfers: components["schemas"]["GlacierErc20Transfer"][];
            /** @description The transfers of ERC-721 tokens, in the order of their logs. */
            erc721Transfers: components["schemas"]["GlacierErc721Transfer"][];
            /** @description The transfers of ERC-1155 tokens, in the order of their logs; a batch is one for each id. */
            erc1155Transfers: components["schemas"]["GlacierErc1155Transfer"][];
            /**
             * @description The transfers of the native coin: the transaction's own value, and where the webhook has `includeInternalTxs` also those of
             *     call frames that did not revert, in the order of their start. None of value 0. Present where the webhook has `includeTransfers`.
             */
            nativeTransfers: components["schemas"]["NativeTransfer"][];
        };
        /** @description A transfer of an ERC-20 token, in Glacier's form. */
        GlacierErc20Transfer: {
            transactionHash: components["schemas"]["Hash"];
            /**
             * @description The token's standard.
             * @example ERC20
             * @enum {string}
             */
            type: "ERC20";
            /** @description The sender; all zero when tokens were minted. */
            from: components["schemas"]["Address"];
            /** @description The receiver; all zero when tokens were burned. */
            to: components["schemas"]["Address"];
            /** @description The amount in the token's smallest unit. */
            value: components["schemas"]["Decimal"];
            /**
             * Format: int64
             * @description In seconds since the epoch.
             * @example 1767225600
             */
            blockTimestamp: number;
            /**
             * @description The position of the log within the transaction, from 0.
             * @example 0
             */
            logIndex: number;
            erc20Token: components["schemas"]["GlacierToken"];
        };
        /** @description A transfer of an ERC-721 token, in Glacier's form. */
        GlacierErc721Transfer: {
            transactionHash: components["schemas"]["Hash"];
            /**
             * @description The token's standard.
             * @example ERC721
             * @enum {string}
             */
            type: "ERC721";
            /** @description The sender; all zero when the token was minted. */
            from: components["schemas"]["Address"];
            /** @description The receiver; all zero when the token was burned. */
            to: components["schemas"]["Address"];
            /** @description Always `1`. */
            value: components["schemas"]["Decimal"];
            /** @description Which of the contract's tokens. */
            tokenId: components["schemas"]["Decimal"];
            /**
             * Format: int64
             * @description In seconds since the epoch.
             * @example 1767225600
             */
            blockTimestamp: number;
            /**
             * @description The position of the log within the transaction, from 0.
             * @example 0
             */
            logIndex: number;
            erc721Token: components["schemas"]["GlacierToken"];
        };
        /** @description A transfer of one id of an ERC-1155 contract, in Glacier's form. */
        GlacierErc1155Transfer: {
            transactionHash: components["schemas"]["Hash"];
            /**
             * @description The token's standard.
             * @example ERC1155
             * @enum {string}
             */
            type: "ERC1155";
            /** @description The sender; all zero when tokens were minted. */
            from: components["schemas"]["Address"];
            /** @description The receiver; all zero when tokens were burned. */
            to: components["schemas"]["Address"];
            /** @description How many of this id. */
            value: components["schemas"]["Decimal"];
            /** @description Which of the contract's tokens. */
            tokenId: components["schemas"]["Decimal"];
            /**
             * Format: int64
             * @description In seconds since the epoch.
             * @example 1767225600
             */
            blockTimestamp: number;
            /**
             * @description The position of the log within the transaction, from 0. The transfers of a batch share it.
             * @example 0
             */
            logIndex: number;
            erc1155Token: components["schemas"]["GlacierToken"];
        };
        /** @description The contract of a token, and what it says of itself, without nulls. */
        GlacierToken: {
            address: components["schemas"]["Address"];
            /**
             * @description Its name; empty if it has none.
             * @example USD Coin
             */
            name: string;
            /**
             * @description Its symbol; empty if it has none.
             * @example USDC
             */
            symbol: string;
            /**
             * @description How many digits of a value are behind the point; 0 if it does not say so, and for ERC-721 and ERC-1155.
             * @example 6
             */
            decimals: number;
            /**
             * @description The value in whole tokens, exactly, without trailing zeros.
             * @example 19545.916917
             */
            valueWithDecimals: string;
        };
        /** @description A log entry, in Glacier's form. */
        GlacierLog: {
            /** @description The contract that emitted it. */
            address: components["schemas"]["Address"];
            /**
             * @description The hash of the event's signature; empty for a log without topics.
             * @example 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef
             */
            topic0: string;
            topic1?: components["schemas"]["GlacierTopic"];
            topic2?: components["schemas"]["GlacierTopic"];
            topic3?: components["schemas"]["GlacierTopic"];
            data: components["schemas"]["HexData"];
            /**
             * @description The transaction's position in the block, from 0.
             * @example 0
             */
            transactionIndex: number;
            /**
             * @description The position of the log within the transaction, from 0.
             * @example 0
             */
            logIndex: number;
            /**
             * @description True in a retraction.
             * @example false
             */
            removed: boolean;
        };
        /**
         * @description A topic of a log. Absent where the log has none at this place.
         * @example 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef
         */
        GlacierTopic: string;
        /** @description The shape of every error. */
        ApiError: {
            /**
             * @description One sentence that says what was wrong.
             * @example metadata.addresses must have at least 1 item.
             */
            message: string;
            /**
             * @description The HTTP status code.
             * @example 400
             */
            statusCode: number;
            /**
             * @description The standard reason phrase of the status.
             * @example Bad Request
             */
            error: string;
        };
        /** @description The headers of a notification, by their names in lower case. */
        AddressActivityHeaders: {
            /**
             * @description The notification's `messageId`, the same at every attempt.
             * @example 0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10
             */
            "webhook-id": components["schemas"]["Uuid"];
            /**
             * @description When this attempt was made, in seconds since the epoch.
             * @example 1767225600
             */
            "webhook-timestamp": components["schemas"]["NotificationTimestamp"];
            /**
             * @description One signature, or several with a space between during a rotation, each `v1,` and base64.
             * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
             */
            "webhook-signature": components["schemas"]["NotificationSignature"];
            /**
             * @description The notification's number among those of its webhook, without gaps, from 1; `0` for a test.
             * @example 42
             */
            "webhook-sequence": components["schemas"]["NotificationSequence"];
        };
        /** @description The headers of a notification, by their names in lower case. */
        AddressActivityBatchHeaders: {
            /**
             * @description The batch's id, a UUIDv5 of its messageIds. It is the same whenever the same notifications are sent together. What was sent in
             *     one batch can be sent in another, so recognise notifications by their `messageId`.
             * @example 0517e234-500a-5a5b-a5da-80a865529910
             */
            "webhook-id": components["schemas"]["Uuid"];
            /**
             * @description When this attempt was made, in seconds since the epoch.
             * @example 1767225600
             */
            "webhook-timestamp": components["schemas"]["NotificationTimestamp"];
            /**
             * @description One signature, or several with a space between during a rotation, each `v1,` and base64.
             * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
             */
            "webhook-signature": components["schemas"]["NotificationSignature"];
            /**
             * @description The first notification's number among those of its webhook, from 1; `0` for a test. The others follow without gaps.
             * @example 42
             */
            "webhook-sequence": components["schemas"]["NotificationSequence"];
        };
        /** @description The headers of a notification, by their names in lower case. */
        GlacierActivityHeaders: {
            /**
             * @description The notification's `messageId`, the same at every attempt.
             * @example 0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10
             */
            "webhook-id": components["schemas"]["Uuid"];
            /**
             * @description When this attempt was made, in seconds since the epoch.
             * @example 1767225600
             */
            "webhook-timestamp": components["schemas"]["NotificationTimestamp"];
            /**
             * @description One signature, or several with a space between during a rotation, each `v1,` and base64.
             * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
             */
            "webhook-signature": components["schemas"]["NotificationSignature"];
            /**
             * @description The notification's number among those of its webhook, without gaps, from 1; `0` for a test.
             * @example 42
             */
            "webhook-sequence": components["schemas"]["NotificationSequence"];
            /**
             * @description The HMAC-SHA256 of the body in base64. Its key is the hex-decoded shared secret.
             * @example K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
             */
            "x-signature": components["schemas"]["GlacierSignature"];
            /**
             * @description The same by the shared secret before, for 24 hours after a rotation.
             * @example 2pj9o9NDN/H/pI4K5oZfzN95Z9UVu1EsfQmfVNQhnkY=
             */
            "x-signature-previous"?: components["schemas"]["GlacierSignature"];
        };
        /** @description The headers of a notification, by their names in lower case. */
        OperationalEventHeaders: {
            /**
             * @description The notification's `messageId`, the same at every attempt.
             * @example 0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10
             */
            "webhook-id": components["schemas"]["Uuid"];
            /**
             * @description When this attempt was made, in seconds since the epoch.
             * @example 1767225600
             */
            "webhook-timestamp": components["schemas"]["NotificationTimestamp"];
            /**
             * @description One signature, or several with a space between during a rotation, each `v1,` and base64.
             * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
             */
            "webhook-signature": components["schemas"]["NotificationSignature"];
            /**
             * @description The notification's number among those of its webhook, without gaps, from 1; `0` for a test.
             * @example 42
             */
            "webhook-sequence": components["schemas"]["NotificationSequence"];
        };
    };
    responses: {
        /** @description The request is not as described here; the message names the field and what it must be. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The API key is missing, unknown, expired or revoked. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The API key lacks the scope, or the account is over its quota. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The account has no such webhook, or the webhook no such notification or replay. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The `Idempotency-Key` was used with another body, or for a webhook that was deleted since. Or histories of the account are at 16 blocks of the chain, and another one cannot start yet. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The API key lacks the scope, or the account may not read so many blocks of the past now. */
        ReplayForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The webhook has ten unfinished replays. */
        TooManyReplays: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The addresses would not have the `addressDigest` of the request. Nothing has changed. */
        OtherAddresses: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The notification after `after` is no longer kept; the message and `Webhook-First-Sequence` say which is the next one that is. */
        Gone: {
            headers: {
                "Webhook-First-Sequence": components["headers"]["FirstSequence"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body is larger than 1 MiB, or than 320 KiB while it is compressed. */
        ContentTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body is not `application/json` in UTF-8. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The rate limit is exceeded. */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The service failed. Nothing was changed. */
        InternalServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The chain's node failed where the operation needs it. Nothing was changed. */
        BadGateway: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The database is unavailable, the server is stopping or overloaded, or no process took a test, preview, explanation or `fromBlock`. */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
    };
    parameters: {
        /**
         * @description The webhook's identifier.
         * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
         */
        WebhookId: components["schemas"]["UuidInput"];
        /** @description The `nextPageToken` of the previous page. */
        PageToken: string;
        /**
         * @description The notification's identifier.
         * @example 0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10
         */
        MessageId: components["schemas"]["UuidInput"];
        /**
         * @description A unique value that makes it safe to repeat the request.
         * @example 2f1c7a52-4a0f-49f4-9a0d-5a3f5f0c7b11
         */
        IdempotencyKey: string;
    };
    requestBodies: {
        Addresses: {
            content: {
                "application/json": components["schemas"]["AddressListInput"];
            };
        };
    };
    headers: {
        /**
         * @description Seconds to wait before the next try.
         * @example 5
         */
        RetryAfter: number;
        /**
         * @description The sequence of the next notification that is kept.
         * @example 42
         */
        FirstSequence: number;
        /**
         * @description The limit that counted the request: `q` requests in `w` seconds, of the `"key"`, or of the client `"address"` without a
         *     valid key. After draft-ietf-httpapi-ratelimit-headers.
         * @example "key";q=2000;w=10
         */
        RateLimitPolicy: string;
        /**
         * @description How many more requests (`r`) pass now, and in how many seconds (`t`) all of them do again.
         * @example "key";r=0;t=5
         */
        RateLimit: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Only webhooks of this status. */
                status?: components["schemas"]["WebhookStatus"];
                /** @description The `nextPageToken` of the previous page. */
                pageToken?: components["parameters"]["PageToken"];
                /** @description How many webhooks a page has at most. */
                pageSize?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhooks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A unique value that makes it safe to repeat the request.
                 * @example 2f1c7a52-4a0f-49f4-9a0d-5a3f5f0c7b11
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookCreate"];
            };
        };
        responses: {
            /** @description The webhook was created. */
            201: {
                headers: {
                    /**
                     * @description The path of the webhook.
                     * @example /v1/webhooks/6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                     */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    previewWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewInput"];
            };
        };
        responses: {
            /** @description What the webhook would be notified of. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The last state of the deleted webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookUpdate"];
            };
        };
        responses: {
            /** @description The webhook as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookAddresses: {
        parameters: {
            query?: {
                /** @description The `nextPageToken` of the previous page. */
                pageToken?: components["parameters"]["PageToken"];
                /** @description How many addresses a page has at most. */
                pageSize?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of addresses. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeWebhookAddresses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody: components["requestBodies"]["Addresses"];
        responses: {
            /** @description The webhook, how many addresses were removed, and from which block on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressChange"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addWebhookAddresses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddressAdditionInput"];
            };
        };
        responses: {
            /** @description The webhook, how many addresses were added, and from which block on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressChange"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ReplayForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TooManyReplays"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookAddressDigests: {
        parameters: {
            query?: {
                /**
                 * @description The prefixes whose addresses are divided: 1 to 16, separated by commas. Each is `0x` and 2 to 39 hex digits in lower case. One that
                 *     another begins is passed over. A single prefix is divided by its next two digits, several by their next one each. Prefixes that have at
                 *     most 256 addresses together are divided into these addresses. Absent for all addresses, divided by their first byte.
                 * @example 0x54,0xd8
                 */
                prefix?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description At most 256 digests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressDigestList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeWebhookAddresses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
                /**
                 * @description The change's identifier, which the client makes up.
                 * @example 3c6c2a4e-7d0b-4f0a-9a64-0d3f5a1b8e21
                 */
                changeId: components["schemas"]["UuidInput"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddressChangeInput"];
            };
        };
        responses: {
            /** @description The change as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddressChangeState"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["OtherAddresses"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSharedSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The shared secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateSharedSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new shared secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The outcome, also of an endpoint that did not accept the test. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                /** @description Only notifications of this status. */
                status?: components["schemas"]["NotificationStatus"];
                /**
                 * @description Only notifications with a greater sequence. Ignored with a `pageToken`.
                 * @example 41
                 */
                afterSequence?: number;
                /** @description The `nextPageToken` of the previous page. */
                pageToken?: components["parameters"]["PageToken"];
                /** @description How many notifications a page has at most. */
                pageSize?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of notifications. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationPage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getNotification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
                /**
                 * @description The notification's identifier.
                 * @example 0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10
                 */
                messageId: components["parameters"]["MessageId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The notification. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationDetail"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resendNotification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
                /**
                 * @description The notification's identifier.
                 * @example 0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10
                 */
                messageId: components["parameters"]["MessageId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The notification as it is now; the attempt follows. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRecord"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readFeed: {
        parameters: {
            query?: {
                /**
                 * @description Only notifications with a greater sequence. Without it, the feed begins with the first that is kept.
                 * @example 41
                 */
                after?: number;
                /** @description How many notifications an answer has at most. */
                limit?: number;
                /**
                 * @description How many seconds to wait for a notification.
                 * @example 0
                 */
                wait?: number;
            };
            header?: {
                /**
                 * @description The `id` of the last event that was received. It replaces `after`.
                 * @example 41
                 */
                "Last-Event-ID"?: string;
            };
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The notifications, or a stream of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feed"];
                    /**
                     * @example id: 42
                     *     data: {"webhookId":"f3b0c6a1-91d5-4a6e-b0a8-1c9a3f0d7e52","eventType":"address_activity","messageId":"8c21d892-a423-5806-9d56-5c804b13674a","event":{"transaction":{"blockHash":"0xd24fd73f794058a3807db926d8898c6481e902b7edb91ce0d479d6760f276183","blockNumber":"20000000","from":"0x02abb0c71c407b2bce10c64609f27d89939b9c43","to":"0xe015593439749a01f280f75d74d683bb453be883","gas":"21000","gasPrice":"4985457716","maxFeePerGas":"6939113126","maxPriorityFeePerGas":"48500000","txHash":"0x6021f898933bc4ce1ccd6f9ab0af2c823e73cf902f6eb17ed78b4eec6beb8d8d","txStatus":"1","input":"0x","nonce":"801","transactionIndex":121,"value":"1000000000000000000","type":2,"chainId":"1","receiptCumulativeGasUsed":"9442547","receiptGasUsed":"21000","receiptEffectiveGasPrice":"4985457716","receiptRoot":"0xb39f9f7a13a342751bd2c575eca303e224393d4e11d715866b114b7e824da608","contractAddress":"0x0000000000000000000000000000000000000000","blockTimestamp":1717281407}}}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayCreate"];
            };
        };
        responses: {
            /** @description The replay is queued. */
            202: {
                headers: {
                    /**
                     * @description The path of the replay.
                     * @example /v1/webhooks/6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a/replays/0b8f6c1e-3c55-4f0e-9f57-3a1d9f4b7e21
                     */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ReplayForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TooManyReplays"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
                /**
                 * @description The replay's identifier.
                 * @example 0b8f6c1e-3c55-4f0e-9f57-3a1d9f4b7e21
                 */
                replayId: components["schemas"]["UuidInput"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The replay. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelReplay: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
                /**
                 * @description The replay's identifier.
                 * @example 0b8f6c1e-3c55-4f0e-9f57-3a1d9f4b7e21
                 */
                replayId: components["schemas"]["UuidInput"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The replay, as it ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replay"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    explainWebhook: {
        parameters: {
            query: {
                /**
                 * @description The transaction's hash.
                 * @example 0x4e2052232dafed5032691c923a82bd81f42cbd6670249f090ee1aa883f8677a0
                 */
                txHash: components["schemas"]["TxHashInput"];
            };
            header?: never;
            path: {
                /**
                 * @description The webhook's identifier.
                 * @example 6d1bbe40-2a4b-4c0e-8f0a-5e7f5b1d2c3a
                 */
                id: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Why it was notified, or why not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            502: components["responses"]["BadGateway"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOperationalWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operational webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationalWebhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    putOperationalWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperationalWebhookInput"];
            };
        };
        responses: {
            /** @description The operational webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationalWebhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["ContentTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteOperationalWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deleted operational webhook. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationalWebhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOperationalSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateOperationalSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testOperationalWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The outcome, also of an endpoint that did not accept the test. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    readOperationalFeed: {
        parameters: {
            query?: {
                /**
                 * @description Only notifications with a greater sequence. Without it, the feed begins with the first that is kept.
                 * @example 41
                 */
                after?: number;
                /** @description How many notifications an answer has at most. */
                limit?: number;
                /**
                 * @description How many seconds to wait for a notification.
                 * @example 0
                 */
                wait?: number;
            };
            header?: {
                /**
                 * @description The `id` of the last event that was received. It replaces `after`.
                 * @example 41
                 */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events, or a stream of them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationalFeed"];
                    /**
                     * @example id: 1
                     *     data: {"messageId":"5f9b9a52-0d0c-4d7e-9a3f-1c2b3d4e5f60","type":"chain.resumed","createdAt":1767225900000,"subject":"chain:1","message":"Chain 1 is followed again.","data":{"chainId":"1"}}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listChains: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The chains. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChainList"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addressActivity: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The notification's `messageId`, the same at every attempt.
                 * @example 0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10
                 */
                "webhook-id": components["schemas"]["Uuid"];
                /**
                 * @description When this attempt was made, in seconds since the epoch.
                 * @example 1767225600
                 */
                "webhook-timestamp": components["schemas"]["NotificationTimestamp"];
                /**
                 * @description One signature, or several with a space between during a rotation, each `v1,` and base64.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["schemas"]["NotificationSignature"];
                /**
                 * @description The notification's number among those of its webhook, without gaps, from 1; `0` for a test.
                 * @example 42
                 */
                "webhook-sequence": components["schemas"]["NotificationSequence"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddressActivityNotification"];
            };
        };
        responses: {
            /** @description The endpoint is gone. The webhook becomes `inactive`. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many. The service retries, after `Retry-After` if given. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not now. The service retries, after `Retry-After` if given. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted; it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted; the service retries by the schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    addressActivityBatch: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The batch's id, a UUIDv5 of its messageIds. It is the same whenever the same notifications are sent together. What was sent in
                 *     one batch can be sent in another, so recognise notifications by their `messageId`.
                 * @example 0517e234-500a-5a5b-a5da-80a865529910
                 */
                "webhook-id": components["schemas"]["Uuid"];
                /**
                 * @description When this attempt was made, in seconds since the epoch.
                 * @example 1767225600
                 */
                "webhook-timestamp": components["schemas"]["NotificationTimestamp"];
                /**
                 * @description One signature, or several with a space between during a rotation, each `v1,` and base64.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["schemas"]["NotificationSignature"];
                /**
                 * @description The first notification's number among those of its webhook, from 1; `0` for a test. The others follow without gaps.
                 * @example 42
                 */
                "webhook-sequence": components["schemas"]["NotificationSequence"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddressActivityBatch"];
            };
        };
        responses: {
            /** @description The endpoint is gone. The webhook becomes `inactive`. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many. The service retries, after `Retry-After` if given. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not now. The service retries, after `Retry-After` if given. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description All are accepted; none is sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description None is accepted; the service retries by the schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    glacierActivity: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The notification's `messageId`, the same at every attempt.
                 * @example 0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10
                 */
                "webhook-id": components["schemas"]["Uuid"];
                /**
                 * @description When this attempt was made, in seconds since the epoch.
                 * @example 1767225600
                 */
                "webhook-timestamp": components["schemas"]["NotificationTimestamp"];
                /**
                 * @description One signature, or several with a space between during a rotation, each `v1,` and base64.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["schemas"]["NotificationSignature"];
                /**
                 * @description The notification's number among those of its webhook, without gaps, from 1; `0` for a test.
                 * @example 42
                 */
                "webhook-sequence": components["schemas"]["NotificationSequence"];
                /**
                 * @description The HMAC-SHA256 of the body in base64. Its key is the hex-decoded shared secret.
                 * @example K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "x-signature": components["schemas"]["GlacierSignature"];
                /**
                 * @description The same by the shared secret before, for 24 hours after a rotation.
                 * @example 2pj9o9NDN/H/pI4K5oZfzN95Z9UVu1EsfQmfVNQhnkY=
                 */
                "x-signature-previous"?: components["schemas"]["GlacierSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GlacierNotification"];
            };
        };
        responses: {
            /** @description The endpoint is gone. The webhook becomes `inactive`. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many. The service retries, after `Retry-After` if given. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not now. The service retries, after `Retry-After` if given. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted; it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted; the service retries by the schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    operationalEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The notification's `messageId`, the same at every attempt.
                 * @example 0a3f2c55-8e0b-5d3e-9a35-6f2f3a1c7b10
                 */
                "webhook-id": components["schemas"]["Uuid"];
                /**
                 * @description When this attempt was made, in seconds since the epoch.
                 * @example 1767225600
                 */
                "webhook-timestamp": components["schemas"]["NotificationTimestamp"];
                /**
                 * @description One signature, or several with a space between during a rotation, each `v1,` and base64.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": components["schemas"]["NotificationSignature"];
                /**
                 * @description The notification's number among those of its webhook, without gaps, from 1; `0` for a test.
                 * @example 42
                 */
                "webhook-sequence": components["schemas"]["NotificationSequence"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperationalEvent"];
            };
        };
        responses: {
            /** @description The endpoint is gone. The webhook becomes `inactive`. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too many. The service retries, after `Retry-After` if given. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not now. The service retries, after `Retry-After` if given. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted; it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted; the service retries by the schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}

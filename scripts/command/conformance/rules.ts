/** The rules that a server is held to, by their names, which reports use and which stay as they are. */

/** Each rule in a sentence. */
export const rules = {
  // Of every answer
  answers: "Every request is answered.",
  "workflow-goes-on": "Each answer in a workflow has what the next step needs.",
  "status-documented": "An operation answers with a status that the contract documents for it.",
  "content-type": "Every body is JSON, and its content-type says so.",
  "response-schema": "A body has every required field, each of its type, and none that the contract does not have.",
  "response-headers": "A documented header is there where it is required, and has the form described.",
  "error-shape":
    "An error is {message, statusCode, error}: a sentence, the status, and its reason phrase after RFC 9110.",
  "secret-not-leaked": "Only the operations for secrets return one.",
  "header-values-hidden": "No answer has the value of a header that a webhook was given.",
  "charset-utf-8": "Text is UTF-8: it comes back as it was sent, and no content-type names another charset.",
  "times-in-milliseconds": "A time is in milliseconds since the epoch, and that of a new webhook is now.",
  // Of requests that must succeed
  "status-expected": "A request that is as described succeeds with the status documented for that.",
  "starts-active": "A new webhook is active, for the reason `created`.",
  "created-as-asked": "What is created holds what was asked for.",
  "options-shown": "A webhook shows each of its options as it was given, and none that it was not given.",
  "list-shows-records": "A list has each webhook's whole record, as getWebhook returns it.",
  "finality-shown":
    "A webhook with a finality shows it, and how many notifications are held; another one, and one with `instant`, neither.",
  defaults: "Absent booleans are false, absent texts empty.",
  location: "The header Location is the path of what was created, and leads to it.",
  "reads-as-written": "What is read is what was written.",
  "pause-and-resume": "An update of the status pauses and resumes, for the reason `requested`.",
  "update-changes-what-is-given": "An update changes the fields given.",
  "update-leaves-the-rest": "An update changes no field that is not given.",
  "update-empty-changes-nothing": "An update with an empty object changes nothing.",
  "delete-answers-the-record": "Deleting answers with the record as it was, inactive.",
  "deleted-is-gone": "A deleted webhook answers 404 to every operation, and is in no list.",
  "idempotent-answer": "The same Idempotency-Key and body give the same answer, and create nothing more.",
  "idempotent-after-delete": "Once its webhook is deleted, the same Idempotency-Key and body are a 409.",
  "idempotency-conflict": "Another body under the same Idempotency-Key is a 409.",
  "id-in-any-case": "An identifier is taken in any letter case, and answered in lower case.",
  "addresses-lower-case": "Addresses are answered in lower case, whatever their case was.",
  "addresses-count-once": "Repeated addresses count once, and the counts are right.",
  "addresses-ascending": "Addresses are listed in ascending order.",
  "digest-of-addresses": "A digest of addresses is the XOR of theirs, each the address and 12 bytes of its SHA-256.",
  "digests-by-prefix": "Digests are those of the asked prefixes, divided as the contract says.",
  "changes-in-parts": "A change of addresses in parts does nothing until its commit, which applies all of them.",
  "changes-once": "A part that is sent again counts once, and a repeated commit returns what the first one did.",
  "changes-into-the-expected":
    "A commit that would lead to another addressDigest than the request has is answered 409, and changes nothing.",
  "addresses-removed": "A removed address is listed no more, the others still are.",
  "addresses-answer-the-record": "A change of addresses answers with the webhook's record as it is then.",
  "addresses-effective-from": "A change of addresses returns the block from which it holds.",
  "history-shown":
    "A webhook with fromBlock is effective from it, and its history, while there is one, is of blocks from there to the newest.",
  "added-past":
    "Addresses that are added with fromBlock have a replay, from that block to the one before the change holds, and the same one if they are added again.",
  "history-refused": "A fromBlock above the chain's newest block is answered 400.",
  "history-mode-refused":
    "A historyMode without fromBlock is answered 400, and so is headers or logs for a webhook that can match without a log.",
  "effective-from-next-block":
    "What is created or changed holds from a block after those that the chain had followed before.",
  "list-newest-first": "Webhooks are listed the newest first.",
  "list-by-status": "A list by status has the webhooks or notifications of that status, and no others.",
  "chains-ascending": "Chains are listed in ascending order of their identifiers, each once.",
  "chains-agree": "A chain's lag, lanes and finality agree with one another.",
  "pagination-ends": "Following nextPageToken comes to an end.",
  "pagination-no-repeat": "No item is on two pages.",
  "pagination-page-size": "A page has at most pageSize items.",
  "pagination-complete": "All pages together have every item.",
  "pagination-keeps-filter": "Every page of a filtered list has only what the filter lets through.",
  "pagination-default-size": "Without pageSize, a page is as long as with the default that the contract states.",
  "secret-of-its-own": "Each webhook has a secret of its own.",
  "rotation-makes-another-secret": "A rotation makes another secret.",
  "rotation-shows-previous-secret": "previousSecretExpiresAt is there only after a rotation, 24 hours ahead.",
  "test-is-not-listed": "A test is no notification of the webhook: it is not listed.",
  "notifications-in-order":
    "Notifications are listed by ascending sequence, from 1 or after afterSequence, and without gaps.",
  "operational-replaced":
    "Registering again replaces the operational webhook's settings, headers included, and keeps its secret.",
  "operational-without-key": "An operational webhook for PagerDuty without the integration's key is answered 400.",
  "operational-without-url":
    "Without a url, an operational webhook with another format or with headers is answered 400, and so is its test.",
  "feed-in-order":
    "A feed has the notifications after a sequence by ascending sequence, without gaps, and as they are sent.",
  "feed-streams":
    "With `Accept: text/event-stream`, a feed is a stream of events, whose `id` is the sequence and whose `data` is the body that is sent.",
  "feed-waits": "A feed without anything new is answered after `wait` seconds, and not before.",
  "feed-only":
    "A webhook with the delivery `feed` has no url and gets none. No test is sent to it, and its notifications are delivered without an attempt.",
  "notification-detail": "A notification is the same alone as in the list, with its payload and every attempt.",
  "notification-resent":
    "A resend is one more attempt, which is sent under the same messageId and listed with the trigger `resend`.",
  "replay-finishes": "A replay of followed blocks ends, and says so and how many notifications it added.",
  "replay-progress": "A replay says how fast it is, and when it will be done, only while it is running.",
  "replay-cancelled":
    "A replay that is cancelled ends as `cancelled`, unless it has ended before, and stays as it ended.",
  "replay-earlier-if-asked":
    "A replay from before the webhook's effectiveFromBlock is answered 400, unless includeEarlier asks for it.",
  "preview-of-block":
    "A preview of a block is of that block, and an address that takes part in nothing matches nothing in it.",
  "preview-as-notified": "A preview shows what a webhook like it is sent, and the other way round.",
  "preview-of-others":
    "A preview of a transaction in which no watched address takes part says so: it does not match, and has no payload.",
  "preview-decides":
    "A preview says by which parts a transaction matches, or which comparison or missing event it fails by.",
  "explanation-agrees":
    "An explanation is `notified` for that reason only, and speaks of conditions, a factory or what is held only where the webhook has them.",
  "explanation-of-notified": "A transaction that was notified is explained as `notified`, with its notifications.",
  "explanation-of-others": "A transaction in which no watched address takes part is explained as `not_watched`.",
  // Of requests that must be refused
  "missing-key-401": "Without a key, every operation under /v1/webhooks answers 401.",
  "key-first": "Without a key that is known, the answer is 401, whatever else is wrong with the request.",
  "unknown-key-401": "With a key that is not known, every operation under /v1/webhooks answers 401.",
  "scope-403": "A key that lacks the scope of an operation is answered 403.",
  "scope-suffices": "A key with the scope that an operation needs is let in, whatever scope it lacks.",
  "unknown-is-404": "Where there is no such webhook, notification or replay, the answer is 404.",
  "other-account-unseen": "What another account has is answered exactly like what does not exist, and is in no answer.",
  "other-account-unchanged": "No request with a key of one account changes what another account has.",
  "bad-request-400": "A request that is not as described is answered 400.",
  "bounds-taken": "A request with values that are just allowed is taken, whatever their number and length.",
  "error-names-the-field": "The message of a 400 names the field that is wrong.",
  "unknown-field-refused": "An unknown field or query parameter is answered 400.",
  "unknown-chain-refused": "A chain that is not served is answered 400.",
  "conditions-shown": "A webhook is shown with the conditions that it was created with.",
  "conditions-refused": "A condition with a wrong field, op or value is answered 400.",
  "checksum-refused": "A mixed-case address with a wrong checksum is answered 400.",
  "url-refused": "A URL with a port that browsers block, or a name that never resolves, gets a 400.",
  "booleans-agree": "Booleans that differ in metadata and at the top level get a 400.",
  "traces-refused": "includeInternalTxs on a chain without traces is answered 400.",
  "finality-refused": "The finality finalized or both on a chain without one in listChains is answered 400.",
  "malformed-json-400": "A body that is no JSON object, or is empty where one is required, is answered 400.",
  "method-405": "A method that a path does not have is answered 405.",
  "unknown-path-404": "A path that there is not is answered 404.",
  "body-limits":
    "A body with more than 2,500 fields, with more than 256 KiB outside of texts, or with more than eight forms of one event, is answered 400.",
  "large-body-taken": "A body of up to 1 MiB is not too large.",
  "compressed-body-taken": "A body that is compressed with gzip or deflate is read like any other.",
  "media-type-taken": "The media type is taken in any letter case, and with the charset UTF-8 in any spelling.",
  "accept-any": "Every answer is JSON, whatever media types a client says to accept.",
  "long-url-414": "A URL of more than 8 KiB is answered 414.",
  "too-large-413": "A body of more than 1 MiB, or of more than 320 KiB while it is compressed, is answered 413.",
  "media-type-415": "A body of another media type than application/json is answered 415.",
  // Of notifications
  "callback-reachable": "A test reaches the receiver of this command.",
  "callback-headers":
    "A notification or operational event is a POST of application/json with the headers that the contract declares.",
  "callback-own-headers": "A notification has the headers that its webhook has by then, with the values as given.",
  "callback-payload":
    "The body of a notification or operational event is as described, without a field too few or too many.",
  "callback-signed":
    "A notification or operational event is signed with its webhook's secret, over its id, its timestamp and its bytes as sent.",
  "callback-timestamp": "A notification's timestamp is now, in seconds.",
  "callback-message-id":
    "The header webhook-id, the body's messageId and what the operation of a test answers are the same.",
  "callback-sequence": "The header webhook-sequence is 0 for a test, and the notification's sequence otherwise.",
  "callback-webhook": "A notification is of the webhook, and of its chain.",
  "callback-logs": "A notification has logs where the webhook has includeLogs, and only there.",
  "callback-internal-txs":
    "A notification has internalTransactions where the webhook has includeInternalTxs, and only there.",
  "callback-finality":
    "A notification says confirmations where the webhook has a finality, `finalized` where it waits for that, and neither otherwise.",
  "logs-decoded": "A log has decoded, with these values, where an event of the webhook's abi fits it, and only there.",
  "signatures-of-abi": "The event signatures of a webhook that gave none are those of its abi.",
  "callback-batch":
    "A webhook with metadata.batch is sent an array, also of one notification; several are in the order of their sequence.",
  "callback-rate": "No second has more requests to a webhook than its maxPerSecond.",
  "callback-compatibility":
    "A notification of a webhook with a compatibility is canonical JSON, and x-signature is over its bytes by the account's shared secret.",
  "logs-complete": "A notification with logs has all logs of its transaction, counted from 0.",
  "transfers-agree":
    "A notification has transfers where the webhook has includeTransfers, and only there, and they are what its logs and its value say.",
  "block-timestamp-in-seconds": "A notification's blockTimestamp is in seconds since the epoch.",
  "payload-as-on-chain": "A notification's transaction is what a node of the chain returns for it, its input whole.",
  "notification-arrives": "A notification that is listed as delivered has arrived at the endpoint.",
  "callback-no-redirect": "Redirects are not followed.",
  "rotation-signs-with-both":
    "After a rotation, notifications are signed with the new secret and with the one before it.",
  "callback-url": "A notification is sent to the webhook's url as it is now, with its path and query.",
  "test-sent-once": "A test is sent once, whatever the endpoint answers.",
  "test-changes-nothing": "A test does not change the webhook, whatever the endpoint answers.",
  "test-result": "A test returns what the endpoint answered.",
} as const;

/** The name of a rule. */
export type Rule = keyof typeof rules;

/** Whether a text is the name of a rule. */
export function isRule(name: string | undefined): name is Rule {
  return name !== undefined && Object.hasOwn(rules, name);
}

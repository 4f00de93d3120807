/** What to do about each rule that a server breaks: one sentence, which every report shows with the failure. */
import type { Rule } from "./rules.ts";

/** How to fix a server that breaks the rule. */
export const fixes: Record<Rule, string> = {
  // Of every answer
  answers: "Answer each request, also those that fail; look into the server's log for a crash or a dropped connection.",
  "workflow-goes-on": "Return the field that the next step reads, such as the id of what was created.",
  "status-documented": "Return one of the documented statuses, or map your own to the nearest of them.",
  "content-type": "Write every body as JSON, errors too, with content-type: application/json.",
  "response-schema":
    "Return exactly the fields of the schema, each of its type; leave out what the contract does not have.",
  "response-headers": "Send the header with each answer of this status, in the form that the contract states.",
  "error-shape": "Pass every error through one function that writes message, statusCode and error.",
  "header-values-hidden": "Return the names of a webhook's headers only, in headerNames.",
  "secret-not-leaked": "Leave secrets out of every answer except those of the operations for them.",
  "charset-utf-8": "Read and write bodies as UTF-8, store text as Unicode, and name no other charset.",
  "times-in-milliseconds": "Store the moment itself and write it in milliseconds, not in seconds or microseconds.",
  // Of requests that must succeed
  "status-expected": "Accept the request as it stands: it is valid. The message of the answer says what was refused.",
  "starts-active": "Create webhooks with the status active and the statusReason created.",
  "created-as-asked": "Store and return each field of the request.",
  "options-shown":
    "Keep every option of metadata, and return it with the record, also where it is false or has a default.",
  "list-shows-records": "Build the records of a list by the same function as that of getWebhook.",
  "finality-shown": "Store the finality, and return it with a heldCount, which is 0 for a new webhook.",
  defaults: "Set absent booleans to false and absent texts to an empty text.",
  location: "Set Location to the path of what was created.",
  "reads-as-written": "Read from the same place that the change was written to, not from a stale copy.",
  "pause-and-resume": "Set status as asked, and statusReason to requested.",
  "update-changes-what-is-given": "Write every field of the request, and return the record as it is afterwards.",
  "update-leaves-the-rest": "Change only the fields of the request; do not fill in defaults for the others.",
  "update-empty-changes-nothing": "Treat an empty object as no change.",
  "delete-answers-the-record": "Return the deleted record with the status inactive.",
  "deleted-is-gone": "Answer 404 for a deleted webhook everywhere, and leave it out of lists.",
  "idempotent-answer": "Keep the first answer for each Idempotency-Key for 24 hours, and return it again.",
  "idempotent-after-delete": "Answer 409 if the webhook of the Idempotency-Key was deleted.",
  "idempotency-conflict":
    "Compare the body with the first one under the Idempotency-Key, and answer 409 if it differs.",
  "id-in-any-case": "Turn identifiers of requests into lower case before you look them up.",
  "addresses-lower-case": "Turn addresses into lower case before you store them.",
  "addresses-count-once": "Drop repeated addresses, whatever their case, before you count them.",
  "addresses-ascending": "Order addresses by their text in lower case.",
  "digest-of-addresses":
    "XOR the digests of the distinct addresses, in bytes: of each its 20, then the first 12 of the SHA-256 of these 20.",
  "digests-by-prefix":
    "Divide by two more digits where one prefix is asked for or none, by one where there are several, and into addresses up to 256.",
  "changes-in-parts":
    "Keep the parts of a change apart from the webhook's addresses, and apply all in one transaction.",
  "changes-once": "Know a part by its content, and keep the result of a commit under its changeId for a day.",
  "changes-into-the-expected":
    "Compare the digest within the transaction of the commit, and roll it back if it is another.",
  "addresses-removed": "Remove exactly the addresses of the request.",
  "addresses-answer-the-record": "Return the webhook's record, as it is now, when addresses are added or removed.",
  "addresses-effective-from": "Return the block from which the change holds.",
  "history-shown":
    "Start at fromBlock: return it as effectiveFromBlock, with a history until all blocks up to the newest are notified.",
  "history-mode-refused":
    "Refuse historyMode where there is no fromBlock, and headers and logs where there are no event signatures.",
  "added-past":
    "Create a replay of the new addresses from fromBlock to the block before effectiveFromBlock, and return its id as replayId.",
  "history-refused": "Compare fromBlock with the newest block that was followed, and refuse it above that.",
  "effective-from-next-block": "Set effectiveFromBlock to the block after the last one that was followed.",
  "list-newest-first": "Order webhooks by creation, the newest first, with a second key for equal times.",
  "list-by-status": "Apply the filter status to each list that has it.",
  "chains-ascending": "Order chains by their identifiers as numbers, and list each once.",
  "chains-agree": "Read a chain's blocks and those of its lanes at the same moment, and derive the lag from them.",
  "pagination-ends": "Return no nextPageToken with the last page.",
  "pagination-no-repeat": "Begin a page after the last item of the page before, by its key and not by an offset.",
  "pagination-page-size": "Return at most pageSize items.",
  "pagination-complete": "Return a nextPageToken as long as items follow.",
  "pagination-keeps-filter": "Apply the filter to every page, also to those that a pageToken leads to.",
  "pagination-default-size": "Use the default of the contract where pageSize is absent.",
  "secret-of-its-own": "Make a random secret for each webhook.",
  "rotation-makes-another-secret": "Make a new random secret at each rotation.",
  "rotation-shows-previous-secret": "Set previousSecretExpiresAt to 24 hours after the rotation, in milliseconds.",
  "test-is-not-listed": "Do not record tests among the webhook's notifications.",
  "notifications-in-order": "Number a webhook's notifications from 1 without gaps, and list them by that number.",
  "operational-replaced": "Write all settings of the request in place of those before, and leave the secret as it is.",
  "operational-without-key": "Answer 400 to the format pagerduty where headers have no X-Routing-Key.",
  "operational-without-url":
    "Answer 400 to a format other than signed, to headers and to a test where there is no url.",
  "feed-in-order":
    "Return the payloads after `after`, or the Last-Event-ID, by their sequence, and the newest sequence beside them.",
  "feed-only":
    "Send nothing for a webhook with the delivery `feed`, and answer 400 to a test, a resend, and an update of its url.",
  "feed-streams":
    "Answer what accepts text/event-stream by an event for each notification, and write each as soon as there is one.",
  "feed-waits":
    "While a feed has nothing new, hold its answer back until there is something, or `wait` seconds are over.",
  "notification-detail": "Return what the list has, the payload as sent, and every attempt, numbered from 1.",
  "notification-resent": "Send the notification once more, and record the attempt with the trigger resend.",
  "replay-finishes": "Set the replay to done after its last block, with finishedAt, currentBlock and what it added.",
  "replay-progress": "Leave blocksPerSecond and finishesAt out unless the replay is running.",
  "replay-cancelled":
    "Set the replay to cancelled, with finishedAt, in the request; return one that has ended as it is.",
  "replay-earlier-if-asked": "Compare fromBlock with the webhook's effectiveFromBlock, unless includeEarlier is true.",
  "preview-of-block": "Read the block of that number, and match only the addresses of the request.",
  "preview-as-notified": "Build the payload by the same code as notifications, with the options of the request.",
  "preview-of-others": "Apply the matching rule to the transaction, and leave the payload out where it does not match.",
  "preview-decides":
    "Let the code that matches return what decided: the parts, the comparison, or that no log has the event.",
  "explanation-agrees":
    "Leave decidedBy, decidedOn, namedBy and missingBlocks out where they do not apply, and let notified follow the reason.",
  "explanation-of-notified": "Look up the webhook's notifications of the transaction, and return their records.",
  "explanation-of-others": "Apply the matching rule to the transaction and the webhook's own addresses.",
  // Of requests that must be refused
  "missing-key-401": "Check the key before anything else.",
  "key-first": "Check the key by the headers alone, before you read or parse a body or look at the path.",
  "unknown-key-401": "Look the key up, and answer 401 if it is not known.",
  "scope-403": "Compare the key's scopes with the scope that the contract states for the operation.",
  "scope-suffices": "Ask for the one scope that the contract states for the operation, and no other.",
  "unknown-is-404": "Answer 404 where the identifier belongs to nothing.",
  "bad-request-400": "Validate requests by the contract's schemas, before you act on them.",
  "bounds-taken": "Allow what the contract allows: its bounds are inclusive, and lengths are counted in characters.",
  "error-names-the-field": "Name the field in the message of a 400.",
  "unknown-field-refused": "Refuse fields and query parameters that the contract does not have.",
  "unknown-chain-refused": "Refuse a chainId that listChains does not return.",
  "url-refused": "Check the URL's port and host name whenever it is set, at creation and in an update.",
  "conditions-shown": "Keep conditions, and show them in metadata.conditions as they were given.",
  "conditions-refused":
    "Check the type of each comparison: which fields there are, which of them have an order, and what a value must be.",
  "checksum-refused": "Check the checksum (EIP-55) of addresses with letters in both cases.",
  "booleans-agree": "Refuse a request whose booleans differ in metadata and at the top level.",
  "traces-refused": "Refuse includeInternalTxs on a chain without traces.",
  "finality-refused": "Refuse a finality that the chain cannot have, or list the chain with its finality.",
  "malformed-json-400": "Answer 400 if the body cannot be parsed, or is not an object.",
  "method-405": "Answer 405 if the path exists but not with this method.",
  "unknown-path-404": "Answer 404 for paths that the contract does not have.",
  "body-limits": "Count the values, the fields and the bytes outside of texts before you make objects of a body.",
  "large-body-taken": "Raise the limit of your body parser, and of what stands before it, to 1 MiB.",
  "compressed-body-taken": "Decompress bodies by their Content-Encoding, at most 320 KiB that become at most 1 MiB.",
  "media-type-taken": "Compare media types and charsets without regard to case, and take quotes off a charset.",
  "accept-any": "Do not negotiate the content: answer JSON whatever the header Accept says.",
  "long-url-414": "Look at the length of the URL before you parse it.",
  "too-large-413": "Stop reading a body after 1 MiB, and answer 413.",
  "media-type-415": "Check the content-type before you parse: application/json in UTF-8, or 415.",
  "other-account-unseen":
    "Look up everything by the key's account and the identifier together, in lists and under Idempotency-Keys too.",
  "other-account-unchanged": "Look up what a request changes by the key's account, before you change it.",
  // Of notifications
  "callback-reachable":
    "Let the server reach the receiver: see --callback-url, or allow private addresses for the test.",
  "callback-headers": "Send a POST of application/json with every header that the contract declares for notifications.",
  "callback-own-headers": "Send each header of the webhook besides your own, and read them when you send.",
  "callback-payload": "Send exactly the fields of the schema: AddressActivityNotification, or OperationalEvent.",
  "callback-signed": "Sign id.timestamp.body with the decoded secret, over the very bytes that are sent.",
  "callback-timestamp": "Set webhook-timestamp to the time of the attempt, in seconds.",
  "callback-message-id": "Use one identifier in the header webhook-id, in the body and in the answer.",
  "callback-sequence": "Send the notification's own sequence in webhook-sequence, and 0 with a test.",
  "callback-webhook": "Send the webhook's id and chain in its notifications, in tests too.",
  "callback-batch":
    "Send webhooks with metadata.batch an array by ascending sequence, also for a test, under the batch's own webhook-id.",
  "callback-logs": "Include logs if the webhook has includeLogs, and leave them out otherwise.",
  "callback-internal-txs":
    "Include the call frames if the webhook has includeInternalTxs, and leave them out otherwise.",
  "callback-finality": "Write confirmations, and finalized where it is true, for webhooks with a finality only.",
  "logs-decoded":
    "Decode each log by the event whose signature and number of indexed arguments fit, and leave decoded out otherwise.",
  "signatures-of-abi":
    "Set eventSignatures to the hashes of the events' signatures where abi is given and eventSignatures is not.",
  "callback-rate":
    "Count when requests to a webhook begin, and let the next one wait where the last second has maxPerSecond.",
  "callback-compatibility":
    "Sort the fields of what you send, leave out spaces, and sign these bytes with the hex-decoded shared secret of the account.",
  "logs-complete": "Send all logs of the transaction, not only those that matched, and count logIndex from 0.",
  "transfers-agree":
    "Decode each log of the transaction, tell ERC-20 from ERC-721 by the count of topics, and send all four lists, empty or not.",
  "block-timestamp-in-seconds": "Send the block's own timestamp, which is in seconds.",
  "payload-as-on-chain": "Copy the transaction from the node as it is, the whole input included.",
  "notification-arrives": "Record an attempt as delivered only after the endpoint has answered.",
  "callback-no-redirect": "Switch redirects off in your HTTP client.",
  "rotation-signs-with-both": "For 24 hours after a rotation send two signatures, with a space between.",
  "callback-url": "Read the webhook's url when you send, and keep all of it but the fragment.",
  "test-sent-once": "Send a test once, and do not retry it.",
  "test-changes-nothing":
    "Let a test's outcome, a 410 too, neither pause the webhook nor count as a failure of its endpoint.",
  "test-result": "Return what the endpoint answered: delivered only after a 2xx, with the status and the first bytes.",
};

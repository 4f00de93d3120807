/**
 * Mutants that neither the rules nor the generated cases catch, by the reason. A test fails when one that is not listed survives, and
 * when one that is listed is caught.
 */
const byReason: Record<string, readonly string[]> = {
  "A chain's name is the operator's own.": [
    'examples/memory-server/answers.ts: name: "Avalanche C-Chain" | "Avalanche C-Chain" -> "other"',
    "listChains: chains.*.name is another text",
  ],
  "The contract does not say whether a request that was refused uses up its Idempotency-Key.": [
    "examples/memory-server/answers.ts: first.catch(() => answered.delete(key)); | first.catch(() => answered.delete(key)); -> ;",
  ],
  "The contract leaves it to the server whether it refuses a pageToken that no page gave out.": [
    "examples/memory-server/answers.ts: pageToken !== undefined && !token.test(pageToken) | pageToken !== undefined && !token.test(pageToken) -> false",
    "examples/memory-server/answers.ts: if (pageToken !== undefined && !token.test(pageToken)) throw new Ht... | if (pageToken !== undefined && !token.test(pageToken)) throw new Ht... -> nothing",
    'examples/memory-server/answers.ts: throw new HttpError(400, "pageToken must be the nextPageToken of th... | throw new HttpError(400, "pageToken must be the nextPageToken of th... -> ;',
  ],
  "A millisecond in 24 hours is below what clocks on two machines agree on.": [
    "examples/memory-server/store.ts: const dayMs = 86_400_000; | 86_400_000 -> 86400001",
    "examples/memory-server/store.ts: const dayMs = 86_400_000; | 86_400_000 -> 86399999",
  ],
  "Equivalent: the contract leaves the length of a secret open.": [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source's own.
    'examples/memory-server/store.ts: () => `whsec_${randomBytes(32).toString("base64")}` | 32 -> 33',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source's own.
    'examples/memory-server/store.ts: () => `whsec_${randomBytes(32).toString("base64")}` | 32 -> 31',
  ],
  "Equivalent within 24 hours of the rotation.": [
    "examples/memory-server/store.ts: previous && previous.until > Date.now() | > -> >=",
    "examples/memory-server/store.ts: previous && previous.until > Date.now() | Date.now() -> 0",
    "examples/memory-server/store.ts: previous && previous.until > Date.now() | Date.now() -> Math.floor(Date.now() / 1000)",
    "examples/memory-server/store.ts: previous && previous.until > Date.now() | > -> >= (2)",
    "examples/memory-server/store.ts: previous && previous.until > Date.now() | Date.now() -> 0 (2)",
    "examples/memory-server/store.ts: previous && previous.until > Date.now() | Date.now() -> Math.floor(Date.now() / 1000) (2)",
  ],
  "The contract leaves the order of event signatures open.": [
    "createWebhook: metadata.eventSignatures is reversed",
    "listWebhooks: webhooks.*.metadata.eventSignatures is reversed",
    "getWebhook: metadata.eventSignatures is reversed",
    "updateWebhook: metadata.eventSignatures is reversed",
    "deleteWebhook: metadata.eventSignatures is reversed",
    "addWebhookAddresses: metadata.eventSignatures is reversed",
    "removeWebhookAddresses: metadata.eventSignatures is reversed",
  ],
  "The contract does not say that deleting keeps the reason and the time of the status.": [
    "deleteWebhook: statusReason is another value",
    "deleteWebhook: statusSince is one more",
  ],
  "The example follows no chain, so any block can be the first.": [
    "addWebhookAddresses: effectiveFromBlock is another text",
    "removeWebhookAddresses: effectiveFromBlock is another text",
  ],
  "A millisecond is below what can be measured from outside.": [
    "examples/memory-server/send-test.ts: signal: AbortSignal.timeout(10_000) | 10_000 -> 9999",
    "examples/memory-server/send-test.ts: signal: AbortSignal.timeout(10_000) | 10_000 -> 10001",
    "testWebhook: sentAt is one more",
    "testWebhook: durationMs is one more",
  ],
  "Equivalent here: the example never has a notification, so every page is empty.": [
    "listNotifications: the first answer again and again",
    "listNotifications: the answer before",
    "listNotifications: ignores pageSize",
  ],
  "Equivalent here: the example's chains never change.": [
    "listChains: the first answer again and again",
    "listChains: the answer before",
  ],
  "Not examined: an endpoint that never answers would make each run ten seconds longer.": [
    "examples/memory-server/send-test.ts: signal: AbortSignal.timeout(10_000) | signal: AbortSignal.timeout(10_000) -> nothing",
    'examples/memory-server/send-test.ts: if (name === "TimeoutError") return "timeout"; | name === "TimeoutError" -> false',
    'examples/memory-server/send-test.ts: if (name === "TimeoutError") return "timeout"; | "timeout" -> "other"',
    'examples/memory-server/send-test.ts: if (name === "TimeoutError") return "timeout"; | "TimeoutError" -> "other"',
    'examples/memory-server/send-test.ts: if (name === "TimeoutError") return "timeout"; | if (name === "TimeoutError") return "timeout"; -> nothing',
  ],
  "Both are taken: what stands between a server and an endpoint may take the connection and close it.": [
    'examples/memory-server/send-test.ts: if (code === "ECONNREFUSED") return "connection_refused"; | code === "ECONNREFUSED" -> false',
    'examples/memory-server/send-test.ts: if (code === "ECONNREFUSED") return "connection_refused"; | if (code === "ECONNREFUSED") return "connection_refused"; -> nothing',
    'examples/memory-server/send-test.ts: if (code === "ECONNREFUSED") return "connection_refused"; | "ECONNREFUSED" -> "other"',
  ],
  "Not examined: an endpoint with a wrong certificate, or a name that does not resolve, which a run does not have.": [
    "examples/memory-server/send-test.ts: /CERT|TLS|SSL/.test(code) | /CERT|TLS|SSL/.test(code) -> false",
    'examples/memory-server/send-test.ts: "tls_error" | "tls_error" -> "other"',
    'examples/memory-server/send-test.ts: if (/^(ENOTFOUND|EAI_)/.test(code)) return "dns_error"; | /^(ENOTFOUND|EAI_)/.test(code) -> false',
    'examples/memory-server/send-test.ts: if (/^(ENOTFOUND|EAI_)/.test(code)) return "dns_error"; | if (/^(ENOTFOUND|EAI_)/.test(code)) return "dns_error"; -> nothing',
  ],
  "Equivalent: the contract leaves open how deep a test says that its block is, and which of the two notifications of `both` it is.":
    [
      'examples/memory-server/send-test.ts: finality === "both" | finality === "both" -> false',
      'examples/memory-server/send-test.ts: finality === "both" | "both" -> "other"',
      "examples/memory-server/send-test.ts: { finalized: true, confirmations: 64 } | 64 -> 65",
      "examples/memory-server/send-test.ts: { finalized: true, confirmations: 64 } | 64 -> 63",
      "examples/memory-server/send-test.ts: { confirmations: 0 } | 0 -> 1",
    ],
  "The example's chain has no blocks, so the kit creates no replays there, and no webhook with a past.": [
    "server/contract/webhook-input.ts: !matchesByLogsOnly(webhook) | !matchesByLogsOnly(webhook) -> true",
    "server/contract/webhook-input.ts: fromBlock === undefined | fromBlock === undefined -> true",
    'server/contract/webhook-input.ts: historyMode === "headers" && !blooms | !blooms -> blooms',
    'server/contract/webhook-input.ts: historyMode === "headers" && !blooms | "headers" -> "other"',
    'server/contract/webhook-input.ts: historyMode === "headers" && !blooms | && -> ||',
    'server/contract/webhook-input.ts: historyMode === "headers" && !blooms | === -> !==',
    'server/contract/webhook-input.ts: historyMode === "headers" && !blooms | historyMode === "headers" && !blooms -> !(historyMode === "headers" && !blooms)',
    'server/contract/webhook-input.ts: historyMode === "headers" && !blooms | historyMode === "headers" && !blooms -> false',
    'server/contract/webhook-input.ts: historyMode === "headers" && !blooms | historyMode === "headers" && !blooms -> true',
    'server/contract/webhook-input.ts: if (historyMode === "complete") return; | "complete" -> "other"',
    'server/contract/webhook-input.ts: if (historyMode === "complete") return; | historyMode === "complete" -> false',
    'server/contract/webhook-input.ts: if (historyMode === "complete") return; | if (historyMode === "complete") return; -> nothing',
    'server/contract/webhook-input.ts: if (historyMode === "headers" && !blooms) throw badRequest( `histor... | if (historyMode === "headers" && !blooms) throw badRequest( `histor... -> nothing',
    "server/contract/webhook-input.ts: throw badRequest( `historyMode must be complete or logs on chain ${... | throw badRequest( `historyMode must be complete or logs on chain ${... -> ;",
    "server/contract/webhook-input.ts: { chainId, blooms = true }: SupportedChain | blooms = true -> blooms",
    "server/contract/webhook-input.ts: { chainId, blooms = true }: SupportedChain | true -> false",
    "examples/memory-server/store.ts: !includeEarlier && BigInt(range.fromBlock) < BigInt(record.effectiv... | !includeEarlier && BigInt(range.fromBlock) < BigInt(record.effectiv... -> !(!includeEarlier && BigInt(range.fromBlock) < BigInt(record.effectiveFromBlock))",
    "examples/memory-server/store.ts: !includeEarlier && BigInt(range.fromBlock) < BigInt(record.effectiv... | !includeEarlier && BigInt(range.fromBlock) < BigInt(record.effectiv... -> false",
    "examples/memory-server/store.ts: !includeEarlier && BigInt(range.fromBlock) < BigInt(record.effectiv... | !includeEarlier && BigInt(range.fromBlock) < BigInt(record.effectiv... -> true",
    "examples/memory-server/store.ts: !includeEarlier | !includeEarlier -> includeEarlier",
    `examples/memory-server/store.ts: "the webhook's effectiveFromBlock, or includeEarlier must be true." | "the webhook's effectiveFromBlock, or includeEarlier must be true." -> "other"`,
    "examples/memory-server/store.ts: && | && -> ||",
    "examples/memory-server/store.ts: 400 | 400 -> 399",
    "examples/memory-server/store.ts: 400 | 400 -> 401",
    "examples/memory-server/store.ts: BigInt(range.fromBlock) < BigInt(record.effectiveFromBlock) | < -> <=",
    "examples/memory-server/store.ts: above < 0n | < -> <=",
    "examples/memory-server/store.ts: above < 0n | above < 0n -> true",
    "examples/memory-server/store.ts: const { includeEarlier = false, ...blocks } = range; | false -> true",
    "examples/memory-server/store.ts: const { includeEarlier = false, ...blocks } = range; | includeEarlier = false -> includeEarlier",
    "examples/memory-server/store.ts: if (!includeEarlier && BigInt(range.fromBlock) < BigInt(record.effe... | if (!includeEarlier && BigInt(range.fromBlock) < BigInt(record.effe... -> nothing",
    "examples/memory-server/store.ts: throw new HttpError(400, `fromBlock must be at least ${record.effec... | throw new HttpError(400, `fromBlock must be at least ${record.effec... -> ;",
  ],
  "What the test of an operational webhook is about, and its message, the contract leaves to the server.": [
    'examples/memory-server/operational.ts: message: "This is a test." | "This is a test." -> "other"',
    'examples/memory-server/operational.ts: subject: "test" | "test" -> "other"',
  ],
  "An operational webhook that is deleted at once may be deleted in the millisecond of its creation.": [
    "examples/memory-server/operational.ts: statusSince: Date.now() | statusSince: Date.now() -> nothing",
  ],
  "Equivalent: the addresses are added, and counted, before the record is answered.": [
    "examples/memory-server/store.ts: addressCount: 0 | 0 -> -1",
    "examples/memory-server/store.ts: addressDigest: addressDigest([]) | addressDigest: addressDigest([]) -> nothing",
    "examples/memory-server/store.ts: addressCount: 0 | 0 -> 1",
    "examples/memory-server/store.ts: addressCount: 0 | addressCount: 0 -> nothing",
    "examples/memory-server/store.ts: addresses: [] | addresses: [] -> nothing",
  ],
  "Equivalent here: the example knows no transaction, so it explains none.": ["explainWebhook: ignores txHash"],
  "Equivalent: a place only has to be below the one before.": [
    "examples/memory-server/store.ts: lowest -= 1; | 1 -> 2",
  ],
  "Equivalent in what it answers: it lets other requests go first.": [
    "server/contract/address-input.ts: let start = 0 | 0 -> -1",
    "server/contract/address-input.ts: if (start > 0) await otherRequestsFirst(); | start > 0 -> true",
    "server/contract/address-input.ts: if (start > 0) await otherRequestsFirst(); | start > 0 -> !(start > 0)",
    "server/contract/address-input.ts: start < addresses.length | < -> <=",
    "server/contract/address-input.ts: if (start > 0) await otherRequestsFirst(); | start > 0 -> false",
    "server/contract/address-input.ts: if (start > 0) await otherRequestsFirst(); | 0 -> 1",
    "server/contract/address-input.ts: if (start > 0) await otherRequestsFirst(); | await otherRequestsFirst(); -> ;",
    "server/contract/address-input.ts: if (start > 0) await otherRequestsFirst(); | 0 -> -1",
    "server/contract/address-input.ts: if (start > 0) await otherRequestsFirst(); | > -> >=",
    "server/contract/address-input.ts: if (start > 0) await otherRequestsFirst(); | if (start > 0) await otherRequestsFirst(); -> nothing",
  ],
  "Only words of an error differ.": [
    'server/contract/webhook-input.ts: if (!isAllowedBy({ allowPrivateTargets: true })) return ""; | "" -> "other"',
  ],
  "Equivalent here: the example's only chain has traces.": [
    "server/contract/webhook-input.ts: if (includeInternalTxs) assertTraces(chain); | includeInternalTxs -> false",
    "server/contract/webhook-input.ts: if (includeInternalTxs) assertTraces(chain); | if (includeInternalTxs) assertTraces(chain); -> nothing",
    "server/contract/webhook-input.ts: if (change.includeInternalTxs) assertTraces(chain); | if (change.includeInternalTxs) assertTraces(chain); -> nothing",
    "server/contract/webhook-input.ts: !chain?.traces | !chain?.traces -> false",
    'server/contract/webhook-input.ts: if (!chain?.traces) throw badRequest("includeInternalTxs must be fa... | if (!chain?.traces) throw badRequest("includeInternalTxs must be fa... -> nothing',
    "server/contract/webhook-input.ts: if (includeInternalTxs) assertTraces(chain); | includeInternalTxs -> true",
    "server/contract/webhook-input.ts: if (change.includeInternalTxs) assertTraces(chain); | change.includeInternalTxs -> true",
    "server/contract/webhook-input.ts: if (change.includeInternalTxs) assertTraces(chain); | change.includeInternalTxs -> !(change.includeInternalTxs)",
    "server/contract/webhook-input.ts: if (change.includeInternalTxs) assertTraces(chain); | assertTraces(chain); -> ;",
    "server/contract/webhook-input.ts: if (change.includeInternalTxs) assertTraces(chain); | change.includeInternalTxs -> false",
    "server/contract/webhook-input.ts: if (includeInternalTxs) assertTraces(chain); | assertTraces(chain); -> ;",
    "server/contract/webhook-input.ts: if (includeInternalTxs) assertTraces(chain); | includeInternalTxs -> !(includeInternalTxs)",
    'server/contract/webhook-input.ts: throw badRequest("includeInternalTxs must be false on a chain witho... | throw badRequest("includeInternalTxs must be false on a chain witho... -> ;',
  ],
  "Equivalent here: the example's chain is final at once, so it takes every finality.": [
    'server/contract/webhook-input.ts: return finality === "finalized" || finality === "both"; | === -> !==',
    'server/contract/webhook-input.ts: return finality === "finalized" || finality === "both"; | "finalized" -> "other"',
    'server/contract/webhook-input.ts: throw badRequest( `finality must be instant or {"confirmations": n}... | throw badRequest( `finality must be instant or {"confirmations": n}... -> ;',
    'server/contract/webhook-input.ts: return finality === "finalized" || finality === "both"; | "both" -> "other"',
    "server/contract/webhook-input.ts: assertFinality(options?.finality, chain); | assertFinality(options?.finality, chain); -> ;",
    'server/contract/webhook-input.ts: return finality === "finalized" || finality === "both"; | || -> &&',
    'server/contract/webhook-input.ts: return finality === "finalized" || finality === "both"; | === -> !== (2)',
    "server/contract/webhook-input.ts: chain.finality !== undefined || !waitsForFinality(finality) | !waitsForFinality(finality) -> waitsForFinality(finality)",
    "server/contract/webhook-input.ts: chain.finality !== undefined || !waitsForFinality(finality) | chain.finality !== undefined || !waitsForFinality(finality) -> true",
  ],
  "Equivalent: a chain without a finality refuses what waits for it, and says that it has none.": [
    'examples/memory-server/answers.ts: finality: "latest" as const | finality: "latest" as const -> nothing',
  ],
  "Not examined: of which field a wrong checksum is said to be.": [
    'server/contract/address-input.ts: path.join(".") | "." -> "other"',
    'server/contract/webhook-input.ts: "metadata.addresses" | "metadata.addresses" -> "other"',
  ],
  "Equivalent here: the example has one chain, so the list in the message has neither order nor separator.": [
    "server/contract/webhook-input.ts: (a, b) => Number(BigInt(a) - BigInt(b)) | - -> +",
    'server/contract/webhook-input.ts: supported.join(", ")}.` | ", " -> "other"',
    "server/contract/webhook-input.ts: policy.chains.map((one) => one.chainId).sort((a, b) => Number(BigIn... | policy.chains.map((one) => one.chainId).sort((a, b) => Number(BigIn... -> policy.chains.map((one) => one.chainId)",
  ],
  "Equivalent: of a comparison only the sign counts, no two fields have one name, and V8's sort asks only whether one comes first.":
    [
      "examples/memory-server/send-test.ts: ([one], [other]) => (one < other ? -1 : 1) | < -> <=",
      "examples/memory-server/send-test.ts: ([one], [other]) => (one < other ? -1 : 1) | 1 -> 0 (2)",
      "examples/memory-server/send-test.ts: ([one], [other]) => (one < other ? -1 : 1) | 1 -> 2",
      "examples/memory-server/send-test.ts: ([one], [other]) => (one < other ? -1 : 1) | 1 -> 2 (2)",
    ],
  "Equivalent: the usual form's fields may come in any order.": [
    "examples/memory-server/send-test.ts: JSON.stringify(compatibility ? sorted(sent) : sent) | compatibility -> true",
  ],
  "Not examined: the kit does not rotate the shared secret, since other webhooks of the account may be signed with it.":
    [
      "examples/memory-server/app.ts: rotateSharedSecret: () => ({ status: 201, body: inHex(rotate(shared... | rotateSharedSecret: () => ({ status: 201, body: inHex(rotate(shared... -> nothing",
      "examples/memory-server/app.ts: ({ status: 201, body: inHex(rotate(shared, newSecret())) }) | 201 -> 200",
      "examples/memory-server/app.ts: ({ status: 201, body: inHex(rotate(shared, newSecret())) }) | 201 -> 202",
      "examples/memory-server/app.ts: ({ status: 201, body: inHex(rotate(shared, newSecret())) }) | body: inHex(rotate(shared, newSecret())) -> nothing",
      "examples/memory-server/app.ts: ({ status: 201, body: inHex(rotate(shared, newSecret())) }) | status: 201 -> nothing",
      'examples/memory-server/send-test.ts: const names = ["x-signature", "x-signature-previous"]; | "x-signature-previous" -> "other"',
      "getSharedSecret: the answer before",
      "getSharedSecret: the first answer again and again",
    ],
  "Not examined: no first wrong checksum is beyond the first batch.": [
    "server/contract/address-input.ts: throw wrongChecksum(field, start + wrong); | + -> -",
  ],
};

/** Their names, each with the reason. */
export const survivors: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(byReason).flatMap(([reason, ids]) => ids.map((id) => [id, reason])),
);

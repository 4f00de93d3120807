/** A notified transaction: it is explained as that, a preview shows the same, and a webhook that watches another address was not notified. */
import { asArray, asObject, isObject, type Json, type JsonObject, keysOf, sameJson } from "../../../document/json.ts";
import type { RecordedExchange } from "../exchange.ts";
import { idOf, itemsOf, newWebhook, type Probe, watchingActivity } from "../probe.ts";
import type { Rule } from "../rules.ts";

/** @param id of a webhook that is `watchingActivity` @param listed its notifications */
export async function checkExplanations(probe: Probe, id: string, listed: readonly JsonObject[]): Promise<void> {
  const retracted = new Set(listed.filter(({ removed }) => removed === true).map(({ txHash }) => txHash));
  const [record] = listed.filter(({ txHash }) => !retracted.has(txHash));
  if (!record) return probe.note("explainWebhook, previewWebhook: every notification was retracted.");
  // Transactions differ in who takes part in them, and how.
  for (const one of someOf(listed.filter(({ txHash }) => !retracted.has(txHash)))) {
    const detail = await probe.send("getNotification", { path: { id, messageId: String(one.messageId) } });
    const { event } = asObject(asObject(detail.json).payload);
    await checkNotified(probe, id, one, asObject(event));
    await checkPreview(probe, one, asObject(event));
  }
  await checkAnyCase(probe, id, String(record.txHash));
  await checkBlock(probe, record);
  await checkDecisions(probe, record);
  await checkOther(probe, record);
}

const mostExplained = 4;

/** The first, the last and some between, each of another transaction. */
function someOf(listed: readonly JsonObject[]): JsonObject[] {
  const ofEach = [...new Map(listed.map((one) => [one.txHash, one])).values()];
  const places = Array.from({ length: mostExplained }, (_, n) =>
    Math.round((n * (ofEach.length - 1)) / (mostExplained - 1)),
  );
  return ofEach.filter((_, place) => places.includes(place));
}

async function checkNotified(probe: Probe, id: string, record: JsonObject, event: JsonObject): Promise<void> {
  const { txHash, messageId } = record;
  // As the payload has it: that the list agrees with it is another rule's.
  const { blockNumber, blockHash } = asObject(event.transaction);
  const explained = await probe.send("explainWebhook", { path: { id }, query: { txHash: String(txHash) } });
  if (!probe.status(explained, "status-expected", 200)) return;
  checkAgrees(probe, explained);
  const { notified, reason, webhookId, ...rest } = asObject(explained.json);
  const notifications = itemsOf(rest, "notifications");
  const isListed = notifications.some((one) => one.messageId === messageId);
  const right = notified === true && reason === "notified" && webhookId === id && rest.txHash === txHash && isListed;
  const came = `notified ${notified}, reason ${reason}, ${isListed ? "with" : "without"} the notification`;
  const notifiedRight = `notified, with the notification ${messageId}`;
  if (!probe.check(explained, "explanation-of-notified", right, notifiedRight, came)) return;
  const sequences = notifications.map(({ sequence }) => Number(sequence));
  const isOrdered = sequences.every((sequence, index) => index === 0 || sequence > Number(sequences[index - 1]));
  probe.check(explained, "explanation-of-notified", isOrdered, "notifications by ascending sequence", `${sequences}`);
  // A reorganisation may have moved it since.
  if (notifications.length > 1) return;
  // The mock notifies of what no watched address takes part in.
  const matches = probe.target.activeAddress === undefined || rest.matches === true;
  const isPlaced = rest.blockNumber === blockNumber && rest.blockHash === blockHash && matches;
  const expected = `matches, in the block ${blockNumber} with the hash ${blockHash}`;
  const placed = `matches ${rest.matches}, block ${rest.blockNumber}, hash ${rest.blockHash}`;
  if (probe.check(explained, "explanation-of-notified", isPlaced, expected, placed))
    checkParts(probe, explained, "explanation-of-notified", rest, event);
}

/** An identifier of a chain is one, too. */
async function checkAnyCase(probe: Probe, id: string, txHash: string): Promise<void> {
  const capitals = `0x${txHash.slice(2).toUpperCase()}`;
  const body = { ...newWebhook(probe.target, watchingActivity(probe.target)), txHash: capitals };
  const explained = await probe.send("explainWebhook", { path: { id }, query: { txHash: capitals } });
  const previewed = await probe.send("previewWebhook", { body });
  const shown = [asObject(explained.json), ...itemsOf(asObject(previewed.json), "transactions")];
  for (const [index, answer] of [explained, previewed].entries())
    if (probe.status(answer, "id-in-any-case", 200))
      probe.check(answer, "id-in-any-case", shown[index]?.txHash === txHash, `txHash ${txHash}`);
}

async function checkPreview(probe: Probe, { txHash, messageId }: JsonObject, event: JsonObject): Promise<void> {
  const body = { ...newWebhook(probe.target, watchingActivity(probe.target)), txHash: txHash ?? null };
  const previewed = await probe.send("previewWebhook", { body });
  if (!probe.status(previewed, "status-expected", 200)) return;
  const preview = asObject(previewed.json);
  const [transaction] = asArray(preview.transactions).map(asObject);
  checkMatch(probe, previewed, transaction ?? {});
  const { transactionCount } = preview;
  probe.check(previewed, "preview-decides", transactionCount === 1, "transactionCount 1", `${transactionCount}`);
  const expected = `matches, with the event of the notification ${messageId}`;
  if (!probe.check(previewed, "preview-as-notified", transaction?.matches === true, expected)) return;
  if (preview.blockHash !== asObject(event.transaction).blockHash)
    return probe.note("preview-as-notified: the transaction is in another block than when it was notified.");
  const previewedEvent = asObject(asObject(transaction?.payload).event);
  const differing = differences(withoutTokenTexts(event), withoutTokenTexts(previewedEvent), "event");
  const came = `another ${differing.join(", ")}`;
  probe.check(previewed, "preview-as-notified", differing.length === 0, expected, came);
}

const none = "00000000-0000-0000-0000-000000000000";

/** What a preview says of a transaction that matches, held against its payload, which has the logs. */
function checkMatch(
  probe: Probe,
  previewed: RecordedExchange,
  { parts, partCount, payload, ...rest }: JsonObject,
): void {
  if (rest.matches !== true) return;
  const { webhookId, messageId, event } = asObject(payload);
  const { transaction, logs } = asObject(event);
  const decides = (condition: boolean, expected: string, came?: string) =>
    probe.check(previewed, "preview-decides", condition, expected, came);
  decides(webhookId === none && messageId === none, `webhookId and messageId ${none}`);
  const { transactionIndex, txHash, blockHash, blockNumber } = asObject(transaction);
  const isPlaced = rest.transactionIndex === transactionIndex && rest.txHash === txHash;
  decides(isPlaced && rest.reason === "matches", "the reason matches, with the transaction of the payload");
  const block = asObject(previewed.json);
  const isOfBlock = block.blockHash === blockHash && block.blockNumber === blockNumber;
  decides(isOfBlock, `the block of the payload, ${blockNumber} with the hash ${blockHash}`);
  decides(isSentence(rest.message), "a message, the reason in sentences", `message: ${JSON.stringify(rest.message)}`);
  const all = asArray(parts).map(asObject);
  decides(
    all.some(({ matches }) => matches === true),
    "a part by which it matches",
  );
  checkParts(probe, previewed, "preview-decides", { parts: all, partCount: partCount ?? null }, asObject(event));
  for (const part of all) {
    const fault = partFault(part, asObject(transaction), asArray(logs).map(asObject));
    decides(fault === undefined, fault ?? "", JSON.stringify(part));
  }
}

const isSentence = (text: Json | undefined) => typeof text === "string" && text.trim() !== "";
const mostParts = 20;

/** How the address that was given takes part in a transaction, all of it. The webhook has no call frames. */
function checkParts(
  probe: Probe,
  answer: RecordedExchange,
  rule: Rule,
  { parts, partCount }: JsonObject,
  { transaction, logs = [] }: JsonObject,
): void {
  const { activeAddress } = probe.target;
  const all = asArray(parts).map(asObject);
  const counted = Number(partCount) >= all.length && (all.length === mostParts || partCount === all.length);
  probe.check(answer, rule, counted, `partCount ${all.length}`, `${partCount}`);
  if (activeAddress === undefined || logs === null) return;
  const { from, to, contractAddress } = asObject(transaction);
  const inTopic = `0x${activeAddress.slice(2).padStart(64, "0")}`;
  const ofLogs = asArray(logs)
    .map(asObject)
    .flatMap((log, index) => [
      ...(log.address === activeAddress ? [`emitter ${index}`] : []),
      ...["topic1", "topic2", "topic3"].filter((topic) => log[topic] === inTopic).map((topic) => `${topic} ${index}`),
    ]);
  const ofAddresses = Object.entries({ from, to, created_contract: contractAddress });
  const wanted = [...ofAddresses.flatMap(([role, of]) => (of === activeAddress ? [role] : [])), ...ofLogs];
  // That all logs are there is another rule's.
  const isKnown = ({ logIndex }: JsonObject) => logIndex === undefined || Number(logIndex) < asArray(logs).length;
  const shown = all
    .filter(isKnown)
    .map(({ role, logIndex }) => (logIndex === undefined ? `${role}` : `${role} ${logIndex}`));
  const watched = all.every(({ address }) => address === activeAddress);
  const isWhole = sameJson(shown.toSorted(), wanted.toSorted()) || wanted.length > mostParts;
  const expected = `parts of ${activeAddress}, and of no other: ${wanted.join(", ")}`;
  probe.check(answer, rule, watched && isWhole, expected, shown.join(", ") || "no parts");
  const indexes = all.flatMap(({ logIndex }) => (logIndex === undefined ? [] : [Number(logIndex)]));
  const isOrdered = indexes.every((index, place) => place === 0 || index >= Number(indexes[place - 1]));
  probe.check(answer, rule, isOrdered, "parts in the order of the chain", shown.join(", "));
  const alone = all.every(({ matches }) => matches === true);
  probe.check(answer, rule, alone, "parts that match, since the webhook asks for nothing but an address", "others");
}

/** What of a transaction a part must be; undefined where it is. Call frames are not in the payload. */
function partFault(
  { address, role, logIndex, topic0 }: JsonObject,
  transaction: JsonObject,
  logs: readonly JsonObject[],
) {
  const of: Record<string, Json | undefined> = {
    ...{ from: transaction.from, to: transaction.to, created_contract: transaction.contractAddress },
  };
  const name = String(role);
  if (name in of) return of[name] === address ? undefined : `${name} ${of[name]}`;
  if (name !== "emitter" && !name.startsWith("topic")) return undefined;
  const log = logs[Number(logIndex)];
  // That all logs are there is another rule's.
  if (!log) return undefined;
  if (topic0 !== (log.topic0 ?? undefined)) return `topic0 ${log.topic0}`;
  const is = name === "emitter" ? log.address : `0x${String(log[name]).slice(-40)}`;
  return is === address ? undefined : `${name} ${is}`;
}

/** The whole block of a transaction that matches. */
async function checkBlock(probe: Probe, { txHash, blockNumber }: JsonObject): Promise<void> {
  const body = { ...newWebhook(probe.target, watchingActivity(probe.target)), blockNumber: blockNumber ?? null };
  const previewed = await probe.send("previewWebhook", { body });
  if (!probe.status(previewed, "status-expected", 200)) return;
  const { transactions, matchCount, transactionCount, ...rest } = asObject(previewed.json);
  const all = asArray(transactions).map(asObject);
  const places = all.map(({ transactionIndex }) => Number(transactionIndex));
  const isOrdered = places.every((place, index) => index === 0 || place > Number(places[index - 1]));
  const isCounted = Number(matchCount) >= all.length && Number(transactionCount) >= Number(matchCount);
  const isThere = all.some((one) => one.txHash === txHash) || Number(matchCount) > all.length;
  const right = isOrdered && isCounted && isThere && all.every(({ matches }) => matches === true);
  const expected = `the transactions that match, ${txHash} among them, in the order of the chain, and counts that fit`;
  probe.check(previewed, "preview-of-block", right && rest.blockNumber === blockNumber, expected);
  for (const one of all) checkMatch(probe, previewed, one);
  // How many were looked at does not depend on what is watched.
  const quiet = await probe.send("previewWebhook", {
    body: { ...newWebhook(probe.target), blockNumber: blockNumber ?? null },
  });
  const other = asObject(quiet.json);
  if (!probe.status(quiet, "status-expected", 200) || other.blockHash !== rest.blockHash) return;
  const isQuiet = other.transactionCount === transactionCount && other.matchCount === 0;
  const counts = `transactionCount ${transactionCount}, matchCount 0`;
  const came = `transactionCount ${other.transactionCount}, matchCount ${other.matchCount}`;
  probe.check(quiet, "preview-of-block", isQuiet && asArray(other.transactions).length === 0, counts, came);
}

const never = { field: "transaction.value", op: "lt", value: "0" };

/** Why the same transaction does not match a webhook with other conditions or events, in a preview and in an explanation. */
async function checkDecisions(probe: Probe, { txHash }: JsonObject): Promise<void> {
  const { metadata, ...rest } = watchingActivity(probe.target);
  const decide = async (more: JsonObject, reason: string, path?: string) => {
    const body = newWebhook(probe.target, { ...rest, metadata: { ...metadata, ...more } });
    const previewed = await probe.send("previewWebhook", { body: { ...body, txHash: txHash ?? null } });
    if (!probe.status(previewed, "status-expected", 200)) return;
    const [one = {}] = asArray(asObject(previewed.json).transactions).map(asObject);
    const matches = reason === "matches";
    const right = one.reason === reason && one.matches === matches && (one.payload !== undefined) === matches;
    const expected = `matches ${matches}, reason ${reason}`;
    const came = `matches ${one.matches}, reason ${one.reason}`;
    if (!probe.check(previewed, "preview-decides", right, expected, came)) return;
    checkMatch(probe, previewed, one);
    const [found, ...others] = asArray(one.decidedBy).map(asObject);
    const { actual, ...comparison } = found ?? {};
    const decided = path === undefined ? undefined : { ...never, path, holds: false };
    const isDecided =
      sameJson(found && comparison, decided) && others.length === 0 && (!found || /^\d+$/.test(String(actual)));
    probe.check(previewed, "preview-decides", isDecided, `decidedBy ${JSON.stringify(decided) ?? "absent"}`);
    if (matches) return;
    const record = await probe.succeed("createWebhook", { body });
    if (!record) return;
    const explained = await probe.send("explainWebhook", {
      path: { id: idOf(record) },
      query: { txHash: String(txHash) },
    });
    if (probe.status(explained, "status-expected", 200)) {
      const { notified, reason: why } = asObject(explained.json);
      const agrees = notified === false && why === reason;
      probe.check(
        explained,
        "explanation-of-others",
        agrees,
        `notified false, reason ${reason}`,
        `${notified}, ${why}`,
      );
    }
    await probe.succeed("deleteWebhook", { path: { id: idOf(record) } });
  };
  await decide({ conditions: never }, "condition_failed", "");
  await decide({ conditions: { all: [{ not: never }, never] } }, "condition_failed", "all.1");
  await decide({ conditions: { any: [never] } }, "condition_failed", "any.0");
  await decide({ conditions: { not: never } }, "matches", "not");
  await decide({ eventSignatures: [`0x${"5a".repeat(32)}`] }, "other_event");
}

/** The places in which two objects differ. */
function differences(one: JsonObject, other: JsonObject, place: string): string[] {
  const names = keysOf(one, other).filter((name) => !sameJson(one[name], other[name]));
  return names.flatMap((name) => {
    const [before, after] = [one[name], other[name]];
    const inner = `${place}.${name}`;
    return isObject(before) && isObject(after) ? differences(before, after, inner) : [inner];
  });
}

/** What a token says of itself may have been asked for between the two, and neither may wait for it. */
function withoutTokenTexts<T extends Json>(value: T): T {
  const text = JSON.stringify(value, (name, inner) =>
    /^erc\d+Token$/.test(name) ? { address: asObject(inner).address } : inner,
  );
  return JSON.parse(text) as T;
}

async function checkOther(probe: Probe, { txHash }: JsonObject): Promise<void> {
  const record = await probe.create();
  if (!record) return;
  const path = { id: idOf(record) };
  const explained = await probe.send("explainWebhook", { path, query: { txHash: String(txHash) } });
  if (probe.status(explained, "status-expected", 200)) {
    checkAgrees(probe, explained);
    const { notified, reason } = asObject(explained.json);
    const right = notified === false && reason === "not_watched";
    const came = `notified ${notified}, reason ${reason}`;
    probe.check(explained, "explanation-of-others", right, "notified false, reason not_watched", came);
  }
  await probe.succeed("deleteWebhook", { path });
  const body = { ...newWebhook(probe.target), txHash: txHash ?? null };
  const previewed = await probe.send("previewWebhook", { body });
  if (!probe.status(previewed, "status-expected", 200)) return;
  const { matchCount, transactions } = asObject(previewed.json);
  const [{ matches, reason, payload } = {}] = asArray(transactions).map(asObject);
  const right = matchCount === 0 && matches === false && reason === "not_watched" && payload === undefined;
  probe.check(previewed, "preview-of-others", right, "matchCount 0, matches false, reason not_watched, no payload");
}

/** Of a webhook without conditions, `createdBy` and `finality`. */
function checkAgrees(probe: Probe, explained: RecordedExchange): void {
  const { notified, reason, parts, message, ...rest } = asObject(explained.json);
  probe.check(explained, "explanation-agrees", isSentence(message), "a message, the reason in sentences", `${message}`);
  const expected = `notified ${reason === "notified"}, since the reason is ${reason}`;
  probe.check(explained, "explanation-agrees", notified === (reason === "notified"), expected);
  const said = ["decidedBy", "decidedOn", "missingBlocks"].filter((name) => rest[name] !== undefined);
  if (asArray(parts).some((part) => asObject(part).namedBy !== undefined)) said.push("namedBy");
  const none = "no conditions, createdBy or finality explained, since the webhook has none";
  probe.check(explained, "explanation-agrees", said.length === 0, none, said.join(", "));
}

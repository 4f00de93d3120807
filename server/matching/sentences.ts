/** The reasons of previews and explanations in sentences, made of values that the contract limits: hashes, numbers and names of states. */
import type { components } from "../../generated/types.ts";
import type { AnsweredTransaction } from "./explanation.ts";

type Schemas = components["schemas"];
type Part = Schemas["Part"];

const places: Record<Part["role"], string> = {
  from: "its sender",
  to: "its receiver",
  created_contract: "the contract that it created",
  emitter: "the emitter",
  topic1: "the first indexed argument",
  topic2: "the second indexed argument",
  topic3: "the third indexed argument",
  call_from: "the caller",
  call_to: "the callee",
};

/** Such as `0x… is the emitter of log 2`. */
function partSentence({ address, role, logIndex, internalIndex }: Part): string {
  const frame = internalIndex === undefined ? "" : ` of internal transaction ${internalIndex}`;
  const where = logIndex === undefined ? frame : ` of log ${logIndex}`;
  return `${address} is ${places[role]}${where}`;
}

type Found = Pick<AnsweredTransaction, "reason" | "parts" | "partCount" | "decidedBy" | "decidedOn" | "fromBlock">;

export function previewSentence({ reason, parts, partCount, decidedBy, decidedOn, fromBlock }: Found): string {
  const [first] = parts;
  const part = first && partSentence(first);
  const more = partCount > 1 ? `, and ${partCount - 1} more ${partCount === 2 ? "part" : "parts"}` : "";
  switch (reason) {
    case "matches":
      return first?.matches ? `It matches: ${part}.` : `It matches${decidedOn ? `, by ${subject(decidedOn)}` : ""}.`;
    case "not_watched":
      return "It does not match: no watched address takes part in it.";
    case "other_event":
      return part === undefined
        ? "It does not match: it has no log with one of the event signatures."
        : `It does not match: ${part}${more}, but in no log with one of the event signatures.`;
    case "condition_failed":
      return conditionSentence(decidedBy, decidedOn);
    case "not_yet_effective":
      if (first?.namedBy && first.namedBy.blockNumber === fromBlock)
        return `It does not match: ${first.address} is watched only from ${factoryLog(first.namedBy)} on.`;
      return `It does not match: the address by which it would is watched from block ${fromBlock} on.`;
  }
}

const subject = ({ logIndex }: Schemas["ConditionSubject"]) =>
  logIndex === undefined ? "a native transfer" : `log ${logIndex}`;

const mostFindings = 3;

/** Paths are all that it says of the conditions: what was compared may be a text that anybody wrote. */
function conditionSentence(decidedBy: Found["decidedBy"] = [], decidedOn: Found["decidedOn"]): string {
  if (decidedBy.length === 0)
    return "It does not match: no log or transfer for which the conditions could hold has a watched address and an event signature.";
  const findings = decidedBy
    .slice(0, mostFindings)
    .map(({ path, holds }) => `the condition ${path && `${path} `}${holds ? "holds" : "does not hold"}`);
  const more = decidedBy.length > mostFindings ? `, and ${decidedBy.length - mostFindings} more decided` : "";
  const where = decidedOn ? `, for ${subject(decidedOn)}` : "";
  return `It does not match: ${findings.join(", ")}${more}${where}.`;
}

const factoryLog = ({ blockNumber, txHash, logIndex }: Schemas["FactoryLog"]) =>
  txHash === undefined
    ? `its factory's log in block ${blockNumber}`
    : `its factory's log ${logIndex} of transaction ${txHash}`;

type Explained = Omit<Schemas["Explanation"], "message">;

/** What an explanation's reason means, made of its other fields. */
export function explanationSentence(explanation: Explained): string {
  const { reason, blockNumber, parts, fromBlock, followedBlock, stoppedSince, notifications, missingBlocks } =
    explanation;
  const newest = notifications.at(-1);
  const [first] = parts;
  const by = first?.matches ? ` It matches: ${partSentence(first)}.` : "";
  switch (reason) {
    case "notified":
      return `Notification ${newest?.sequence} is ${newest?.status}.${by}${
        missingBlocks === undefined ? "" : ` The one that says that it is final follows in ${blocks(missingBlocks)}.`
      }`;
    case "retracted":
      return `The block of the notification left the chain. Retraction ${newest?.sequence} is ${newest?.status}.`;
    case "pending":
      return "The transaction is in no block yet.";
    case "not_yet_effective":
      if (first?.namedBy && first.namedBy.blockNumber === fromBlock) return previewSentence({ ...explanation, reason });
      return fromBlock === undefined
        ? `Its block ${blockNumber} is before the first that the webhook is notified of. A replay notifies of it.`
        : `Its block ${blockNumber} is before ${fromBlock}, the first that the webhook, or the address, is notified of. A replay notifies of it.`;
    case "webhook_inactive":
      return fromBlock === undefined
        ? `The webhook has been inactive since before block ${blockNumber}. A replay notifies of it.`
        : `The webhook was inactive at block ${blockNumber}, and notified again from ${fromBlock} on. A replay notifies of it.`;
    case "not_followed_yet":
      return `Its block ${blockNumber} is not recorded for the webhook yet${newestRecorded(followedBlock)}. The notification follows${
        stoppedSince === undefined ? "" : ` once the chain is followed again, which stopped at ${time(stoppedSince)}`
      }.${by}`;
    case "waiting_for_finality":
      return `Its block ${blockNumber} is not yet as deep as the webhook's finality asks. The notification follows${
        missingBlocks === undefined ? "" : ` in ${blocks(missingBlocks)}`
      }.${by}`;
    case "not_kept":
      return `Notifications of the time of block ${blockNumber} are no longer kept.${by}`;
    case "unexplained":
      return `Nothing was recorded, although it matches now: the webhook may have changed since block ${blockNumber}. A replay notifies of it.${by}`;
    default:
      return previewSentence({ ...explanation, reason });
  }
}

const blocks = (count: number) => `${count} more ${count === 1 ? "block" : "blocks"}`;
const newestRecorded = (block: string | undefined) => (block === undefined ? "" : `; the newest that is: ${block}`);

/** @param ms since the epoch */
export const time = (ms: number): string => (ms < 8.64e15 ? new Date(ms).toISOString() : `${ms}`);

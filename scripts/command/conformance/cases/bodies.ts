/** What the contract says in words of a request's body as a whole: which fields need one another, and which exclude one another. */
import type { OperationId } from "../../../../generated/operations.ts";
import { asArray, asObject, isObject, type JsonObject, sameJson } from "../../../document/json.ts";
import { type Judgement, type World, worst } from "./words.ts";

const refused: Judgement = { rule: "bad-request-400" };
/** Either is at the top level or in `metadata`, or in both and the same. */
const inBothPlaces = ["includeLogs", "includeInternalTxs"];
/** Of each two, a request has exactly one. */
const alternatives: Readonly<Record<string, string>> = { txHash: "blockNumber", blockNumber: "txHash" };
/** The options that exclude `compatibility`. */
const withoutCompatibility = ["batch", "includeTransfers"];
/** What the delivery `feed` excludes at the top level, and in `metadata`. */
const forSending = ["url", "compatibility", "maxPerSecond", "headers"];
const optionsForSending = ["batch", "ordered"];

/** @returns the body without what excludes the field, so that it is judged alone */
export function withoutExcluded(body: JsonObject, [name = "", option = ""]: readonly string[]): JsonObject {
  const { [alternatives[name] ?? ""]: _, ...rest } = body;
  const { compatibility: __, ...usual } = rest;
  if (name === "delivery") return onlyRead(rest);
  if (name === "metadata" && withoutCompatibility.includes(option)) return usual;
  if (name !== "compatibility" || !isObject(rest.metadata)) return rest;
  const options = Object.entries(rest.metadata).filter(([option]) => !withoutCompatibility.includes(option));
  return { ...rest, metadata: Object.fromEntries(options) };
}

/** The body without what says where and how to send. */
function onlyRead(body: JsonObject): JsonObject {
  const without = (of: JsonObject, names: readonly string[]) =>
    Object.fromEntries(Object.entries(of).filter(([name]) => !names.includes(name)));
  const own = without(body, forSending);
  return isObject(own.metadata) ? { ...own, metadata: without(own.metadata, optionsForSending) } : own;
}

/** Nodes may have forgotten older blocks. */
const newestBlocks = 100n;

/** Judges a body that its schema allows. */
export function judgeBody(body: JsonObject, world: World): Judgement {
  return worst([
    judgeMetadata(body),
    judgeRange(body, world),
    judgePlace(body, world),
    judgeMode(body),
    judgeDelivery(body),
  ]);
}

/** A preview, which has a place to look at, needs no `url`. */
function judgeDelivery(body: JsonObject): Judgement {
  const { url, delivery, metadata, compatibility, maxPerSecond, headers, txHash, blockNumber } = body;
  if (!isObject(metadata)) return "valid";
  const { batch, ordered } = metadata;
  if (delivery === "feed") {
    if (url !== undefined || compatibility !== undefined || batch !== undefined || ordered === true) return refused;
    if (maxPerSecond || Object.keys(asObject(headers)).length > 0) return refused;
    return [ordered, maxPerSecond, headers].every((one) => one === undefined) ? "valid" : "either";
  }
  return url === undefined && txHash === undefined && blockNumber === undefined ? refused : "valid";
}

/** Which webhooks match by a log only, and which chains' headers prove their blooms, is looked at elsewhere. */
function judgeMode({ historyMode, fromBlock }: JsonObject): Judgement {
  if (historyMode === undefined) return "valid";
  return fromBlock === undefined ? refused : "either";
}

function judgeMetadata(body: JsonObject): Judgement {
  if (!isObject(body.metadata)) return "valid";
  const { addresses, anyAddress, createdBy, abi, ...others } = body.metadata;
  for (const name of inBothPlaces)
    if (body[name] !== undefined && others[name] !== undefined && body[name] !== others[name])
      return { rule: "booleans-agree" };
  if (body.compatibility !== undefined && (others.batch !== undefined || others.includeTransfers === false))
    return refused;
  if (anyAddress === true) return addresses || createdBy ? refused : "either";
  if (!addresses && !createdBy) return refused;
  const events = asArray(abi);
  return events.some((one, index) => events.slice(0, index).some((before) => sameJson(one, before)))
    ? "either"
    : "valid";
}

function judgeRange(
  { fromBlock, toBlock, includeEarlier }: JsonObject,
  { target: { followedBlock } }: World,
): Judgement {
  if (fromBlock === undefined) return "valid";
  // Nodes may have forgotten it.
  if (toBlock === undefined) return "either";
  const [from, to] = [BigInt(String(fromBlock)), BigInt(String(toBlock))];
  if (from > to) return refused;
  if (followedBlock === undefined) return "either";
  if (to > followedBlock) return refused;
  // Which block is the webhook's first depends on when it was created.
  return includeEarlier === true ? "valid" : "either";
}

/** Of a block that is not followed, and of a transaction, nobody here knows whether it is there. */
function judgePlace({ txHash, blockNumber }: JsonObject, { target: { followedBlock } }: World): Judgement {
  if (txHash !== undefined) return blockNumber === undefined ? "either" : refused;
  if (blockNumber === undefined) return "valid";
  return followedBlock !== undefined && BigInt(String(blockNumber)) <= followedBlock ? "valid" : "either";
}

/** Makes a body that the schema allows one that must be taken. */
export function mended(operation: OperationId, body: JsonObject, { target }: World): JsonObject {
  // Webhooks without a URL are tried by themselves.
  const { delivery: _, ...own }: JsonObject = operation === "createWebhook" ? { url: target.url, ...body } : body;
  const followed = target.followedBlock ?? 0n;
  if (isObject(body.metadata)) {
    const metadata: JsonObject = { ...body.metadata };
    for (const name of inBothPlaces)
      if (own[name] !== undefined && metadata[name] !== undefined) own[name] = metadata[name];
    if (!metadata.addresses && !metadata.createdBy) metadata.addresses = [target.address];
    if (own.compatibility !== undefined) {
      delete metadata.batch;
      if (metadata.includeTransfers === false) delete metadata.includeTransfers;
    }
    const events = asArray(metadata.abi);
    if (metadata.abi !== undefined)
      metadata.abi = events.filter((one, index) => !events.slice(0, index).some((before) => sameJson(one, before)));
    own.metadata = metadata;
  }
  if (operation === "createWebhook" || operation === "addWebhookAddresses") {
    // Each past would have its block read first, and one of any number has none.
    const { fromBlock: _, historyMode: __, ...rest } = own;
    return rest;
  }
  if (operation === "changeWebhookAddresses") {
    // Which digest is right, and whether there is a part, depends on the cases before.
    const { commit: _, addressDigest: __, ...part } = own;
    return part;
  }
  if (operation === "previewWebhook") {
    const { txHash: _, historyMode: __, blockNumber = "0", ...rest } = own;
    const back = BigInt(String(blockNumber)) % newestBlocks;
    return { ...rest, blockNumber: String(back > followed ? 0n : followed - back) };
  }
  if (body.fromBlock === undefined) return own;
  // One block: a replay that ends soon.
  const block = BigInt(String(body.fromBlock)) % (followed + 1n);
  return { ...own, fromBlock: String(block), toBlock: String(block), includeEarlier: true };
}

/** A body whose metadata says of no address that it is watched. */
export function watchingNothing(body: JsonObject): JsonObject {
  const { addresses: _, createdBy: __, ...metadata } = asObject(body.metadata);
  return { ...body, metadata };
}

/**
 * Encodes and signs large bodies piece by piece, one piece in a turn of the event loop. In one piece, 22 MB would stop the process for 40 ms
 * on a quiet machine, and for a second on a busy one. Whoever has large bodies takes turns, so that one has to wait for the others' next pieces, and
 * not for all that somebody else has.
 */
import { createHmac, type Hmac } from "node:crypto";
import { type SigningKey, signatureOf, validKeys } from "./signature.ts";

/** In characters: about a millisecond. A text without more is encoded and signed at once. */
export const pieceCharacters = 262_144;

type Prepared = { body: Buffer; signatures: string };

/** What to encode and sign. */
type LargeBody = {
  /** Who waits for the others' turns. */
  account: object;
  text: string;
  /** What is signed before the body. */
  prefix: string;
  keys: readonly SigningKey[];
  nowMs: number;
};

export class LargeBodies {
  /** What each account has to prepare, in order; the accounts in the order of their turns. */
  readonly #waiting = new Map<object, Generator<undefined, void>[]>();
  #isScheduled = false;

  /** @param onPrepared called in a later turn @returns what ends the preparation before that */
  prepare(body: LargeBody, onPrepared: (prepared: Prepared) => void): () => void {
    const preparation = pieceByPiece(body, onPrepared);
    const own = this.#waiting.get(body.account);
    if (own) own.push(preparation);
    else this.#waiting.set(body.account, [preparation]);
    this.#schedule();
    return () => void preparation.return();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => this.#prepareNext());
  }

  /** Prepares one piece, of the account whose turn it is. */
  #prepareNext(): void {
    this.#isScheduled = false;
    const [[account, own] = []] = this.#waiting;
    if (!account || !own) return;
    this.#waiting.delete(account);
    if (own[0]?.next().done) own.shift();
    // Behind the others.
    if (own.length > 0) this.#waiting.set(account, own);
    this.#schedule();
  }
}

function* pieceByPiece(
  { text, prefix, keys, nowMs }: LargeBody,
  onPrepared: (prepared: Prepared) => void,
): Generator<undefined, void> {
  let bytes = 0;
  for (const piece of piecesOf(text)) {
    bytes += Buffer.byteLength(piece);
    yield;
  }
  const body = Buffer.allocUnsafeSlow(bytes);
  const hashes: Hmac[] = validKeys(keys, nowMs).map(({ key }) => createHmac("sha256", key).update(prefix));
  let at = 0;
  for (const piece of piecesOf(text)) {
    const end = at + body.write(piece, at);
    for (const hash of hashes) hash.update(body.subarray(at, end));
    at = end;
    yield;
  }
  onPrepared({ body, signatures: hashes.map(signatureOf).join(" ") });
}

/** Cuts no character in two: those outside the basic plane are two in a string. */
function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const last = text.charCodeAt(at + pieceCharacters - 1);
    const end = at + pieceCharacters - (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
    yield text.slice(at, end);
    at = end;
  }
}

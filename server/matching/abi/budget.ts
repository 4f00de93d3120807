/**
 * Refuses data whose values share bytes. An offset may point anywhere, so 8 KB could stand for gigabytes: an array of pointers to one text,
 * or arrays of such arrays. Whoever encodes honestly writes each byte once. So we walk the offsets first, and count.
 */
import type { Shape } from "./fragment.ts";

/** Data that does not hold the values that it should. */
export class AbiDataError extends Error {
  override readonly name = "AbiDataError";
}

const word = 32;
const array = /^(.*)\[(\d*)\]$/;

/** @param data the non-indexed arguments' @throws AbiDataError if they do not fit into it, each byte once */
export function assertSharesNothing(shapes: readonly Shape[], data: Uint8Array): void {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let left = Math.ceil(data.byteLength / word);

  function spend(words: number): void {
    left -= words;
    if (left < 0) throw new AbiDataError("the data is shorter than its values");
  }

  /** A length or an offset: no data is as long as 2^31. */
  function numberAt(position: number): number {
    if (position < 0 || position + word > data.byteLength)
      throw new AbiDataError("an offset points outside of the data");
    for (let index = 0; index < 28; index += 4)
      if (view.getUint32(position + index) !== 0) throw new AbiDataError("an offset or a length is too large");
    return view.getUint32(position + 28);
  }

  /** @param base what offsets count from @param position where the value, or its offset, is */
  function visit(shape: Shape, base: number, position: number): void {
    if (!isDynamic(shape)) spend(headWords(shape));
    else {
      spend(1);
      visitContent(shape, base + numberAt(position));
    }
  }

  function visitContent(shape: Shape, start: number): void {
    const { item, length } = itemOf(shape);
    if (item) visitItems(item, length ?? numberAt(start), length === undefined ? start + word : start);
    else if (shape.components) visitAll(shape.components, start);
    else spend(Math.ceil(numberAt(start) / word));
    // The length, which all but tuples and arrays of a fixed one have.
    if (item ? length === undefined : !shape.components) spend(1);
  }

  function visitItems(item: Shape, count: number, first: number): void {
    if (!isDynamic(item)) spend(count * headWords(item));
    else if (count > left) throw new AbiDataError("an array is longer than the data");
    else for (let index = 0; index < count; index += 1) visit(item, first, first + index * word);
  }

  function visitAll(members: readonly Shape[], start: number): void {
    let position = start;
    for (const member of members) {
      visit(member, start, position);
      position += (isDynamic(member) ? 1 : headWords(member)) * word;
    }
  }

  visitAll(shapes, 0);
}

/** Of an array, what its items are, and how many if that is fixed. */
function itemOf({ type, components }: Shape): { item?: Shape; length?: number } {
  const [, inner, length] = array.exec(type) ?? [];
  if (inner === undefined) return {};
  return { item: { type: inner, ...(components && { components }) }, ...(length && { length: Number(length) }) };
}

function isDynamic(shape: Shape): boolean {
  const { item, length } = itemOf(shape);
  if (item) return length === undefined || isDynamic(item);
  return shape.components ? shape.components.some(isDynamic) : shape.type === "string" || shape.type === "bytes";
}

/** How many words a value without offsets takes. */
function headWords(shape: Shape): number {
  const { item, length = 1 } = itemOf(shape);
  if (item) return length * headWords(item);
  return shape.components ? shape.components.reduce((sum, member) => sum + headWords(member), 0) : 1;
}

/** Everything simple that can be done to a JSON value to make it another, at every place in it. */
import { isObject, type Json, type JsonObject } from "../../scripts/document/json.ts";

const others: readonly Json[] = [null, true, -1, 1.5, 7, "", "other", "\u0000", "0x00", [], {}];

/**
 * The value with one thing changed: a field or item removed, a field added, or a value replaced by one of another type. Of a
 * list only the first three items are gone through.
 */
export function* mutations(value: Json | undefined, at = "it"): Generator<{ value: Json; what: string }> {
  for (const other of others) yield { value: other, what: `${at} is ${JSON.stringify(other)}` };
  if (Array.isArray(value)) {
    yield { value: value.slice(1), what: `${at} without its first` };
    for (const [index, item] of value.slice(0, 3).entries())
      for (const { value: mutated, what } of mutations(item, `${at}[${index}]`))
        yield { value: value.with(index, mutated), what };
  } else if (isObject(value)) {
    yield { value: { ...value, unknownField: 1 }, what: `${at} with a field more` };
    for (const [key, one] of Object.entries(value)) {
      const { [key]: _, ...rest }: JsonObject = value;
      yield { value: rest, what: `${at} without ${key}` };
      for (const { value: mutated, what } of mutations(one, `${at}.${key}`))
        yield { value: { ...value, [key]: mutated }, what };
    }
  }
}

/**
 * Requests that are as expensive as the documented bounds let them be: shapes of bodies, queries and headers, each filled by a seed. They
 * are for measuring what the worst costs, so most of them are refused.
 */
import { deflateSync, gzipSync } from "node:zlib";
import { getAddress } from "viem";

/** A request's bytes, and what they are. */
export type CostlyRequest = { name: string; bytes: Buffer };
/** Gives a whole number below its argument. */
type Dice = (below: number) => number;
/** Whose key it is, and which webhook. */
export type CostlyTarget = { key: string; id: string };

const mebibyte = 1_048_576;
const mostPacked = 327_680;
const pick = <T>(dice: Dice, from: readonly [T, ...T[]]): T => from[dice(from.length)] ?? from[0];
const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
const fill = (text: string, bytes = mebibyte - 100) => text.repeat(Math.floor(bytes / Buffer.byteLength(text)));
const hex = (dice: Dice, digits: number) => times(digits, () => dice(16).toString(16)).join("");
const lower = (dice: Dice) => `0x${hex(dice, 40)}`;

const creation = (changes: string, addresses = `["0x${"1".repeat(40)}"]`) =>
  `{"url":"https://example.com/","chainId":"43114","eventType":"address_activity","metadata":{"addresses":${addresses}}${changes}}`;
const addresses = (items: readonly string[]) => `{"addresses":[${items.join(",")}]}`;
const fields = (names: readonly string[]) => `{${names.map((name) => `"${name}":0`).join(",")}}`;

/** Each makes the text of a body. */
const bodies: Record<string, (dice: Dice) => string> = {
  "an array of empties": (dice) => {
    const item = pick(dice, ['""', "[]", "{}", "0", "null"]);
    return addresses(times(pick(dice, [24_990, 9_999, 300_000 / item.length]), () => item));
  },
  "as many values as may come": () => addresses(times(24_990, () => '""')),
  "brackets in brackets": (dice) => {
    const depth = pick(dice, [30, 31, 500_000]);
    const deep = dice(2)
      ? "[".repeat(depth) + "]".repeat(depth)
      : `${'{"a":'.repeat(depth / 3)}0${"}".repeat(depth / 3)}`;
    return addresses(times(Math.min(700, Math.ceil(12_000 / depth)), () => deep));
  },
  "many fields": (dice) => {
    const [count, long] = pick<readonly [number, number]>(dice, [
      [2_500, 0],
      [2_500, 400],
      [2_490, 30],
      [90_000, 0],
    ]);
    return fields(times(count, (n) => `${"k".repeat(long)}${n}`));
  },
  "fields that are numbers": (dice) => fields(times(2_500, (n) => String(n * (1 + dice(90_000))))),
  "a field given twice": (dice) => {
    const long = fill(pick(dice, ["\\u0061", "é", "\\\\", "x"]), dice(2) ? 400 : 10);
    const names = times(2_499, (n) => `${long}${n}`);
    const items = addresses(times(pick(dice, [10, 20_000]), () => '""'));
    return `{"a":${items},${fields([...names.slice(1), names.at(-1 - dice(100)) ?? ""]).slice(1)}`;
  },
  "a long text": (dice) => {
    const text = fill(pick(dice, ["x", "é", "中", "😀", "0", "a/"]));
    return pick(dice, [
      creation(`,"${pick(dice, ["name", "description"])}":"${text}"`),
      creation("").replace("example.com/", `example.com/${text}`),
      creation("").replace("43114", `43114${text}`),
      addresses([`"0x${text}"`]),
    ]);
  },
  escapes: (dice) => {
    const text = fill(pick(dice, ["\\u0041", "\\n", "\\\\", '\\"', "\\ud83d\\ude00", "\\u00e9é"]));
    return pick(dice, [creation(`,"name":"${text}"`), `{"${text}":0}`, `${creation("")} "${text}`]);
  },
  "half a character at the end": () => creation(`,"name":"${fill("\\u4e2d")}\\ud800"`),
  "long numbers": (dice) => {
    const fill = (text: string) => text.repeat(pick(dice, [260_000, 1_000_000]));
    const number = pick(dice, [fill("9"), `0.${fill("1")}`, `1e${fill("9")}`, `-1${fill("0")}E-9`]);
    return pick(dice, [creation(`,"name":${number}`), addresses([number])]);
  },
  "many long numbers": (dice) =>
    addresses(times(pick(dice, [2_500, 10_000]), () => `${dice(9)}.${fill("123456789", 90)}e-${dice(300)}`)),
  "many texts of two bytes a letter": () => addresses(times(20_000, (n) => `"${"é".repeat(20)}${n}"`)),
  whitespace: (dice) =>
    creation("").replaceAll(",", `,${fill(pick(dice, [" ", "\n\t", "\r"]), pick(dice, [50_000, 200_000]))}`),
  "addresses of one case": (dice) =>
    addresses(times(pick(dice, [9_999, 10_001, 16_000, 22_000]), () => `"${lower(dice)}"`).concat('"0x"')),
  "events to decode": (dice) => {
    const type = pick(dice, ["uint256", "tuple", "tuple[][3]", `${"x".repeat(99)}`]);
    const members = type.startsWith("tuple")
      ? `,"components":[${fill('{"type":"uint8"},', 19 * 17)}{"type":"bytes"}]`
      : "";
    const input = (n: number) => `{"name":"a${n}","type":"${type}"${members}}`;
    const [events, inputs] = pick<readonly [number, number]>(dice, [
      [100, 5],
      [20, 20],
      [5, 4],
    ]);
    const event = (n: number) => `{"type":"event","name":"E${n}","inputs":[${times(inputs, input)}]}`;
    return creation("").replace('"metadata":{', `"metadata":{"abi":[${times(events, event)}],`);
  },
  "no JSON at the end": (dice) => `${addresses(times(9_999, () => `"${lower(dice)}"`)).slice(0, -1)}`,
};

/** What a packed body can be, beyond packing. Each is of the largest size that is taken. */
const bombs: Record<string, () => { encoding: string; body: Buffer }> = {
  "100 MB of blanks": () => ({ encoding: "gzip", body: gzipSync(Buffer.alloc(100_000_000, " ")) }),
  "empty blocks": () => ({ encoding: "deflate", body: emptyBlocks() }),
  "empty archives": () => {
    const one = gzipSync("");
    return { encoding: "gzip", body: Buffer.concat(times(Math.floor(mostPacked / one.length), () => one)) };
  },
};

const searches: Record<string, (dice: Dice) => string> = {
  "many parameters": (dice) => fill(pick(dice, ["a&", "&", "a=b&", "%61=%62&", "=&", "pageSize=1&"]), 8_000),
  "brackets in a query": (dice) => fill(pick(dice, ["[", "a[b]", "[]=&", "a[b][c]=1&", "%5B"]), 8_000),
  "a long parameter": (dice) =>
    `${pick(dice, ["pageToken", "status", "pageSize", "x"])}=${fill(pick(dice, ["A", "%41", "1", ":", "%zz"]), 8_000)}`,
};

const headers: Record<string, (dice: Dice) => string[]> = {
  "many headers": () => times(1_800, (n) => `a${n % 10}: b`),
  "long headers": (dice) => {
    const name = pick(dice, [
      "cookie",
      "accept",
      "content-type",
      "accept-encoding",
      "x-forwarded-for",
      "idempotency-key",
      "if-none-match",
    ]);
    return [`${name}: ${fill(pick(dice, ["a=b; ", "a/*,", ";charset=a", "1.1.1.1,", "x"]), 14_000)}`];
  },
};

/** One request of each shape, in its plain form or packed, as the dice say. */
export function costlyRequests({ key, id }: CostlyTarget, dice: Dice): CostlyRequest[] {
  const made: CostlyRequest[] = [];
  const add = (name: string, line: string, more: readonly string[] = [], body: Buffer = Buffer.alloc(0)) => {
    const lines = [
      `${line} HTTP/1.1`,
      "host: a",
      `x-service-api-key: ${key}`,
      ...more,
      `content-length: ${body.length}`,
    ];
    made.push({ name, bytes: Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), body]) });
  };
  const send = (name: string, body: Buffer, encoding: string, line = `PATCH /v1/webhooks/${id}/addresses`) =>
    add(`${name} (${encoding})`, line, ["content-type: application/json", `content-encoding: ${encoding}`], body);
  for (const [name, make] of Object.entries(bodies)) {
    const text = make(dice);
    const bytes = Buffer.from(text);
    const line = text.startsWith('{"addresses"') ? undefined : "POST /v1/webhooks";
    const encoding = pick(dice, ["identity", "gzip", "deflate"]);
    const packed = encoding === "gzip" ? gzipSync(bytes) : encoding === "deflate" ? deflateSync(bytes) : bytes;
    send(name, packed, encoding, line);
  }
  for (const [name, make] of Object.entries(bombs)) send(name, make().body, make().encoding);
  for (const [name, make] of Object.entries(searches)) {
    add(name, `GET ${pick(dice, ["/v1/webhooks", "/v1/chains", "/nothing"])}?${make(dice)}`);
  }
  for (const [name, make] of Object.entries(headers)) add(name, `GET /v1/webhooks/${id}`, make(dice));
  add("a long path", `GET /v1/webhooks/${fill(pick(dice, ["/", "%41", "a", "%zz", "../"]), 8_000)}`);
  return made;
}

/** As many addresses as a request may have, each with a checksum, of which the last is wrong. */
export function checksummed(target: CostlyTarget, dice: Dice): CostlyRequest {
  return withChecksums("10,000 checksums, the last wrong", target, dice, [
    "0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA86",
  ]);
}

/** The same, all of them right. The first adds them; those after it find them there. */
export function taken(target: CostlyTarget, dice: Dice): CostlyRequest {
  return withChecksums("10,000 checksums, all right", target, dice, []);
}

function withChecksums(name: string, { key, id }: CostlyTarget, dice: Dice, last: readonly string[]): CostlyRequest {
  const items = [...times(10_000 - last.length, () => getAddress(lower(dice))), ...last].map((item) => `"${item}"`);
  const body = addresses(items);
  const head = [`PATCH /v1/webhooks/${id}/addresses HTTP/1.1`, "host: a", `x-service-api-key: ${key}`];
  const more = ["content-type: application/json", `content-length: ${body.length}`];
  return { name, bytes: Buffer.from(`${[...head, ...more].join("\r\n")}\r\n\r\n${body}`) };
}

/** As many blocks as may come, that hold nothing, in a zlib stream. */
function emptyBlocks(): Buffer {
  const block = Buffer.from([0, 0, 0, 0xff, 0xff]);
  return Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    ...times(mostPacked / 5 - 10, () => block),
    Buffer.from([1, 0, 0, 0xff, 0xff, 0, 0, 0, 1]),
  ]);
}

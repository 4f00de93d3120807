/** Sequences of steps: webhooks are created, changed, listed and deleted in a random order. */
import type { Arbitrary } from "fast-check";
import { asObject, type Json, type JsonObject } from "../../../document/json.ts";
import { requestSchema } from "../contract.ts";
import { arbitraryOf } from "./arbitraries.ts";
import { mended } from "./bodies.ts";
import type { FastCheck } from "./fast-check.ts";
import type { World } from "./words.ts";

/** What a step does. `which` picks one of the webhooks that there are. */
export type Step =
  | { do: "create"; body: JsonObject; withKey: boolean }
  | { do: "repeat"; which: number; other: boolean }
  | { do: "update"; which: number; body: JsonObject }
  | { do: "add" | "remove"; which: number; addresses: string[] }
  | { do: "get"; which: number; upper: boolean }
  | { do: "list"; status: string | undefined; pageSize: number | undefined }
  | { do: "addresses"; which: number; pageSize: number | undefined }
  | { do: "secret" | "rotate" | "delete"; which: number }
  | { do: "gone" | "unknown"; which: number; how: number }
  | { do: "replay"; which: number; fromBlock: string; ahead: boolean };

/** Few addresses, so that they are added twice and removed. */
const poolSize = 8;
const mostSteps = 16;

/** Sequences, each of which begins with a webhook. They shrink to fewer and smaller steps. */
export function sequencesOf(fc: FastCheck, world: World): Arbitrary<Step[]> {
  const which = fc.nat({ max: 3 });
  const pageSize = fc.constantFrom(undefined, 1, 2, 3);
  const address = fc.tuple(fc.nat({ max: poolSize - 1 }), fc.boolean()).map(([n, upper]) => pooled(n, upper));
  const addresses = fc.array(address, { minLength: 1, maxLength: 6 });
  const creation = fc.record({
    do: fc.constant("create" as const),
    body: bodiesOf(fc, "createWebhook", world, addresses),
    withKey: fc.boolean(),
  });
  const step: Arbitrary<Step> = fc.oneof(
    creation,
    fc.record({ do: fc.constant("repeat" as const), which, other: fc.boolean() }),
    fc.record({ do: fc.constant("update" as const), which, body: bodiesOf(fc, "updateWebhook", world) }),
    fc.record({
      do: fc.constant("update" as const),
      which,
      body: fc.record({ status: fc.constantFrom("inactive", "active") }),
    }),
    fc.record({ do: fc.constantFrom("add" as const, "remove" as const), which, addresses }),
    fc.record({ do: fc.constant("get" as const), which, upper: fc.boolean() }),
    fc.record({ do: fc.constant("list" as const), status: fc.constantFrom(undefined, "active", "inactive"), pageSize }),
    fc.record({ do: fc.constant("addresses" as const), which, pageSize }),
    fc.record({ do: fc.constantFrom("secret" as const, "rotate" as const, "delete" as const), which }),
    fc.record({ do: fc.constantFrom("gone" as const, "unknown" as const), which, how: fc.nat({ max: 20 }) }),
    fc.record({ do: fc.constant("replay" as const), which, ...rangeOf(fc, world) }),
  );
  return fc
    .tuple(creation, fc.array(step, { maxLength: mostSteps, size: "max" }))
    .map(([first, more]) => [first, ...more]);
}

function pooled(n: number, upper: boolean): string {
  const digits = `${n.toString(16)}a5e0f`.repeat(7).slice(0, 40).padEnd(40, "c");
  return `0x${upper ? digits.toUpperCase() : digits}`;
}

function bodiesOf(
  fc: FastCheck,
  operation: "createWebhook" | "updateWebhook",
  world: World,
  addresses?: Arbitrary<string[]>,
): Arbitrary<JsonObject> {
  const values = arbitraryOf(fc, requestSchema(operation) ?? {}, world);
  const body = values.map((value) => mended(operation, asObject(value), world));
  if (!addresses) return body;
  return fc.tuple(body, addresses).map(([own, list]): JsonObject => {
    const metadata: JsonObject = { ...asObject(own.metadata), addresses: list as Json[] };
    return { ...own, metadata };
  });
}

function rangeOf(fc: FastCheck, { target: { followedBlock } }: World) {
  const newest = Number(followedBlock ?? 0n);
  const fromBlock = fc.integer({ min: Math.max(0, newest - 5), max: newest }).map(String);
  return { fromBlock, ahead: fc.boolean() };
}

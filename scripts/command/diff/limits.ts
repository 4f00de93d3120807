/**
 * How much a comparison may cost: no document, however it was made, holds a CI job for minutes. What is left out is reported as a
 * finding that fails, so a comparison that did not come to its end never passes for one that found nothing.
 */
import type { JsonObject } from "../../document/json.ts";

/** What a comparison may take. */
export type DiffLimits = {
  /** Pairs of schemas. 100,000 schemas with two fields each, in requests and responses, are 400,000. */
  pairs: number;
  /** Fields, values and branches in those pairs, each time they are compared. GitHub's description has 1,100,000 values. */
  values: number;
  /** Steps of the searches that decide what a change of a union does. */
  searchSteps: number;
  /** Two schemas that hold each other through `allOf` have half a million findings, which is 500 MB of text. */
  findings: number;
  /** How deep schemas may be within each other where no reference is between them. */
  depth: number;
};

/** Two circles of 709 and 708 schemas reach the first in 12 s of processor time and 700 MB. */
export const usualLimits: DiffLimits = {
  pairs: 500_000,
  values: 20_000_000,
  searchSteps: 500_000,
  findings: 20_000,
  depth: 250,
};

/** What the searches of a comparison have cost so far. */
export type Search = { steps: number; most: number };

/** Whether a search is worth beginning. */
export const canSearch = ({ steps, most }: Search): boolean => steps < most;

/** Counts the steps of a search. @returns whether there is room for more; without, the search cannot tell */
export function search(spent: Search, steps = 1): boolean {
  spent.steps += steps;
  return spent.steps <= spent.most;
}

/** How many values of a schema are looked at when it is compared: its keywords, and what they list. */
export function valuesIn(schema: JsonObject): number {
  let count = 1;
  for (const value of Object.values(schema)) {
    if (Array.isArray(value)) count += value.length;
    else if (typeof value === "object" && value !== null) count += Object.keys(value).length;
    count += 1;
  }
  return count;
}

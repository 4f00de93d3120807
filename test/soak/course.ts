/** How long a run is, and which. */
import { seeded } from "../support/seeded.ts";

export type Course = {
  minutes: number;
  webhooks: number;
  seed: number;
  /** The folder of the report. */
  report: string;
  /** @returns what gives a whole number below its argument, for one of the things that happen side by side */
  diceFor(thing: "activity" | "traffic" | "reads" | "restarts"): (below: number) => number;
};

/** The one that `npm run soak` was reported. */
export function readCourse(): Course {
  const reported = JSON.parse(process.env.SOAK ?? '{"minutes":1,"webhooks":200,"seed":1,"report":"soak-report"}');
  return { ...reported, diceFor: (thing) => seeded(reported.seed * 31 + thing.length) };
}

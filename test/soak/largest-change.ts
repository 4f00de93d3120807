/** How long the largest change of a webhook's addresses takes that one request can make, when nobody disturbs it. */
import { address } from "../support/api.ts";
import type { Api } from "./api.ts";
import { quantile } from "./report.ts";

const times = 3;
const addressesOfOne = 10_000;

/** @param webhook the path of one @returns the median of a few, in ms; the addresses are nobody's */
export async function timeLargestChange(api: Api, webhook: string): Promise<number> {
  const taken: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const addresses = Array.from({ length: addressesOfOne }, (_, index) =>
      address(3_000_000 + time * addressesOfOne + index),
    );
    const from = performance.now();
    await api.call("PATCH", `${webhook}/addresses`, { addresses });
    taken.push(performance.now() - from);
    await api.call("DELETE", `${webhook}/addresses`, { addresses });
  }
  return quantile(taken, 0.5);
}

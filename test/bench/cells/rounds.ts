/** What a delivery costs in each size, and how that grows: each round against the first size of the same round. */
import { quantile } from "../figures.ts";
import type { Cluster, Costs } from "./cluster.ts";

/** What each cell is given. */
export type Load = { blocks: number; transfers: number; periodMs: number };

/** Processor time of each delivery in µs, and the calls to the node. */
export type Measured = Costs & { deliveries: number; callsPerBlock: number };
export type Round = Measured & { round: number; cells: number };

/** Has clusters of one size deliver at the same time. */
export async function measureRound(clusters: readonly Cluster[], load: Load): Promise<Measured> {
  const costs = () => clusters.map((cluster) => cluster.costs());
  const calls = () => clusters.reduce((sum, { proxy }) => sum + proxy.calls.length, 0);
  const [costsBefore, callsBefore] = [costs(), calls()];
  const delivered = await Promise.all(clusters.map((cluster) => cluster.deliver(load)));
  const deliveries = delivered.reduce((sum, count) => sum + count, 0);
  const costsAfter = costs();
  const each = (of: keyof Costs) => {
    const tookMs = costsAfter.reduce((sum, cost, at) => sum + cost[of] - (costsBefore[at]?.[of] ?? 0), 0);
    return Math.round((tookMs * 10_000) / deliveries) / 10;
  };
  return {
    deliveries,
    callsPerBlock: (calls() - callsBefore) / load.blocks / clusters.length,
    service: each("service"),
    database: each("database"),
    nats: each("nats"),
    reader: each("reader"),
  };
}

const cell = ({ service, database }: Measured) => service + database;
const all = (measured: Measured) => cell(measured) + measured.nats + measured.reader;

/** A row for each size: medians, and in brackets the least and the most of the rounds. */
export function summary(rounds: readonly Round[]) {
  const sizes = [...new Set(rounds.map(({ cells }) => cells))].sort((a, b) => a - b);
  const of = (cells: number) => rounds.filter((round) => round.cells === cells);
  return sizes.map((cells) => {
    const median = (value: (round: Round) => number) => quantile(of(cells).map(value), 0.5);
    /** Against the smallest size of the same round. */
    const growth = (value: (round: Round) => number) => {
      if (cells === sizes[0]) return "";
      const ratios = of(cells).flatMap((round) => {
        const base = rounds.find((other) => other.round === round.round && other.cells === sizes[0]);
        return base ? [(value(round) / value(base) - 1) * 100] : [];
      });
      const [least, middle, most] = [0, 0.5, 1].map((part) => quantile(ratios, part));
      return `${middle} % (${least} to ${most})`;
    };
    return {
      cells,
      "processes µs": median(({ service }) => service),
      "PostgreSQL µs": median(({ database }) => database),
      "both µs": median(cell),
      growth: growth(cell),
      "NATS µs": median(({ nats }) => nats),
      "reader µs": median(({ reader }) => reader),
      "all µs": median(all),
      "growth of all": growth(all),
      "calls a block": median(({ callsPerBlock }) => callsPerBlock),
    };
  });
}

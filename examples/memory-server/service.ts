/** What the server supports, what an operation answers, and the error for what does not exist. */
import { HttpError } from "chain-webhooks/server";

export const served = {
  chains: [{ chainId: "43114", name: "Avalanche C-Chain", traces: true, finality: "latest" as const }],
  allowPrivateTargets: true,
};

export const ok = <Body>(body: Body) => ({ status: 200 as const, body });

export function missing(what: string): never {
  throw new HttpError(404, `There is no such ${what}.`);
}

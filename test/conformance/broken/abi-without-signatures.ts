import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "has no event signatures where only an abi is given",
  rules: ["signatures-of-abi"],
  answer({ body }) {
    if (body.metadata?.abi) body.metadata.eventSignatures = [];
  },
};

import type { Breakage } from "../breakage.ts";

export const broken: Breakage = {
  says: "has no event signatures where only an abi is given",
  rules: ["signatures-of-abi"],
  answer({ body }) {
    for (const { metadata } of [body, ...(body?.webhooks ?? [])]) if (metadata?.abi) metadata.eventSignatures = [];
  },
};
